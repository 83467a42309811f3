"""Runs asynchronous work for a command: event loop, signals, heartbeat, open toolbox."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from intelli.cli.streams import Listener, Streams
from intelli.errors import Interrupted, first_of
from intelli.job import Job
from intelli.mcp.guard import SERVER
from intelli.settings import Settings, variable
from intelli.toolbox import Toolbox, open_toolbox

T = TypeVar("T")
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def with_toolbox(
    settings: Settings, job: Job, streams: Streams, work: Callable[[Toolbox], Awaitable[T]]
) -> T:
    """The result of `work` with an open toolbox, as `in_loop` runs it."""

    async def body(listener: Listener) -> T:
        try:
            async with open_toolbox(settings, job, listener) as tools:
                return await work(tools)
        except BaseExceptionGroup as errors:
            raise first_of(errors) from None

    return in_loop(streams, body)


def in_loop(streams: Streams, work: Callable[[Listener], Awaitable[T]]) -> T:
    """The result of `work`. SIGINT, SIGTERM and SIGHUP cancel it, so that it can end in order; a
    second one is not heard while it does, a third ends the process."""

    async def body(listener: Listener) -> T:
        beating = asyncio.create_task(_beat(listener, asyncio.current_task()))
        try:
            with _hearing_signals():
                return await work(listener)
        finally:
            beating.cancel()

    gc.enable()
    with streams.progress() as listener:
        try:
            return asyncio.run(body(listener))
        except asyncio.CancelledError:
            raise Interrupted("interrupted", code="interrupted") from None


@contextmanager
def _hearing_signals() -> Iterator[None]:
    """The task is cancelled in the signal's own handler: while the loop waits for the disk, one of
    the loop would not be called."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    heard: list[int] = []

    def stop(number: int, _frame: object) -> None:
        heard.append(number)
        if len(heard) == 1:
            task.cancel()
            loop.call_soon_threadsafe(int)  # wakes a loop that waits for the network
        elif len(heard) > 2:
            os._exit(Interrupted.exit_code)

    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _beat(listener: Listener, work: asyncio.Task[Any] | None) -> None:
    """Once a second. When the server that began the work was killed, nobody wants its result."""
    server = variable(SERVER)
    while True:
        await asyncio.sleep(1)
        listener.beat()
        if work and server not in ("", str(os.getppid())):
            work.cancel()
            return
