"""Runs asynchronous work for a command: event loop, signals, heartbeat, open toolbox."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable
from typing import TypeVar

from intelli.cli.streams import Listener, Streams
from intelli.settings import Settings
from intelli.toolbox import Job, Toolbox, open_toolbox

T = TypeVar("T")


def with_toolbox(
    settings: Settings, job: Job, streams: Streams, work: Callable[[Toolbox], Awaitable[T]]
) -> T:
    """The result of `work`. SIGINT and SIGTERM cancel it, so that it can end in order."""

    async def body(listener: Listener) -> T:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        beating = asyncio.create_task(_beat(listener))
        try:
            async with open_toolbox(settings, job, listener) as tools:
                return await work(tools)
        finally:
            beating.cancel()

    gc.enable()
    with streams.progress() as listener:
        return asyncio.run(body(listener))


async def _beat(listener: Listener) -> None:
    while True:
        await asyncio.sleep(1)
        listener.beat()
