"""Search services for code, each in its own protocol on loopback."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from tests.world.http import Request
from tests.world.search import Hit
from tests.world.vertical import Vertical


class GitHub(Vertical):
    """Hits are repositories; issues, code and discussions find nothing unless a test says what."""

    name = "github"

    def __init__(self) -> None:
        super().__init__()
        self.items: dict[str, list[dict[str, object]]] = {}

    def clear(self) -> None:
        super().clear()
        self.items.clear()

    def answer(self, request: Request, hits: list[Hit]) -> bytes:
        kind = request.path.rpartition("/")[2]
        items: list[dict[str, object]] = list(self.items.get(kind, []))
        if kind == "repositories":
            items += [
                {
                    "full_name": urlsplit(hit.url).path.strip("/"),
                    "private": False,
                    "html_url": hit.url,
                    "description": hit.text,
                    "stargazers_count": 420,
                    "pushed_at": f"{hit.published or '2026-02-01'}T10:00:00Z",
                    "owner": {"login": hit.author},
                }
                for hit in hits
            ]
        if kind == "graphql":
            nodes = self.items.get("discussions", [])
            return json.dumps({"data": {"search": {"nodes": nodes}}}).encode()
        found = {"total_count": len(items), "incomplete_results": False, "items": items}
        return json.dumps(found).encode()

    def limit(self, seconds: int) -> tuple[int, Mapping[str, str], bytes]:
        reset = str(int(time.time()) + seconds)
        headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}
        return 403, headers, b'{"message": "API rate limit exceeded for this address."}'


class Grep(Vertical):
    """MCP over HTTP: `tools/call` of `searchGitHub`, one block of text a file."""

    name = "grep"
    media_type = "text/event-stream"

    def answer(self, request: Request, hits: list[Hit]) -> bytes:
        texts = [_code_block(hit) for hit in hits] or ["No results found for your query."]
        content = [{"type": "text", "text": text} for text in texts]
        envelope = {"jsonrpc": "2.0", "id": request.json["id"], "result": {"content": content}}
        return f"event: message\ndata: {json.dumps(envelope)}\n\n".encode()


def _code_block(hit: Hit) -> str:
    owner, name, _, _, path = urlsplit(hit.url).path.strip("/").split("/", 4)
    return (
        f"Repository: {owner}/{name}\nPath: {path}\nURL: {hit.url}\nLicense: Unknown\n\n"
        f"Snippets:\n--- Snippet 1 (Line 12) ---\n{hit.text}\n"
    )


class Sourcegraph(Vertical):
    """A stream of events, one for all matches; the connection may stay open behind `done`."""

    name = "sourcegraph"
    path = "/.api/search/stream"
    media_type = "text/event-stream"

    def answer(self, request: Request, hits: list[Hit]) -> bytes:
        matches = []
        for hit in hits:
            owner, name, _, commit, path = urlsplit(hit.url).path.strip("/").split("/", 4)
            chunk = {"content": hit.text, "contentStart": {"offset": 90, "line": 11, "column": 0}}
            matches.append(
                {
                    "type": "content",
                    "repository": f"github.com/{owner}/{name}",
                    "path": path,
                    "commit": commit,
                    "repoStars": 420,
                    "chunkMatches": [{**chunk, "ranges": []}],
                }
            )
        progress = {"done": True, "matchCount": len(matches), "skipped": []}
        return (
            event("filters", [])
            + event("matches", matches)
            + event("progress", progress)
            + event("done", {})
        )


def event(name: str, data: object) -> bytes:
    """One event of a stream as Sourcegraph writes it."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
