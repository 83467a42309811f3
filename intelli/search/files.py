"""Which local files are worth reading: a walk that stays in its tree and leaves data out."""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path, PurePath

from intelli.errors import UsageError
from intelli.records import record
from intelli.text.kinds import ARCHIVES, HEAD, sniff

MAX_BYTES = 10_000_000
MAX_DEPTH = 60
"""Directories below each other that are looked into."""
_CONTENT_TYPES = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mdx": "text/markdown",
    ".rst": "text/x-rst",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".pdf": "application/pdf",
}
_NOT_DOCUMENTS = frozenset({"node_modules", "__pycache__", "site-packages"})
_DATA_FOLDERS = frozenset({"testdata", "test_data", "test-data", "fixtures", "licenses"})
_GENERATED = (".min.js", ".min.css", ".map", "-lock.json", "-lock.yaml", ".lock", ".ps", ".log")
_RECORDS = frozenset({"RECORD", "INSTALLER", "REQUESTED", "WHEEL"})
"""What installers write beside a package."""

_PAGES = frozenset({".html", ".htm", ".xhtml"})
_LARGE_PAGE = 5_000_000
"""Bytes of HTML that take so long to parse that only a file named by itself is worth it."""

_GZIP = b"\x1f\x8b"
_GZIP_WINDOW = 31
"""The `wbits` of zlib that takes a gzip header."""

_NAMED = 3


@record
class Skipped:
    """A file that was left out, and why."""

    path: Path
    reason: str


class Walk:
    """Goes through files and directories once; `skipped` holds what it left out, in order."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Raises UsageError naming a path that does not exist."""
        for path in paths:
            if not _exists(path):
                raise UsageError(
                    f"no such file or directory: {path}",
                    code="no-such-path",
                    hint="--docs takes a file or a directory",
                )
        self._paths = paths
        self.skipped: list[Skipped] = []
        self._seen: set[bytes] = set()

    def roots(self) -> Iterator[tuple[Path, list[Path]]]:
        """Each path as it was given, with the real paths of its files in the order of names."""
        for path in self._paths:
            self._seen.clear()
            yield path, list(self._tree(path) if path.is_dir() else [path.absolute()])

    def skip(self, path: Path, reason: str) -> None:
        """Note a file that cannot be used."""
        self.skipped.append(Skipped(path=path, reason=reason))

    def body(self, path: Path) -> bytes | None:
        """The bytes of a document, unpacked; None (noted as skipped) for what is not to be read."""
        try:
            body = _document(path)
            digest = sha256(body).digest()
            if digest in self._seen:
                raise _SkippedError("copy of another")
            self._seen.add(digest)
            return body
        except _SkippedError as reason:
            self.skip(path, str(reason))
        except OSError:
            self.skip(path, "unreadable")
        return None

    def _tree(self, root: Path) -> Iterator[Path]:
        real_root = root.resolve()
        deepest = len(real_root.parts) + MAX_DEPTH
        for folder, subfolders, names in os.walk(root, onerror=self._unreadable):
            here = Path(folder).resolve()
            deeper = subfolders if len(here.parts) < deepest else []
            subfolders[:] = sorted(name for name in deeper if _is_open(name))
            for name in sorted(name for name in names if not name.startswith(".")):
                path = here / name
                try:
                    real = path.resolve() if path.is_symlink() else path
                except (OSError, RuntimeError):  # a link to itself, or one that may not be read
                    self.skip(path, "broken link")
                    continue
                if not real.is_relative_to(real_root):
                    self.skip(path, "link out of the directory")
                elif not all(_is_open(part) for part in real.relative_to(real_root).parts):
                    continue
                elif reason := _needless(real, names):
                    self.skip(path, reason)
                else:
                    yield real

    def _unreadable(self, error: OSError) -> None:
        self.skip(Path(str(error.filename)), "unreadable")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError, RuntimeError):  # too long, a NUL in it, a link to itself
        return False


def told(skipped: Sequence[Skipped]) -> str:
    """How many files were left out and why, with the names of a few: those of rare reasons, which
    are less expected, come first. Empty for none."""
    if not skipped:
        return ""
    counts = Counter(skip.reason for skip in skipped)
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items()))
    named = sorted(skipped, key=lambda skip: counts[skip.reason])[:_NAMED]
    names = ", ".join(skip.path.name for skip in named)
    more = f" and {len(skipped) - _NAMED} more" if len(skipped) > _NAMED else ""
    return f"{len(skipped)} {'file' if len(skipped) == 1 else 'files'} ({reasons}): {names}{more}"


def content_type(path: Path) -> str:
    """What a server would call the file; plain text for a suffix that says nothing."""
    return _CONTENT_TYPES.get(unpacked(path).suffix.lower(), "text/plain")


def unpacked(path: Path) -> Path:
    """The path without the `.gz` of a packed file."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def _is_open(name: str) -> bool:
    return not name.startswith(".") and name not in _NOT_DOCUMENTS and name not in _DATA_FOLDERS


def _needless(path: Path, siblings: Sequence[str]) -> str:
    """Why a file of a directory need not be opened, empty if it must be. Beside it may stand the
    same text as Markdown, which needs no parsing."""
    name = unpacked(path).name
    if name in _RECORDS or name.endswith(_GENERATED):
        return "generated"
    if name == "copyright":
        return "licence"
    if name.lower().startswith("changelog") and path.suffix == ".gz":
        return "packed changelog"
    plain = PurePath(name)
    if plain.suffix.lower() in _PAGES | {".json"} and plain.with_suffix(".md").name in siblings:
        return "beside its Markdown"
    large = plain.suffix.lower() in _PAGES and path.is_file() and path.stat().st_size > _LARGE_PAGE
    return "HTML over 5 MB" if large else ""


class _SkippedError(Exception):
    """Why a file is not read."""


def _document(path: Path) -> bytes:
    if not path.is_file():
        raise _SkippedError("no regular file")
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise _SkippedError("over 10 MB")
    if size == 0:  # also the files of /proc, which may never end
        raise _SkippedError("empty")
    with path.open("rb") as file:
        head = file.read(HEAD)
        packed = head.startswith(_GZIP) and path.suffix.lower() == ".gz"
        if not packed and _is_binary(head, path):
            raise _SkippedError("binary")
        body = head + file.read()
    return _gunzipped(body, path) if packed else body


def _is_binary(head: bytes, path: Path) -> bool:
    name = unpacked(path)
    kind = sniff(head, content_type(path), name.as_uri())
    # What else is packed in trees, as wheels and fonts, is not worth opening.
    is_other_archive = kind == "archive" and name.suffix.lower().removeprefix(".") not in ARCHIVES
    return kind == "binary" or is_other_archive


def _gunzipped(packed: bytes, path: Path) -> bytes:
    """The unpacked bytes of a gzip file; what is no text, or grows too large, ends early."""
    try:
        head = zlib.decompressobj(_GZIP_WINDOW).decompress(packed, HEAD)
        if _is_binary(head, path):
            raise _SkippedError("binary")
        body = zlib.decompressobj(_GZIP_WINDOW).decompress(packed, MAX_BYTES + 1)
    except zlib.error as error:
        raise _SkippedError("unreadable") from error
    if len(body) > MAX_BYTES:
        raise _SkippedError("over 10 MB")
    return body
