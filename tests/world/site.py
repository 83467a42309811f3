"""A web site whose pages behave as told: each path has one answer, or a list of them in turn."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence

from tests.world.http import Request, Server, Wire
from tests.world.pages import MARKDOWN, Page, missing

BOMB_BYTES = 300_000_000


class Site:
    """Serves pages by path on several ports (so that they count as several hosts)."""

    def __init__(self) -> None:
        self.server = Server(self._handle)
        self.fallback = missing()
        """What an unknown path gets."""
        self._pages: dict[str, list[Page]] = {}

    def add(self, path: str, *pages: Page, port: int | None = None) -> str:
        """Serve `pages` one after the other at `path` (the last one from then on); its URL."""
        self._pages[path] = list(pages)
        return self.url(path, port)

    def url(self, path: str, port: int | None = None) -> str:
        """An address of `path`; without `port` the path itself picks one, always the same."""
        return self.server.url(path, zlib.crc32(path.encode()) if port is None else port)

    def clear(self) -> None:
        self._pages.clear()
        self.fallback = missing()
        self.server.log.clear()

    def body(self, path: str) -> bytes:
        return self._pages[path][-1].body

    async def _handle(self, request: Request, wire: Wire) -> None:
        page = self._next(request.path)
        await wire.pause(page.delay)
        if page.twin is not None and "text/markdown" in request.headers.get("accept", ""):
            headers = {"Vary": "Accept"}
            await wire.reply(200, page.twin.encode(), MARKDOWN, headers)
            return
        await _FAULTS[page.fault](page, wire)

    def _next(self, path: str) -> Page:
        pages: Sequence[Page] = self._pages.get(path) or [self.fallback]
        return self._pages[path].pop(0) if len(pages) > 1 else pages[0]


def _headers(page: Page, **more: str) -> dict[str, str]:
    return {"Content-Type": page.content_type, **page.headers, **more}


async def _whole(page: Page, wire: Wire) -> None:
    body, headers = page.body, dict(page.headers)
    if page.gzip:
        body = gzip.compress(body)
        headers["Content-Encoding"] = "gzip"
    await wire.reply(page.status, body, page.content_type, headers)


async def _no_length(page: Page, wire: Wire) -> None:
    await wire.head(page.status, _headers(page, Connection="close"))
    await wire.send(page.body)


async def _hang(page: Page, wire: Wire) -> None:
    del page
    await wire.hang()


async def _stall(page: Page, wire: Wire) -> None:
    length = str(len(page.body))
    await wire.head(page.status, _headers(page, **{"Content-Length": length}))
    await wire.send(page.body[: len(page.body) // 2])
    await wire.hang()


async def _drip(page: Page, wire: Wire) -> None:
    length = str(len(page.body))
    await wire.head(page.status, _headers(page, **{"Content-Length": length}))
    for start in range(0, len(page.body), 16):
        await wire.send(page.body[start : start + 16])
        await wire.pause(page.step)


async def _endless(page: Page, wire: Wire) -> None:
    await wire.head(page.status, _headers(page, **{"Transfer-Encoding": "chunked"}))
    await wire.chunk(page.body)
    while True:
        await wire.chunk(b"<p>and so on and so forth</p>\n" * 500)


async def _bomb(page: Page, wire: Wire) -> None:
    """A little gzip that decodes to BOMB_BYTES of the same letter."""
    await wire.head(page.status, _headers(page, **{"Content-Encoding": "gzip"}))
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    await wire.send(packer.compress(page.body))
    block = b"a" * 1_000_000
    for _ in range(BOMB_BYTES // len(block)):
        await wire.send(packer.compress(block))
    await wire.send(packer.flush())


async def _short(page: Page, wire: Wire) -> None:
    length = str(len(page.body) + 1000)
    await wire.head(page.status, _headers(page, **{"Content-Length": length}))
    await wire.send(page.body)


async def _reset(page: Page, wire: Wire) -> None:
    del page
    wire.reset()


async def _reset_midway(page: Page, wire: Wire) -> None:
    length = str(len(page.body))
    await wire.head(page.status, _headers(page, **{"Content-Length": length}))
    await wire.send(page.body[: len(page.body) // 2])
    await wire.pause(0.05)
    wire.reset()


_FAULTS = {
    "": _whole,
    "no-length": _no_length,
    "hang": _hang,
    "stall": _stall,
    "drip": _drip,
    "endless": _endless,
    "bomb": _bomb,
    "short": _short,
    "reset": _reset,
    "reset-midway": _reset_midway,
}
