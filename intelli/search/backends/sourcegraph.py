"""Sourcegraph's stream of matches in public code; a token is for servers that want one."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from intelli.errors import BackendError, FetchError
from intelli.net.client import Network, Response, ServiceRequest, StreamedResponse
from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.code import literal, snippet
from intelli.search.fields import Row, inner, listed, number, text
from intelli.search.keywords import parts, qualifier
from intelli.search.refusals import (
    RefusedError,
    is_refusal,
    no_answer,
    said,
    short,
    unreachable,
)
from intelli.search.service import Service
from intelli.search.sse import Event, events

TIMEOUT = 30.0
_MOST = 50
_HEAD = 20_000
"""Bytes of an answer that are looked at where it is no stream."""
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_PLACES = {"github.com": "blob", "gitlab.com": "-/blob"}
"""Code hosts with pages of their own for a file; others are read on the server itself."""
_FILTERS = frozenset(
    "repo r file f lang language l rev case content context fork archived author before after"
    " type count timeout visibility".split()
)


def make(equipment: Equipment) -> Service:
    """Files with the code that the query names, at the commit that was searched."""
    return Service(equipment, _ask, free=True)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link]:
    """Ends as soon as enough files have come; those that came before a failure count."""
    found = _Found(server=equipment.url, wanted=min(_MOST, query.urls * 2))
    asked = {
        "q": _expression(query.text, found.wanted),
        "v": "V3",
        "t": "keyword",
        "display": str(found.wanted),
        "cm": "t",
    }
    url = f"{equipment.url}?{urlencode(asked, errors='replace')}"
    token = {"authorization": f"token {equipment.key}"} if equipment.key else {}
    headers = {"accept": "text/event-stream", **token}
    request = ServiceRequest(method="GET", url=url, headers=headers, timeout=TIMEOUT)
    try:
        await _listen(equipment.network, request, found)
    except BackendError as error:
        found.problem = found.problem or error
    if found.problem and not found.links:
        raise found.problem
    return found.links.values()


async def _listen(network: Network, request: ServiceRequest, found: _Found) -> None:
    try:
        async with network.stream(request) as response:
            if response.status != 200:
                raise rest.refusal(await _whole(response))
            head, is_stream = bytearray(), False
            async with aclosing(events(_noted(response.chunks, head))) as stream:
                async for event in stream:
                    is_stream = True
                    found.take(event)
                    if event.name == "done" or len(found.links) >= found.wanted:
                        return
    except FetchError as error:
        raise unreachable(error) from error
    body = "" if is_stream else head.decode("utf-8", "replace")
    raise no_answer(response.status, response.headers, body, "stream of events")


async def _noted(chunks: AsyncIterator[bytes], head: bytearray) -> AsyncIterator[bytes]:
    """The chunks; how they begin stays in `head`."""
    async for chunk in chunks:
        head += chunk[: _HEAD - len(head)]
        yield chunk


@dataclass(kw_only=True)
class _Found:
    """What has come of one search so far, files by their address."""

    server: str
    wanted: int
    links: dict[str, Link] = field(default_factory=dict)
    problem: BackendError | None = None

    def take(self, event: Event) -> None:
        """Events of other kinds, such as progress, change nothing."""
        data = _parsed(event.data)
        if event.name == "matches":
            for match in listed({"matches": data}, "matches"):
                link = _link(match, self.server)
                if link and len(self.links) < self.wanted:
                    self.links.setdefault(link.url, link)
        elif event.name in ("alert", "error") and self.problem is None:
            self.problem = _problem(event, data)


def _expression(question: str, count: int) -> str:
    """The code asked for as a phrase, or the words; filters of the server's as they stand."""
    named = {part: qualifier(part)[0] for part in parts(question)}
    filters = [part for part, name in named.items() if name in _FILTERS]
    code = literal(question)
    is_words = code.replace(" ", "").isalnum()
    phrase = code if is_words else '"' + code.replace("\\", "\\\\").replace('"', '\\"') + '"'
    usual = {"type": "type:file", "count": f"count:{count}", "timeout": "timeout:20s"}
    added = [text for name, text in usual.items() if name not in named.values()]
    return " ".join([*filters, *added, phrase])


def _link(match: Row, server: str) -> Link | None:
    """None for a repository, a symbol or a commit."""
    repository, path = text(match, "repository"), text(match, "path")
    if match.get("type") not in ("content", "path") or not repository or not path:
        return None
    commit = text(match, "commit")
    address = _address(repository, commit if _COMMIT.fullmatch(commit) else "", path, server)
    line, code = _first_match(match)
    return Link(
        url=f"{address}#L{line}" if line else address,
        title=f"{repository.removeprefix('github.com/')}: {path}",
        snippet=snippet(line, code) if line else "",
        points=number(match, "repoStars"),
    )


def _address(repository: str, commit: str, path: str, server: str) -> str:
    host, _, name = repository.partition("/")
    if host in _PLACES:
        return f"https://{host}/{quote(name)}/{_PLACES[host]}/{commit or 'HEAD'}/{quote(path)}"
    parts = urlsplit(server)
    at = f"@{commit}" if commit else ""
    return f"{parts.scheme}://{parts.netloc}/{quote(repository)}{at}/-/blob/{quote(path)}"


def _first_match(match: Row) -> tuple[int, str]:
    """Number, from 1, and text of the first lines that match; 0 where the path alone does."""
    for chunk in listed(match, "chunkMatches"):
        line = number(inner(chunk, "contentStart"), "line")
        if line is not None and isinstance(chunk.get("content"), str):
            return line + 1, chunk["content"]
    for row in listed(match, "lineMatches"):
        line = number(row, "lineNumber")
        if line is not None and isinstance(row.get("line"), str):
            return line + 1, row["line"]
    return 0, ""


def _problem(event: Event, data: Any) -> BackendError | None:
    """Most alerts are advice; a query that cannot be processed and an error are not."""
    if event.name == "error":
        message = said(data) or short(event.data)
        if is_refusal(message):
            return RefusedError(message, code="rate-limit")
        return RefusedError(message or "it failed", code="refused")
    title = text(data, "title") if isinstance(data, dict) else ""
    if "unable to process" not in title.lower():
        return None
    return BackendError(f"{title}: {text(data, 'description')}", code="bad-query")


def _parsed(data: str) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


async def _whole(response: StreamedResponse) -> Response:
    body = b"".join([piece async for piece in response.chunks])
    return Response(status=response.status, url=response.url, headers=response.headers, body=body)
