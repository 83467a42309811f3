"""grep.app through its MCP server, which needs no key: literal code in public repositories."""

from __future__ import annotations

import re
from collections.abc import Iterable

from intelli.errors import BackendError
from intelli.records import Link, Query
from intelli.search.backend import Equipment
from intelli.search.code import literal, snippet
from intelli.search.keywords import parts, qualifier
from intelli.search.refusals import RefusedError, is_refusal, short
from intelli.search.rpc import Server, call_tool
from intelli.search.service import Service

TIMEOUT = 45.0
"""Seconds; a first call was seen to take more than 20."""
_HEADER = re.compile(
    r"^Repository: (?P<repository>[\w.-]+/[\w.-]+)\n"
    r"Path: (?P<path>[^\n]+)\n"
    r"URL: (?P<url>https?://[^\s]+)\n"
    r"License: [^\n]*\n"
    r"[ \t]*\n"
    r"Snippets:[ \t]*$",
    re.MULTILINE,
)
"""The only thing that begins a record: code may hold each of these lines alone."""
_SNIPPET = re.compile(r"^--- Snippet \d{1,6} \(Line (\d{1,9})\) ---$", re.MULTILINE)
_EMPTY = re.compile(r"\s*no results", re.IGNORECASE)


def make(equipment: Equipment) -> Service:
    """At most ten files that hold the very text; `repo:`, `path:` and `lang:` narrow it."""
    return Service(equipment, _ask, free=True)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link]:
    server = Server(url=equipment.url, headers={}, timeout=TIMEOUT)
    return parse(await call_tool(equipment.network, server, "searchGitHub", _arguments(query.text)))


def _arguments(text: str) -> dict[str, object]:
    """Empty ones are left out, which the server refuses."""
    named = [qualifier(part) for part in parts(text)]
    languages = [value for name, value in named if name in ("lang", "language")]
    narrowed: dict[str, object] = {name: value for name, value in named if name in ("repo", "path")}
    if languages:
        narrowed["language"] = languages
    return {"query": literal(text), **narrowed}


def parse(text: str) -> list[Link]:
    """Files out of the server's text. Raises RefusedError for a quota, BackendError for a form
    that is not known."""
    text = text.replace("\r\n", "\n")
    headers = list(_HEADER.finditer(text))
    ends = [header.start() for header in headers[1:]] + [len(text)]
    links = [
        link
        for header, end in zip(headers, ends, strict=False)
        if (link := _link(header, text[header.end() : end]))
    ]
    if links or not text.strip() or _EMPTY.match(text):
        return links
    if is_refusal(text):
        raise RefusedError(short(text), code="rate-limit")
    raise BackendError("the form of its answers has changed", code="layout-changed")


def _link(header: re.Match[str], body: str) -> Link | None:
    """None where the address is not of the repository, as in a header that is code itself."""
    if f"/{header['repository'].lower()}/" not in header["url"].lower():
        return None
    return Link(
        url=header["url"],
        title=f"{header['repository']}: {header['path'].strip()}",
        snippet=_first_snippet(body),
    )


def _first_snippet(body: str) -> str:
    first = _SNIPPET.search(body)
    if first is None:
        return ""
    second = _SNIPPET.search(body, first.end())
    return snippet(int(first[1]), body[first.end() : second.start() if second else None])
