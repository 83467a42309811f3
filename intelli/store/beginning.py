"""How a run gets its session: a new one, or the one that a stopped run left."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from intelli.errors import StoreError, UsageError
from intelli.store import claiming, index, layout, meta
from intelli.store.catalog import Catalog, changing, consult
from intelli.store.disk import cache_lock, is_live, reporting
from intelli.store.meta import Meta, instant
from intelli.store.sources import load_sources
from intelli.store.summary import is_finished, outcome_of
from intelli.store.writing import Session, Taken, recover

if TYPE_CHECKING:
    from intelli.store import Store

RESUME_WITHIN = timedelta(days=7)
_AT_ONCE = 200
"""Sessions that go under one hold of the cache lock."""


def begin(store: Store, known: Meta, when: datetime, *, fresh: bool) -> Session:
    """A session for the question `known`, resumed where its last run stopped short lately."""
    with suppress(OSError, StoreError):  # a new run says what is wrong with the disk
        if not fresh and store.cache_dir.is_dir():
            stopped = stopped_short(store, known, when)
            taken = _take(store.cache_dir, stopped) if stopped else None
            if taken:
                return Session(store.cache_dir, taken.directory.name, known, taken)
    return Session(store.cache_dir, layout.session_name(known.query.text, when), known)


def resume(store: Store, directory: Path, known: Meta) -> Session:
    """The session of a run that stopped, whatever ended it."""
    if is_finished(directory):
        raise UsageError(
            f"{directory.name} is finished",
            code="already-finished",
            hint=f"intelli show {directory.name}",
        )
    if linked := claiming.linked(directory):
        raise UsageError(
            f"{linked} is a link, and nothing is written through links",
            code="linked-session",
            hint="put the directory itself in its place",
        )
    with reporting(directory):
        taken = _take(store.cache_dir, directory)
    if taken is None:
        raise UsageError(
            f"{directory.name} is being written by a run", code="session-running", retryable=True
        )
    return Session(store.cache_dir, directory.name, known, taken)


def stopped_short(store: Store, known: Meta, when: datetime) -> Path | None:
    """The last run of the question `known`, if it stopped short and is not too old to go on."""
    mend(store.cache_dir)
    runs = store.runs_of(known)
    if not runs:
        return None
    path, last = runs[-1]
    age = when.astimezone(UTC) - instant(last.timestamp)
    unfinished = not is_finished(path) and outcome_of(path, last) in meta.RESUMABLE
    return path if unfinished and timedelta(-1) <= age <= RESUME_WITHIN else None


def _take(cache_dir: Path, directory: Path) -> Taken | None:
    with cache_lock(cache_dir):
        lock = claiming.take_over(directory)
    if lock is None:
        return None
    known = meta.read(directory, cache_dir)
    sources = load_sources(directory, cache_dir, known)
    return Taken(directory=directory, lock=lock, known=known, sources=sources)


def mend(cache_dir: Path) -> None:
    """Put right what a crash left in the middle of a rename. Raises OSError, StoreError."""
    if not consult(cache_dir, Catalog.is_tidy):
        with cache_lock(cache_dir):
            recover(cache_dir)


def remove(cache_dir: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Remove sessions and their entries in the index; the names of those that were there and held
    by no run."""
    asked = list(names)
    removed: list[str] = []
    for start in range(0, len(asked), _AT_ONCE):
        with reporting(cache_dir, "remove from"):
            gone = _remove(cache_dir, asked[start : start + _AT_ONCE])
            removed += gone
            for trash in gone.values():
                _empty(trash)
    return tuple(removed)


def _empty(trash: Path) -> None:
    try:
        shutil.rmtree(trash)
    except FileNotFoundError:  # a run that begins sweeps such directories as well
        shutil.rmtree(trash, ignore_errors=True)


def _remove(cache_dir: Path, names: list[str]) -> dict[str, Path]:
    """Take sessions out of sight; where the directory of each waits to be removed."""
    gone = {}
    with changing(cache_dir, *names) as untidy:
        if untidy:
            recover(cache_dir)
        for name in names:
            with suppress(FileNotFoundError):  # somebody else was faster
                if not is_live(cache_dir / name):
                    gone[name] = claiming.discard(cache_dir / name)
        index.update_locked(cache_dir)
    return gone
