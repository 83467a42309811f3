"""How a run gets its session: a new one, or the one that a stopped run left."""

from __future__ import annotations

import shutil
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


def begin(store: Store, known: Meta, when: datetime, *, fresh: bool) -> Session:
    """A session for the question `known`, resumed where its last run stopped short lately."""
    if not fresh and store.cache_dir.is_dir():
        with suppress(OSError, StoreError):  # a new run says what is wrong with the disk
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
    with reporting(directory):
        taken = _take(store.cache_dir, directory)
    if taken is None:
        raise _running(directory.name)
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


def remove(store: Store, directory: Path) -> str:
    """Remove a session and its entry in the index; its name."""
    with reporting(directory, "remove"):
        with changing(store.cache_dir, directory.name):
            if is_live(directory):
                raise _running(directory.name)
            trash = claiming.discard(directory)
            index.remove_locked(store.cache_dir, directory.name)
        shutil.rmtree(trash)
    return directory.name


def _running(name: str) -> UsageError:
    return UsageError(f"{name} is being written by a run", code="session-running", retryable=True)
