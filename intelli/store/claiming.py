"""Which directory a run works in and where it ends up; all of it under the cache lock.

A run works in the canonical directory when that is free, else in `<name>.partial`. A finished one
takes the canonical name, and what stood there becomes `<name>.1`, `.2`, …
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from intelli.store import layout, meta
from intelli.store.disk import TEMPORARY, TRASH, RunLock, is_live, sweep, sync_directory
from intelli.store.folder import FOLDERS
from intelli.store.summary import Summary, is_finished, summarise


def candidates(cache_dir: Path, name: str) -> Iterator[Path]:
    """The directories a run may work in, in the order they are tried."""
    yield cache_dir / name
    yield cache_dir / f"{name}.partial"
    for k in count(2):
        yield cache_dir / f"{name}.partial-{k}"


def expected(cache_dir: Path, name: str) -> Path:
    """The directory that `claim` would take by now, as far as the disk lets one look."""
    paths = candidates(cache_dir, name)
    with suppress(OSError):
        return next(p for p in paths if not os.path.lexists(p) or _is_worthless(p, cache_dir))
    return cache_dir / name


def claim(cache_dir: Path, name: str) -> tuple[Path, RunLock]:
    """Create a directory for a new run and lock it. Raises OSError."""
    for path in candidates(cache_dir, name):
        if os.path.lexists(path):
            if not _is_worthless(path, cache_dir):
                continue
            shutil.rmtree(path)
        path.mkdir()
        try:
            lock = RunLock.acquire(path)
        except OSError:
            shutil.rmtree(path, ignore_errors=True)
            raise
        assert lock is not None, "nobody else can see the directory while the cache is locked"
        return path, lock
    raise AssertionError("the candidates never end")


def take_over(directory: Path) -> RunLock | None:
    """Lock the directory of a stopped run and clean up after it; None when it is finished, held
    by a live run, or not a directory of its own."""
    if linked(directory) or is_finished(directory):
        return None
    lock = RunLock.acquire(directory)
    if lock is not None:
        for part in _parts(directory):
            sweep(part)
    return lock


def linked(directory: Path) -> Path | None:
    """The part of a session that is a link, None when all are its own."""
    return next((part for part in _parts(directory) if part.is_symlink()), None)


def _parts(directory: Path) -> tuple[Path, ...]:
    return (directory, *(directory / folder for folder in FOLDERS))


def promote(cache_dir: Path, working: Path) -> Path:
    """Give a finished directory its lasting name. Returns where it is by then. Raises OSError."""
    target = cache_dir / layout.base_name(working.name)
    if working == target:
        return target
    if os.path.lexists(target):
        if is_live(target):
            target = _free_archive(target)
        else:
            _keep_llms_full(target, working)
            for part in _parts(target):
                sweep(part)
            target.rename(_free_archive(target))
    working.rename(target)
    sync_directory(cache_dir)
    return target


def recover(cache_dir: Path) -> list[Summary]:
    """Finish promotions that a crash cut short and drop half-written files of the dead."""
    sweep(cache_dir)
    for path in cache_dir.glob(TRASH + "*"):
        shutil.rmtree(path, ignore_errors=True)
    stranded = [
        path
        for path in sorted(cache_dir.glob("*.partial*"))
        if layout.is_partial(path.name) and is_finished(path) and not is_live(path)
    ]
    return [summarise(promote(cache_dir, path), cache_dir) for path in stranded]


def discard(directory: Path) -> Path:
    """Take a directory out of sight in one step. Returns where it waits to be removed."""
    trash = directory.with_name(f"{TRASH}{os.urandom(6).hex()}")
    directory.rename(trash)
    return trash


def _free_archive(target: Path) -> Path:
    names = (target.with_name(f"{target.name}.{k}") for k in count(1))
    return next(path for path in names if not os.path.lexists(path))


def _keep_llms_full(old: Path, new: Path) -> None:
    """They belong to the host, not to the run: the current directory keeps them."""
    for path in sorted((old / layout.SOURCES).glob("llms-full-*.md")):
        kept = new / layout.SOURCES / path.name
        if not kept.exists():
            kept.parent.mkdir(exist_ok=True)
            path.rename(kept)


def _is_worthless(directory: Path, root: Path) -> bool:
    """Left by a dead run that kept nothing another run could use."""
    if directory.is_symlink() or not directory.is_dir() or is_finished(directory):
        return False
    if is_live(directory) or any(_has_content(directory / folder) for folder in FOLDERS):
        return False
    names = {path.name for path in directory.iterdir() if not path.name.startswith(".")}
    if not names <= {layout.META, layout.QUERY, layout.EVIDENCE, *FOLDERS}:
        return False
    known = meta.read(directory, root)
    return known.outcome not in meta.RESUMABLE or not known.answer.links


def _has_content(folder: Path) -> bool:
    if folder.is_symlink():
        return True
    return folder.is_dir() and any(not path.name.startswith(TEMPORARY) for path in folder.iterdir())
