"""A proxy that speaks CONNECT: notes what it is asked for and leads everything to one port here."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Proxy:
    """Where it listens, the targets it was asked for and the passwords it was shown."""

    port: int = 0
    asked: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


@asynccontextmanager
async def serve_proxy(
    target: int, answer: bytes = b"HTTP/1.1 200 Connected\r\n\r\n"
) -> AsyncIterator[Proxy]:
    """Gives `answer` to every CONNECT, and after a 200 the port `target` of this machine."""
    proxy = Proxy()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.split("\r\n")
            proxy.asked.append(first.removesuffix(" HTTP/1.1"))
            fields = (line.partition(": ") for line in lines)
            proxy.shown += [v for name, _, v in fields if name.lower() == "proxy-authorization"]
            writer.write(answer)
            if b" 200 Connected" in answer:
                await _join(reader, writer, target)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # clients leave at any point
        finally:
            writer.transport.abort()

    async with await asyncio.start_server(connected, "127.0.0.1", 0) as server:
        proxy.port = server.sockets[0].getsockname()[1]
        yield proxy


async def _join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, target: int) -> None:
    """Until one side ends."""
    other, back = await asyncio.open_connection("127.0.0.1", target)
    ways = [asyncio.create_task(_pump(*pair)) for pair in ((reader, back), (other, writer))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.wait(ways)
        back.transport.abort()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(65_536):
            sink.write(data)
            await sink.drain()
