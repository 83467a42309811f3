"""HTTP/1.1 by hand: a server that records every exchange and can break any byte of an answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs, urlsplit

HEAD_LIMIT = 64 * 1024
BODY_LIMIT = 32 * 1024 * 1024


class Gone(Exception):
    """The client closed its side while the server was still busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it came; header names are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    host: str = ""

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return {k: v[0] for k, v in parse_qs(urlsplit(self.target).query).items()}

    @property
    def form(self) -> dict[str, str]:
        text = self.body.decode("utf-8", "replace")
        return {k: v[0] for k, v in parse_qs(text, keep_blank_values=True).items()}

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True, kw_only=True)
class Exchange:
    """A request and when it was served, in `time.monotonic()` seconds; open while unfinished."""

    request: Request
    started: float
    finished: float | None = None
    status: int | None = None

    @property
    def path(self) -> str:
        return self.request.path


@dataclass(slots=True)
class Log:
    """Everything a server was asked, and the most it was asked at once."""

    exchanges: list[Exchange] = field(default_factory=list)
    open: int = 0
    peak: int = 0

    def begin(self, request: Request) -> Exchange:
        exchange = Exchange(request=request, started=time.monotonic())
        self.exchanges.append(exchange)
        self.open += 1
        self.peak = max(self.peak, self.open)
        return exchange

    def end(self, exchange: Exchange) -> None:
        exchange.finished = time.monotonic()
        self.open -= 1

    def clear(self) -> None:
        self.exchanges.clear()
        self.peak = self.open

    def paths(self) -> list[str]:
        return [exchange.path for exchange in self.exchanges]

    def of(self, path: str) -> list[Exchange]:
        return [exchange for exchange in self.exchanges if exchange.path == path]


class Wire:
    """The answering side of one connection; every write can be the last one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.keep = True
        self.status: int | None = None

    async def pause(self, seconds: float) -> None:
        """Wait, but raise Gone as soon as the client hangs up."""
        if seconds <= 0:
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._reader.read(1), seconds)
            raise Gone

    async def hang(self) -> None:
        """Say nothing more until the client hangs up."""
        await self._reader.read(1)
        raise Gone

    async def head(self, status: int, headers: Mapping[str, str]) -> None:
        """Status line and headers exactly as given; the connection ends after this answer."""
        self.status = status
        self.keep = False
        reason = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Odd"
        lines = [f"HTTP/1.1 {status} {reason}", *(f"{k}: {v}" for k, v in headers.items())]
        await self.send("\r\n".join([*lines, "", ""]).encode("latin-1"))

    async def send(self, data: bytes) -> None:
        if self._reader.at_eof():
            raise Gone
        self._writer.write(data)
        await self._writer.drain()

    async def chunk(self, data: bytes) -> None:
        """One chunk of a chunked body; an empty one ends it."""
        await self.send(b"%x\r\n%b\r\n" % (len(data), data))

    async def reply(
        self,
        status: int,
        body: bytes,
        content_type: str = "text/html; charset=utf-8",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """A whole well-formed answer; the connection stays open for the next request."""
        sent = {"Content-Type": content_type, "Content-Length": str(len(body)), **(headers or {})}
        await self.head(status, sent)
        self.keep = True
        await self.send(body)

    async def reply_json(
        self, status: int, value: object, headers: Mapping[str, str] | None = None
    ) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        await self.reply(status, body, "application/json", headers)

    def reset(self) -> None:
        """Break the connection with RST instead of closing it."""
        self.keep = False
        sock = self._writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()


Handler = Callable[[Request, Wire], Awaitable[None]]


class Server:
    """Serves one handler on as many ports of 127.0.0.1 as wanted."""

    def __init__(self, handle: Handler) -> None:
        self._handle = handle
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.log = Log()
        self.ports: list[int] = []

    async def start(self, ports: int = 1) -> None:
        for _ in range(ports):
            server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=HEAD_LIMIT)
            self._servers.append(server)
            self.ports.append(server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        for server in self._servers:
            server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def url(self, path: str = "", port: int = 0) -> str:
        return f"http://127.0.0.1:{self.ports[port % len(self.ports)]}{path}"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while await self._exchange(reader, writer):
                pass
        except (Gone, ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # clients leave at any point: that is what many tests are about
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        request = await _read(reader)
        wire = Wire(reader, writer)
        exchange = self.log.begin(request)
        try:
            await self._handle(request, wire)
        finally:
            exchange.status = wire.status
            self.log.end(exchange)
        return wire.keep and request.headers.get("connection", "").lower() != "close"


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, target, _version = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await _read_body(reader, headers)
    return Request(
        method=method, target=target, headers=headers, body=body, host=headers.get("host", "")
    )


async def _read_body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = bytearray()
        while size := int(await reader.readuntil(b"\r\n"), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readexactly(2)
        return bytes(body)
    length = int(headers.get("content-length") or 0)
    assert length <= BODY_LIMIT, "a test should not send this much"
    return await reader.readexactly(length)
