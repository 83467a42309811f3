"""What the search services for one kind of thing have in common: modes, and how they refuse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar, Literal

from tests.world.http import Request, Server, Wire
from tests.world.search import Hit
from tests.world.turns import Turns

Mode = Literal[
    "ok", "empty", "hang", "limited", "limited-day", "garbage", "500", "challenge", "truncated"
]  # fmt: skip
CHECKPOINT = b"<!DOCTYPE html><title>Security Checkpoint</title><p>Verifying your browser.</p>"
DAY = 30000


class Vertical:
    """One service; `hits` are found by every question. Subclasses say how it words things."""

    name: ClassVar[str]
    path: ClassVar[str] = ""
    media_type: ClassVar[str] = "application/json"

    def __init__(self) -> None:
        self.server = Server(self._handle)
        self.hits: list[Hit] = []
        self.modes: Turns[Mode] = Turns("ok")

    @property
    def url(self) -> str:
        """What `backends.NAME.url` is set to."""
        return self.server.url(self.path)

    def clear(self) -> None:
        self.hits.clear()
        self.modes.set("ok")
        self.server.log.clear()

    def answer(self, request: Request, hits: list[Hit]) -> bytes:
        """A good answer."""
        raise NotImplementedError

    def limit(self, seconds: int) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body of a refusal that lasts `seconds`."""
        body = json.dumps({"message": "Too Many Requests"}).encode()
        return 429, {"Retry-After": str(seconds)}, body

    async def _handle(self, request: Request, wire: Wire) -> None:
        mode = self.modes.next()
        if mode == "hang":
            await wire.hang()
        elif mode in ("limited", "limited-day"):
            status, headers, body = self.limit(DAY if mode == "limited-day" else 1)
            await wire.reply(status, body, self.media_type, headers)
        elif mode == "500":
            await wire.reply(500, b"the server fell over", "text/plain")
        elif mode == "garbage":
            await wire.reply(200, b"<html>not what was asked for</html>")
        elif mode == "challenge":
            await wire.reply(429, CHECKPOINT, headers={"X-Vercel-Mitigated": "challenge"})
        else:
            body = self.answer(request, [] if mode == "empty" else self.hits)
            sent = body[: len(body) // 2] if mode == "truncated" else body
            await self.send(wire, sent)

    async def send(self, wire: Wire, body: bytes) -> None:
        await wire.reply(200, body, self.media_type)
