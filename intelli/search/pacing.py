"""Taking turns at a service that refuses bursts, in this process and across all of the user's."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from intelli.errors import BackendError
from intelli.settings import user_dir

if TYPE_CHECKING:
    from filelock import BaseFileLock

POLL = 0.1
LONGEST_PAUSE = 3600.0
FIRST_PAUSE = 300.0
"""Seconds. A bot check pauses a service this long, twice as long each further time."""


@dataclass(slots=True)
class _State:
    """`last` and `until` are seconds since the epoch, as several processes share them."""

    last: float = 0.0
    until: float = 0.0
    strikes: int = 0


class Pacer:
    """Turns at one service: one at a time, `interval` seconds apart, none while it is paused.

    The state is a small file of the user's, named after the service and its address. Where none
    can be written, turns are taken within this object only.
    """

    def __init__(self, name: str, address: str, *, interval: float = 0.0) -> None:
        self._name = name
        self._interval = interval
        digest = hashlib.sha256(address.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        self._file = user_dir("state") / "pacing" / f"{name}-{digest}.json"
        self._own = _State()
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waits for its turn and holds it. Raises BackendError `paused` at once while paused."""
        self.check()
        async with self._turn, self._shared_turn():
            self.check()
            await asyncio.sleep(self._wait())
            self._note_use()
            try:
                yield
            finally:
                self._note_use()

    def check(self) -> None:
        """Raises BackendError `paused` while the service is to be left alone."""
        left = min(self._load().until - time.time(), LONGEST_PAUSE)
        if left > 0:
            raise BackendError(
                f"paused for another {_span(left)}, as it refused to answer",
                code="paused",
                hint="wait, or name another backend with --backend",
                retryable=True,
            )

    def pause(self, seconds: float) -> None:
        """Leave the service alone for `seconds`, at most an hour."""
        state = self._load()
        state.until = time.time() + min(max(0.0, seconds), LONGEST_PAUSE)
        self._save(state)

    def refused(self) -> float:
        """A bot check: pauses the service and returns for how many seconds."""
        state = self._load()
        now = time.time()
        if now > state.until + LONGEST_PAUSE:
            state.strikes = 0
        seconds: float = min(FIRST_PAUSE * 2**state.strikes, LONGEST_PAUSE)
        state.strikes = min(state.strikes + 1, 10)
        state.until = now + seconds
        self._save(state)
        return seconds

    def answered(self) -> None:
        """The service works: the next bot check starts from the shortest pause again."""
        state = self._load()
        if state.strikes:
            state.strikes = 0
            self._save(state)

    def _wait(self) -> float:
        # A clock that was set back must not make anybody wait longer than one interval.
        return min(self._interval, max(0.0, self._load().last + self._interval - time.time()))

    def _note_use(self) -> None:
        state = self._load()
        state.last = time.time()
        self._save(state)

    def _load(self) -> _State:
        try:
            data = json.loads(self._file.read_text(encoding="utf-8"))
            return _State(float(data["last"]), float(data["until"]), int(data["strikes"]))
        except (OSError, ValueError, KeyError, TypeError):
            return self._own

    def _save(self, state: _State) -> None:
        self._own = state
        partial = self._file.with_suffix(f".{os.getpid()}.tmp")
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial.write_text(json.dumps(asdict(state)), encoding="utf-8")
            partial.replace(self._file)

    @asynccontextmanager
    async def _shared_turn(self) -> AsyncIterator[None]:
        lock = _lock_at(self._file.with_suffix(".lock"))
        while lock and not _is_acquired(lock):
            await asyncio.sleep(POLL)
            self.check()
        try:
            yield
        finally:
            if lock:
                lock.release()


def _lock_at(path: Path) -> BaseFileLock | None:
    """None where no file can be written: turns are then taken within this process alone."""
    from filelock import FileLock

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch()
    except OSError:
        return None
    return FileLock(path)


def _is_acquired(lock: BaseFileLock) -> bool:
    from filelock import Timeout

    try:
        lock.acquire(blocking=False)
    except Timeout:
        return False
    return True


def _span(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
