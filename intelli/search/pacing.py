"""Leaving a service alone as long as it wants, in this process and in all others of the user."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import math
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from intelli.search.refusals import RefusedError
from intelli.settings import user_dir
from intelli.store.disk import write_json

if TYPE_CHECKING:
    from filelock import BaseFileLock

PATIENCE = 5.0
"""Seconds: a pause that ends sooner is waited out, a longer one fails at once."""
POLL = 0.1
FIRST_LOCK_OUT, LONGEST_LOCK_OUT = 300.0, 3600.0
"""Seconds. A bot check locks us out this long, twice as long each further time."""
LONGEST_PAUSE = 86400.0
"""Seconds; quotas are counted by the day at most."""
_ABANDONED = 120.0
"""Seconds after which a lock is not the sign of a request any more: none takes that long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused:
    """A service that is left alone; `until` is in seconds since the epoch."""

    name: str
    until: float
    challenged: bool


@dataclass(frozen=True, slots=True)
class _State:
    """`last`, `since` and `until` are seconds since the epoch, as several processes share them:
    when the service was last asked, and from when to when it is paused."""

    last: float = 0.0
    since: float = 0.0
    until: float = 0.0
    strikes: int = 0

    def left(self) -> float:
        """Seconds of the pause that are left, all of it after the clock was set back."""
        now = max(time.time(), self.since)
        return min(max(0.0, self.until - now), LONGEST_PAUSE)

    def paused(self, seconds: float) -> _State:
        """Paused for `seconds` from now, or longer where it is already."""
        now = time.time()
        seconds = max(min(seconds, LONGEST_PAUSE), self.left())
        return replace(self, since=now, until=now + seconds)


class Pacer:
    """Turns at one service: where there is an `interval`, one at a time and that many seconds
    apart; none while the service is paused.

    The state is a small file of the user's, named after the service and a digest of `identity`:
    its address and whose key it is asked with. Where none can be written, what is known is known
    to this object only.
    """

    def __init__(self, name: str, identity: str, *, interval: float = 0.0) -> None:
        self._interval = interval
        digest = hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        self._file = _folder() / f"{name}-{digest}.json"
        self._unsaved = _State()
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waits for its turn and holds it. Raises RefusedError `paused` at once when the pause
        lasts longer than PATIENCE; `retry_after` is what is left of it."""
        await self._pause_over()
        if not self._interval:
            yield
            return
        async with self._turn, self._shared_turn():
            await asyncio.sleep(self._wait())
            await self._pause_over()
            self._note_use()
            try:
                yield
            finally:
                self._note_use()

    def pause(self, seconds: float) -> None:
        """Leave the service alone for `seconds`, at most a day."""
        self._change(lambda state: state.paused(seconds))

    def challenged(self) -> float:
        """A bot check: locks us out and returns for how many seconds."""

        def struck(state: _State) -> _State:
            old = state.strikes if time.time() < state.until + LONGEST_LOCK_OUT else 0
            seconds = min(FIRST_LOCK_OUT * 2.0**old, LONGEST_LOCK_OUT)
            return replace(state.paused(seconds), strikes=min(old + 1, 10))

        return self._change(struck).left()

    def answered(self) -> None:
        """The service works: the next bot check starts from the shortest lock-out again."""
        if self._state().strikes:
            self._change(lambda state: replace(state, strikes=0))

    async def _pause_over(self) -> None:
        state = self._state()
        left = state.left()
        if left and state.since > time.time() + 1:  # the clock was set back
            self._change(lambda state: replace(state, since=0.0, until=0.0).paused(left))
        if left > PATIENCE:
            error = RefusedError(
                f"left alone for another {span(left)}, as it refused to answer or asked for it",
                code="paused",
                retry_after=left,
            )
            error.hint = "wait, or name another backend with --backend"
            raise error
        await asyncio.sleep(left)

    def _wait(self) -> float:
        # A clock that was set back must not make anybody wait longer than one interval.
        return min(self._interval, max(0.0, self._state().last + self._interval - time.time()))

    def _note_use(self) -> None:
        self._change(lambda state: replace(state, last=time.time()))

    def _state(self) -> _State:
        """What all processes know, and what could not be told to them."""
        shared, own = _read(self._file), self._unsaved
        return shared if own.until <= shared.until and own.last <= shared.last else own

    def _change(self, change: Callable[[_State], _State]) -> _State:
        with contextlib.ExitStack() as stack:
            lock = _lock_at(self._file.with_suffix(".change"))
            if lock and _is_acquired(lock, patience=0.2):
                stack.callback(lock.release)
            state = change(self._state())
            try:
                write_json(self._file, asdict(state), lasting=False)
            except OSError:
                self._unsaved = state
        return state

    @asynccontextmanager
    async def _shared_turn(self) -> AsyncIterator[None]:
        """The turn of all processes. The system frees the lock of one that died; where it cannot,
        a lock counts no longer than a request may take."""
        lock = _lock_at(self._file.with_suffix(".lock"))
        while lock and not _is_acquired(lock):
            if _is_abandoned(Path(lock.lock_file)):
                lock = None
                break
            await asyncio.sleep(POLL)
            await self._pause_over()
        try:
            yield
        finally:
            if lock:
                lock.release()


def paused() -> list[Paused]:
    """Every service that is left alone now, by any process of the user's."""
    found = []
    for file in _state_files():
        state = _read(file)
        if state.left() > 0:
            until = time.time() + state.left()
            name = file.stem.rpartition("-")[0]
            found.append(Paused(name=name, until=until, challenged=state.strikes > 0))
    return found


def span(seconds: float) -> str:
    """Seconds in words: `40 s`, `5 min`, `7 h`."""
    if seconds < 90:
        return f"{math.ceil(seconds)} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"


def _folder() -> Path:
    return user_dir("state") / "pacing"


def _state_files() -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from sorted(_folder().glob("*-*.json"))


def _read(file: Path) -> _State:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        last, since, until = (float(data[name]) for name in ("last", "since", "until"))
        if not all(map(math.isfinite, (last, since, until))):
            return _State()
        return _State(last, since, until, min(max(0, int(data["strikes"])), 10))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return _State()


def _lock_at(path: Path) -> BaseFileLock | None:
    """None where no file can be written: turns are then taken within this process alone."""
    from filelock import FileLock

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with path.open("ab"):
            return FileLock(path)
    except OSError:
        return None


def _is_acquired(lock: BaseFileLock, patience: float = 0.0) -> bool:
    """True as well where the file system knows no locks at all."""
    from filelock import Timeout

    try:
        lock.acquire(timeout=patience, poll_interval=0.01)
        os.utime(lock.lock_file)
    except Timeout:
        return False
    except OSError:
        return True
    return True


def _is_abandoned(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > _ABANDONED
    except OSError:
        return False
