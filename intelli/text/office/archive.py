"""Opens a ZIP archive of a stranger: everything that comes out of it is bounded."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from urllib.parse import unquote

from intelli.text.xml_tree import Element, attribute, children, parse_xml

MAX_ENTRIES = 20_000
MAX_ENTRY = 40_000_000
MAX_TOTAL = 120_000_000
"""Bytes after decompression, of one entry and of all that are read."""

_ENCRYPTED = 0x1
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})


class ArchiveError(Exception):
    """The archive cannot be read: `code` as in `Document.error`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Archive:
    """The entries of a ZIP file by name. Nothing is written anywhere, so names are only names."""

    def __init__(self, body: bytes) -> None:
        """Raises ArchiveError with `archive-broken`."""
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
            entries = self._zip.infolist()
        except Exception as error:  # zipfile answers a damaged directory in many ways
            raise ArchiveError("archive-broken") from error
        if len(entries) > MAX_ENTRIES:
            raise ArchiveError("archive-broken")
        self._entries = {entry.filename: entry for entry in entries}
        self._left = MAX_TOTAL

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def read(self, name: str) -> bytes:
        """The bytes of an entry, empty where there is none. Raises ArchiveError for an encrypted,
        damaged or too large one."""
        entry = self._entries.get(name)
        if entry is None:
            return b""
        if entry.flag_bits & _ENCRYPTED:
            raise ArchiveError("office-encrypted")
        limit = min(MAX_ENTRY, self._left)
        if entry.file_size > limit or entry.compress_type not in _METHODS:
            raise ArchiveError("archive-broken")
        try:
            with self._zip.open(entry) as file:
                data = file.read(limit + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise ArchiveError("archive-broken") from error
        except (NotImplementedError, RuntimeError) as error:
            raise ArchiveError("office-encrypted") from error
        # The directory may lie about sizes.
        if len(data) > limit:
            raise ArchiveError("archive-broken")
        self._left -= len(data)
        return data

    def tree(self, name: str) -> Element | None:
        """The root of an entry that holds XML; None where there is none."""
        data = self.read(name)
        return parse_xml(data) if data else None

    def relations(self, part: str) -> dict[str, str]:
        """What an Office part refers to: the target by its id; one inside is an entry's name."""
        folder, name = posixpath.split(part)
        root = self.tree(f"{folder}/_rels/{name}.rels".lstrip("/"))
        found = {}
        for relation in children(root, "Relationship"):
            target = attribute(relation, "Target")
            is_outside = attribute(relation, "TargetMode") == "External"
            found[attribute(relation, "Id")] = target if is_outside else joined(part, target)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """The entries that an Office part refers to as `kind`, the last word of their type."""
        folder, name = posixpath.split(part)
        root = self.tree(f"{folder}/_rels/{name}.rels".lstrip("/"))
        return [
            joined(part, attribute(relation, "Target"))
            for relation in children(root, "Relationship")
            if attribute(relation, "Type").rpartition("/")[2] == kind
        ]


def joined(part: str, target: str) -> str:
    """The name of the entry that `target` names in the file `part`."""
    path = unquote(target.partition("#")[0])
    if path.startswith("/"):
        return path.lstrip("/")
    return posixpath.normpath(posixpath.join(posixpath.dirname(part), path))


def relation_id(element: Element) -> str:
    """The id of the relation that an element names; its own id has the same name but no
    namespace."""
    return next((str(v) for key, v in element.attrib.items() if str(key).endswith("}id")), "")
