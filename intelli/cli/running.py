"""Runs asynchronous work for a command: event loop, signals, heartbeat, open toolbox."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Awaitable, Callable
from typing import TypeVar

from intelli.cli.streams import Listener, Streams
from intelli.errors import Interrupted, first_of
from intelli.settings import Settings
from intelli.toolbox import Job, Toolbox, open_toolbox

T = TypeVar("T")


def with_toolbox(
    settings: Settings, job: Job, streams: Streams, work: Callable[[Toolbox], Awaitable[T]]
) -> T:
    """The result of `work`. SIGINT, SIGTERM and SIGHUP cancel it, so that it can end in order; a
    second one is not heard while it does, a third ends the process."""

    async def body(listener: Listener) -> T:
        _hear_signals()
        beating = asyncio.create_task(_beat(listener))
        try:
            async with open_toolbox(settings, job, listener) as tools:
                return await work(tools)
        except BaseExceptionGroup as errors:
            raise first_of(errors) from None
        finally:
            beating.cancel()

    gc.enable()
    with streams.progress() as listener:
        return asyncio.run(body(listener))


def _hear_signals() -> None:
    task = asyncio.current_task()
    assert task is not None
    heard: list[int] = []

    def stop(number: int) -> None:
        heard.append(number)
        if len(heard) == 1:
            task.cancel()
        elif len(heard) > 2:
            os._exit(Interrupted.exit_code)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop, number)


async def _beat(listener: Listener) -> None:
    while True:
        await asyncio.sleep(1)
        listener.beat()
