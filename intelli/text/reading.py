"""Reads pages without blocking the event loop: text here, everything else in a child process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from types import TracebackType

from intelli.errors import FetchError
from intelli.text import frames
from intelli.text.document import Document
from intelli.text.kinds import sniff

INLINE = {
    **dict.fromkeys(("text", "markdown"), 10_000_000),
    **dict.fromkeys(("code", "json", "csv"), 1_000_000),
    **dict.fromkeys(("rst", "asciidoc", "man", "latex", "notebook"), 200_000),
}
"""Kinds that are cheap to read, with the bytes up to which the event loop can spare the time."""

START = 30.0
"""Seconds a fresh child may need for its imports on top of the first parse."""


class Reader:
    """Parses one page at a time in one child process, which is started when first needed.

    `limit` is in seconds for one parse. Use it as an async context manager, or call `aclose`.
    """

    def __init__(self, *, limit: float = 20.0) -> None:
        self._limit = limit
        self._child: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Reader:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def warm(self) -> None:
        """Start the child now, so that its imports run beside other work."""
        async with self._turn:
            with contextlib.suppress(OSError):
                await self._ready()

    async def read(self, body: bytes, content_type: str, url: str) -> Document:
        """What the bytes say; `FetchError` with code `unreadable` if no parser survives them."""
        if len(body) <= INLINE.get(sniff(body, content_type, url), 0):
            from intelli.text import readers

            return readers.read(body, content_type, url)
        job = frames.Job(body=body, content_type=content_type, url=url, limit=self._limit)
        async with self._turn:
            return await self._ask(job)

    async def aclose(self) -> None:
        """End the child at once, whatever it is doing."""
        child, self._child = self._child, None
        if child is not None:
            await _end(child)

    async def _ask(self, job: frames.Job) -> Document:
        try:
            async with asyncio.timeout(job.limit + START):
                child = await self._ready()
                return await _exchange(child, job)
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            await self.aclose()
            raise FetchError(
                f"no reader could parse {job.url} within {job.limit:g} s", code="unreadable"
            ) from error
        except asyncio.CancelledError:
            # The answer of a job nobody waits for must not be taken for that of the next one.
            await self.aclose()
            raise

    async def _ready(self) -> asyncio.subprocess.Process:
        if self._child is None or self._child.returncode is not None:
            self._child = await _start()
        return self._child


async def _start() -> asyncio.subprocess.Process:
    # The parser needs no key and no proxy: it gets an environment of its own.
    root = Path(__file__).resolve().parents[2]
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "intelli.text.worker"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={"PYTHONPATH": str(root), "PYTHONUTF8": "1"},
        start_new_session=True,
    )


async def _exchange(child: asyncio.subprocess.Process, job: frames.Job) -> Document:
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(frames.pack_job(job))
    await child.stdin.drain()
    head = await child.stdout.readexactly(frames.SIZE.size)
    payload = await child.stdout.readexactly(*frames.SIZE.unpack(head))
    return frames.unpack_document(payload)


async def _end(child: asyncio.subprocess.Process) -> None:
    # `child.kill()` would poll first and so take the exit status away from the loop's watcher.
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
    if child.stdin is not None:
        child.stdin.close()
    # Cancelled or not, the child is waited for: it was killed, so this takes no time.
    await asyncio.shield(asyncio.ensure_future(child.wait()))
