"""A cache beside the work: one thread reads and writes it, and nothing waits long for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, Self, TypeVar

from intelli.store.cache import Cache

T = TypeVar("T")
PATIENCE = 0.25
"""Seconds that a look may take, the opening of the cache included; later is not there."""
CLOSING = 3.0
"""Seconds that values not yet written get at the end."""


class CacheBeside:
    """What is looked up is there at once or counts as missing; what is kept is written later.

    The thread dies with the process: a database that another process holds locked keeps it for
    minutes, and nobody's exit waits for that."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._jobs: SimpleQueue[Callable[[], None] | None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._jobs is None:
            return
        closing = asyncio.wrap_future(self._submit(self._cache.close))
        self._jobs.put(None)
        self._jobs = None
        await asyncio.wait({closing}, timeout=CLOSING)

    def warm(self) -> None:
        """Open the cache ahead of its first use; returns at once, from any thread."""
        self._submit(self._cache.open)

    async def look(self, key: str, read: Callable[[Any], T | None]) -> T | None:
        """What `read` makes of the value, in the thread; None when there is none in time."""
        look = asyncio.wrap_future(self._submit(lambda: read(self._cache.get(key))))
        done, _ = await asyncio.wait({look}, timeout=PATIENCE)
        return look.result() if done else None

    def keep(self, key: str, pack: Callable[[], object], expire_s: float | None) -> None:
        """Keep the value that `pack` returns, which is called in the thread."""
        self._submit(lambda: self._cache.set(key, pack(), expire_s))

    async def written(self) -> None:
        """Wait until all that was to be kept by now is on disk."""
        await asyncio.wrap_future(self._submit(int))

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        if self._jobs is None:
            self._jobs = SimpleQueue()
            Thread(target=_work_off, args=(self._jobs,), name="cache", daemon=True).start()
        result: Future[T] = Future()
        self._jobs.put(lambda: _deliver(work, result))
        return result


def _work_off(jobs: SimpleQueue[Callable[[], None] | None]) -> None:
    while (job := jobs.get()) is not None:
        job()


def _deliver(work: Callable[[], T], result: Future[T]) -> None:
    if not result.set_running_or_notify_cancel():
        return
    try:
        result.set_result(work())
    except Exception as error:  # noqa: BLE001 - whoever asked gets what a cache or reader raised
        result.set_exception(error)
