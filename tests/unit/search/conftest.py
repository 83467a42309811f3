"""A small HTTP server on loopback and a state directory of the test's own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest


@dataclass
class Reply:
    """`pieces` are sent one by one; `hangs` keeps the connection open after the last."""

    pieces: list[bytes]
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False


@dataclass
class Request:
    headers: dict[str, str]
    body: bytes
    at: float


@dataclass
class Site:
    """Answers the nth request with the nth reply, the last one from then on."""

    replies: list[Reply]
    url: str = ""
    requests: list[Request] = field(default_factory=list)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await read_request(reader):
                self.requests.append(request)
                reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
                await send(reply, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    pairs = [line.split(":", 1) for line in head.split("\r\n")[1:] if ":" in line]
    headers = {name.lower(): value.strip() for name, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(headers, body, time.monotonic())


async def send(reply: Reply, writer: asyncio.StreamWriter) -> None:
    headers = {"Transfer-Encoding": "chunked", **reply.headers}
    lines = [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([f"HTTP/1.1 {reply.status} X", *lines, "", ""]).encode())
    for piece in reply.pieces:
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        await writer.drain()
    if reply.hangs:
        await asyncio.sleep(3600)
    writer.write(b"0\r\n\r\n")
    await writer.drain()


@asynccontextmanager
async def serving(*replies: Reply) -> AsyncIterator[Site]:
    site = Site(list(replies))
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        tasks.add(task)
        await site.answer(reader, writer)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    site.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/endpoint"
    try:
        yield site
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.wait([*tasks, asyncio.ensure_future(asyncio.sleep(0))])


@pytest.fixture
def serve() -> Callable[..., object]:
    """`async with serve(Reply, ...) as site`: a server that gives these replies."""
    return serving


@pytest.fixture
def reply() -> type[Reply]:
    return Reply


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The user's directories of this test."""
    for name in ("STATE", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    yield tmp_path


@pytest.fixture
def fixtures() -> Path:
    """Recorded pages beside the project; tests that want them are skipped without them."""
    folder = Path(__file__).parents[3].parent / "shared" / "reference" / "fixtures"
    if not folder.is_dir():
        pytest.skip("no recorded pages here")
    return folder
