"""A session's directory as one zip archive."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from intelli.store.disk import RUN_LOCK


def zip_of(directory: Path) -> bytes:
    """An archive of the session's files under its name. Links are left out, so that nothing
    outside of the session leaves with it. Raises OSError."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED, strict_timestamps=False) as archive:
        for path in _files(directory):
            archive.write(path, f"{directory.name}/{path.relative_to(directory).as_posix()}")
    return packed.getvalue()


def _files(directory: Path) -> Iterator[Path]:
    for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        elif entry.is_file(follow_symlinks=False) and entry.name != RUN_LOCK:
            yield Path(entry.path)
