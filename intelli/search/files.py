"""Which local files are worth reading: a walk that stays in its tree and leaves data out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from intelli.errors import UsageError
from intelli.text.kinds import sniff

MAX_BYTES = 10_000_000
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


class Walk:
    """Goes through files and directories once; `skipped` counts what it left out, by reason."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Raises UsageError naming a path that does not exist."""
        for path in paths:
            if not path.exists():
                raise UsageError(
                    f"no such file or directory: {path}",
                    code="no-such-path",
                    hint="--docs takes a file or a directory",
                )
        self._paths = paths
        self.skipped: Counter[str] = Counter()

    def roots(self) -> Iterator[tuple[Path, list[Path]]]:
        """Each path as it was given, with the real paths of its files in the order of names."""
        for path in self._paths:
            yield path, list(self._tree(path) if path.is_dir() else [path.resolve()])

    def body(self, path: Path) -> bytes | None:
        """The bytes of a document, None (counted as skipped) for what is not to be read."""
        try:
            return _document(path)
        except _SkippedError as reason:
            self.skipped[str(reason)] += 1
        except OSError:
            self.skipped["unreadable"] += 1
        return None

    def _tree(self, root: Path) -> Iterator[Path]:
        real_root = root.resolve()
        for folder, subfolders, names in os.walk(root, onerror=self._unreadable):
            here = Path(folder)
            subfolders[:] = sorted(name for name in subfolders if _is_open(name))
            for name in sorted(name for name in names if not name.startswith(".")):
                real = (here / name).resolve()
                if not real.is_relative_to(real_root):
                    self.skipped["link out of the directory"] += 1
                elif all(_is_open(part) for part in real.relative_to(real_root).parts):
                    yield real

    def _unreadable(self, _: OSError) -> None:
        self.skipped["unreadable"] += 1


def content_type(path: Path) -> str:
    """What a server would call the file; plain text for a suffix that says nothing."""
    return _CONTENT_TYPES.get(path.suffix.lower(), "text/plain")


def _is_open(name: str) -> bool:
    return not name.startswith(".") and name not in _NOT_DOCUMENTS


class _SkippedError(Exception):
    """Why a file is not read."""


def _document(path: Path) -> bytes:
    if not path.is_file():
        raise _SkippedError("no regular file")
    if path.stat().st_size > MAX_BYTES:
        raise _SkippedError("over 10 MB")
    body = path.read_bytes()
    if sniff(body, content_type(path), path.as_uri()) == "binary":
        raise _SkippedError("binary")
    return body
