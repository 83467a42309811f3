"""Where people talk, as their APIs have it, and small services: a reader, a list of browsers."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

from tests.world.http import Request, Server, Wire


class StackExchange:
    """Questions, answers and comments below `/2.3`; always gzip, with a quota in the wrapper."""

    def __init__(self) -> None:
        self.server = Server(self._handle)
        self.clear()

    def clear(self) -> None:
        self.questions: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        self.comments: list[dict[str, Any]] = []
        self.is_throttled = False
        self.server.log.clear()

    async def _handle(self, request: Request, wire: Wire) -> None:
        if self.is_throttled:
            message = "too many requests from this IP, more requests available in 60 seconds"
            error = {"error_id": 502, "error_name": "throttle_violation", "error_message": message}
            await _packed(wire, 400, error)
            return
        items = self._items(request.path)
        await _packed(
            wire, 200, {"items": items, "has_more": False, "quota_max": 300, "quota_remaining": 9}
        )

    def _items(self, path: str) -> list[dict[str, Any]]:
        match = re.fullmatch(r"/2\.3/(questions|answers|posts)/([\d;]+)(?:/(\w+))?", path)
        assert match, path
        ids = {int(number) for number in match[2].split(";")}
        if match[3] == "comments":
            return [c for c in self.comments if c["post_id"] in ids]
        if match[3] == "answers":
            found = [a for a in self.answers if a["question_id"] in ids]
            return sorted(found, key=lambda answer: -answer["score"])
        key = "question_id" if match[1] == "questions" else "answer_id"
        return [item for item in getattr(self, match[1]) if item[key] in ids]


async def _packed(wire: Wire, status: int, value: object) -> None:
    body = gzip.compress(json.dumps(value).encode())
    await wire.reply(status, body, "application/json; charset=utf-8", {"Content-Encoding": "gzip"})


class JsonService:
    """Answers with the document stored at a path, and with 404 elsewhere."""

    def __init__(self) -> None:
        self.server = Server(self._handle)
        self.clear()

    def clear(self) -> None:
        self.documents: dict[str, Any] = {}
        """By path; a pair is a status and the document."""
        self.server.log.clear()

    async def _handle(self, request: Request, wire: Wire) -> None:
        path = request.target.partition("?")[0]
        found = self.documents.get(path, (404, {"message": "not found", "status": 404}))
        status, document = found if isinstance(found, tuple) else (200, found)
        await wire.reply_json(status, document)


class Compatibility(JsonService):
    """`/current/FEATURE.json`: which browser has a feature since when."""


class HackerNews(JsonService):
    """`/items/ID`: the whole tree."""


class FxTwitter(JsonService):
    """`/2/thread/ID`; refuses clients without a name."""

    async def _handle(self, request: Request, wire: Wire) -> None:
        if not request.headers.get("user-agent"):
            await wire.reply_json(401, {"error": "a user agent is needed"})
            return
        await super()._handle(request, wire)


class JinaReader(JsonService):
    """`/URL`, in JSON for those who ask for it."""

    def page(self, url: str, title: str, content: str, **more: Any) -> None:
        """What the service says of a page."""
        data = {"title": title, "url": url, "content": content, "usage": {"tokens": 9}, **more}
        self.documents[f"/{url}"] = {"code": 200, "status": 20000, "data": data}

    async def _handle(self, request: Request, wire: Wire) -> None:
        assert "application/json" in request.headers.get("accept", "")
        await super()._handle(request, wire)
