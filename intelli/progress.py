"""Work that may take minutes says how far it is to whoever listens, and ends when nobody waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic
from typing import ParamSpec, TypeVar

Tell = Callable[[int, int], None]
"""Hears how much is done, and of how much."""
P = ParamSpec("P")
T = TypeVar("T")
SOON, AGAIN = 1.0, 5.0
"""Seconds until the first word and between any two."""
_LISTENER: ContextVar[Tell | None] = ContextVar("listener", default=None)


def hear(tell: Tell) -> None:
    """From now on `tell` hears what is said in this context, and not too often."""
    _LISTENER.set(_paced(tell))


def told(done: int, of: int) -> None:
    """Say how far the work is. Raises CancelledError where nobody waits for it any more."""
    tell = _LISTENER.get()
    if tell is not None:
        tell(done, of)


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """`work` in a thread; when the task is cancelled, it ends with the next word that it says."""
    import asyncio

    tell, ended = _LISTENER.get(), threading.Event()

    def watched(done: int, of: int) -> None:
        if ended.is_set():
            raise asyncio.CancelledError
        if tell is not None:
            tell(done, of)

    token = _LISTENER.set(watched)
    try:
        return await asyncio.to_thread(work, *args, **kwargs)
    finally:
        ended.set()
        _LISTENER.reset(token)


def _paced(tell: Tell) -> Tell:
    due = [0.0]

    def paced(done: int, of: int) -> None:
        now = monotonic()
        if done == 0 or not due[0]:
            due[0] = now + SOON
        if now >= due[0]:
            due[0] = now + AGAIN
            tell(done, of)

    return paced
