"""A session's directory as one zip archive."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from intelli.store.disk import RUN_LOCK, TEMPORARY


def write_zip(directory: Path, target: Path) -> int:
    """Write the session's files under its name; the size of the archive in bytes.

    Links are left out, so that nothing outside of the session leaves with it. An archive appears
    whole or not at all. Raises OSError.
    """
    partial = target.with_name(f"{TEMPORARY}{os.urandom(8).hex()}")
    try:
        with ZipFile(partial, "x", ZIP_DEFLATED, strict_timestamps=False) as archive:
            for path in _files(directory):
                archive.write(path, f"{directory.name}/{path.relative_to(directory).as_posix()}")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return target.stat().st_size


def _files(directory: Path) -> Iterator[Path]:
    for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        elif entry.is_file(follow_symlinks=False) and entry.name != RUN_LOCK:
            yield Path(entry.path)
