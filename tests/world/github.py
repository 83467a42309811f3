"""GitHub's API and its host of raw files, with the limits of a user without a token."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from typing import Any

from tests.world.http import Request, Server, Wire

PER_PAGE = 30


@dataclass(slots=True)
class Thread:
    """An issue, a pull request or a discussion, as the API has its fields."""

    fields: dict[str, Any]
    comments: list[dict[str, Any]] = field(default_factory=list)
    reviews: list[dict[str, Any]] = field(default_factory=list)


class GitHub:
    """REST, and `/{owner}/{repo}/{ref}/{path}` for raw files."""

    def __init__(self) -> None:
        self.server = Server(self._handle)
        self.clear()

    def clear(self) -> None:
        self.token = ""
        """What `Authorization` may hold."""
        self.is_limited = False
        self.moved: dict[str, str] = {}
        """Paths that answer with 301 and where to."""
        self.threads: dict[str, Thread] = {}
        """Issues and pull requests by `owner/repo/number`."""
        self.discussions: dict[str, Thread] = {}
        self.releases: dict[str, list[dict[str, Any]]] = {}
        self.gists: dict[str, Thread] = {}
        self.files: dict[str, str] = {}
        """By `owner/repo/ref/path`."""
        self.server.log.clear()

    async def _handle(self, request: Request, wire: Wire) -> None:
        path = request.path
        if path in self.moved:
            await wire.reply_json(301, {"url": path}, {"Location": self.moved[path]})
        elif path.startswith(("/repos/", "/gists/")):
            await self._api(request, wire)
        elif path.removeprefix("/") in self.files:
            body = self.files[path.removeprefix("/")].encode()
            await wire.reply(200, body, "text/plain; charset=utf-8")
        else:
            await wire.reply(404, b"404: Not Found", "text/plain; charset=utf-8")

    async def _api(self, request: Request, wire: Wire) -> None:
        shown = request.headers.get("authorization", "")
        if self.is_limited and not shown:
            headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4102444800"}
            await wire.reply_json(403, {"message": "rate limit used up"}, headers)
        elif shown and shown != f"Bearer {self.token}":
            await wire.reply_json(401, {"message": f"{shown} is no good"})
        else:
            found = self._found(request)
            missing = {"message": "Not Found"}
            await wire.reply_json(*((404, missing) if found is None else (200, found)))

    def _found(self, request: Request) -> Any:
        repo = r"/repos/([^/]+/[^/]+)"
        tables = (
            (repo + r"/issues/(\d+)", lambda m: _fields(self.threads.get(f"{m[1]}/{m[2]}"))),
            (
                repo + r"/discussions/(\d+)",
                lambda m: _fields(self.discussions.get(f"{m[1]}/{m[2]}")),
            ),
            (
                repo + r"/(issues|pulls|discussions)/(\d+)/comments",
                lambda m: self._comments(f"{m[1]}/{m[3]}", m[2], request),
            ),
            (repo + r"/releases", lambda m: self.releases.get(m[1])),
            (repo + r"/releases/latest", lambda m: self.releases[m[1]][0]),
            (repo + r"/releases/tags/(.+)", lambda m: self._release(m[1], m[2])),
            (repo + r"/readme", lambda m: self._readme(m[1])),
            (r"/gists/(\w+)", lambda m: _fields(self.gists.get(m[1]))),
            (r"/gists/(\w+)/comments", lambda m: self.gists[m[1]].comments),
        )
        for pattern, answer in tables:
            if match := re.fullmatch(pattern, request.path):
                return answer(match)
        return None

    def _comments(self, name: str, kind: str, request: Request) -> list[dict[str, Any]]:
        thread = (self.discussions if kind == "discussions" else self.threads)[name]
        every = thread.reviews if kind == "pulls" else thread.comments
        size = int(request.query.get("per_page", PER_PAGE))
        start = (int(request.query.get("page", 1)) - 1) * size
        return every[start : start + size]

    def _release(self, repo: str, tag: str) -> dict[str, Any] | None:
        found = (r for r in self.releases.get(repo, []) if r["tag_name"] == tag)
        return next(found, None)

    def _readme(self, repo: str) -> dict[str, Any] | None:
        """Whatever file of the default branch begins with README."""
        for path, text in self.files.items():
            name = path.rpartition("/")[2]
            if path.startswith(f"{repo}/") and name.startswith("README"):
                content = base64.encodebytes(text.encode()).decode()
                return {"name": name, "encoding": "base64", "content": content}
        return None


def _fields(thread: Thread | None) -> dict[str, Any] | None:
    return thread and thread.fields


def person(login: str) -> dict[str, Any]:
    return {"login": login, "id": 7, "type": "User"}
