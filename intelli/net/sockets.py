"""TCP and TLS on asyncio's own streams, in the form that httpcore2's connection pool takes."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpcore2


class SocketStream(httpcore2.AsyncNetworkStream):
    """One connection. Cancelling what waits on it never leaves its socket behind."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with _mapped(httpcore2.ReadError, httpcore2.ReadTimeout):
            async with asyncio.timeout(timeout):
                return await self._reader.read(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with _mapped(httpcore2.WriteError, httpcore2.WriteTimeout):
            async with asyncio.timeout(timeout):
                self._writer.write(buffer)
                await self._writer.drain()

    async def aclose(self) -> None:
        # A polite end of TLS may take the peer half a minute; nothing sent is pending any more.
        self._writer.transport.abort()
        await asyncio.sleep(0)

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        with ExitStack() as undo:
            undo.callback(self._writer.transport.abort)
            with _mapped(httpcore2.ConnectError, httpcore2.ConnectTimeout):
                async with asyncio.timeout(timeout):
                    await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
            undo.pop_all()
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":  # an idle connection with something to read was ended
            return self._reader.at_eof() or self._writer.transport.is_closing()
        return self._writer.get_extra_info(info)


async def open_stream(
    address: str, port: int, patience: float | None
) -> httpcore2.AsyncNetworkStream:
    """A TCP connection to an address in numbers, given up after `patience` seconds."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with ExitStack() as undo:
        wire = undo.enter_context(socket.socket(family, socket.SOCK_STREAM))
        wire.setblocking(False)
        with _mapped(httpcore2.ConnectError, httpcore2.ConnectTimeout):
            async with asyncio.timeout(patience):
                await asyncio.get_running_loop().sock_connect(wire, (address, port))
                reader, writer = await asyncio.open_connection(sock=wire)
        undo.pop_all()
    return SocketStream(reader, writer)


@contextmanager
def _mapped(failure: type[Exception], late: type[Exception]) -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except OSError as error:  # ssl.SSLError is one
        raise failure(str(error)) from error
