"""What a cache directory holds by its names alone, read without looking into any session."""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

from intelli.settings import user_dir
from intelli.store import layout

SMALL = 1000
"""Sessions up to which a cache is read from its directories and `.index.json`."""
FEW = 30
"""Sessions up to which texts are searched file by file."""
VERSION = 2
"""Of the database that a larger cache has."""


class Listing(NamedTuple):
    """The entries of a cache directory, and what it looked like just before they were read."""

    names: tuple[str, ...]
    fingerprint: str


def listing(cache_dir: Path) -> Listing:
    """Empty for a directory that cannot be read."""
    try:
        return Listing(
            fingerprint=fingerprint_of(cache_dir),
            names=tuple(names_in(cache_dir)),
        )
    except OSError:
        return Listing(names=(), fingerprint="")


def names_in(directory: Path) -> list[str]:
    """The entries whose names are UTF-8, which all of ours are; others could be neither printed nor
    stored in a database. Raises OSError."""
    names = os.listdir(directory)  # noqa: PTH208
    with suppress(UnicodeEncodeError):
        "".join(names).encode()
        return names
    return [name for name in names if name.isascii() or _is_utf8(name)]


def _is_utf8(name: str) -> bool:
    return os.fsencode(name).decode("utf-8", "replace") == name


def siblings(root: Path, base: str) -> list[str]:
    """Every name that a session called `base` can have by now: its own, partial ones, archives."""
    names = [base, f"{base}.partial"]
    for pattern, first in ((f"{base}.partial-{{}}", 2), (f"{base}.{{}}", 1)):
        # One more than there are: the last may just have gone.
        for k in count(first):
            names.append(pattern.format(k))
            if not os.path.lexists(root / names[-1]):
                break
    return names


def sites_of(directory: Path) -> frozenset[str]:
    """The hosts of a session's sources as their files are named: dots are hyphens."""
    try:
        names = names_in(directory / layout.SOURCES)
    except OSError:
        return frozenset()
    return frozenset(
        name.partition("-")[2].removesuffix(".md")
        for name in names
        if layout.file_number(name) is not None
    )


def fingerprint_of(directory: Path) -> str:
    """Changes with every entry that comes or goes, as far as the clock of the disk can tell."""
    found = directory.stat()
    return f"{found.st_ino}:{found.st_mtime_ns}:{found.st_nlink}"


def rank_of(name: str) -> int:
    """Order among runs of the same second: a partial one began when the other was there."""
    return 0 if layout.is_archive(name) else 2 if layout.is_partial(name) else 1


def database(cache_dir: Path) -> Path:
    """Where the database of a cache directory is, whatever way leads to that directory."""
    # Two checksums tell directories apart as well as a digest, whose import costs five times the
    # rest of this.
    name = os.fsencode(cache_dir.resolve())
    digest = f"{zlib.crc32(name):08x}{zlib.crc32(name[::-1]):08x}"
    return user_dir("cache") / "sessions" / f"{digest}.v{VERSION}.sqlite"
