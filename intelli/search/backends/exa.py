"""Exa through its hosted MCP server, which needs no key."""

from __future__ import annotations

import re
from collections.abc import Iterable

from intelli.errors import BackendError
from intelli.records import Link, Query
from intelli.search.backend import Equipment
from intelli.search.fields import SNIPPET
from intelli.search.refusals import RefusedError, is_refusal, short
from intelli.search.rpc import Server, call_tool
from intelli.search.rules import with_sites
from intelli.search.service import Service
from intelli.text.snippets import cut, one_line

TIMEOUT = 30.0

_MOST = 25
_EMPTY = re.compile(r"\s*no (?:search )?results", re.IGNORECASE)
_RULED = re.compile(r"\n\s*\n---\n\s*\n(?=Title: )")
_BLANK = re.compile(r"\n\s*\n(?=Title: [^\n]*\nURL: )")
_FIELD = re.compile(r"(Title|URL|Published|Published Date|Author): ?(.*)")
_BODY = re.compile(r"(?:Highlights|Text|Summary):")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def make(equipment: Equipment) -> Service:
    """With the user's key, where there is one: it raises the limits of the anonymous use."""
    return Service(equipment, _ask, priced_as="exa_ai", most=_MOST)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    key = equipment.key
    server = Server(url=equipment.url, headers={"x-api-key": key} if key else {}, timeout=TIMEOUT)
    arguments = {"query": with_sites(query), "numResults": min(_MOST, query.urls * 2)}
    return parse(await call_tool(equipment.network, server, "web_search_exa", arguments))


def parse(text: str) -> list[Link]:
    """Links out of the server's prose: blocks of `Title:`, `URL:`, … and a body.

    Raises BackendError for a refusal and for a form that is not known.
    """
    text = text.replace("\r\n", "\n").strip()
    blocks = (_RULED if _RULED.search(text) else _BLANK).split(text)
    links = [link for block in blocks if (link := _link(block))]
    if links or not text or _EMPTY.match(text):
        return links
    if is_refusal(text):
        raise RefusedError(short(text), code="rate-limit")
    raise BackendError("the form of its answers has changed", code="layout-changed")


def _link(block: str) -> Link | None:
    """Only the lines before the body are fields; what the body says about URLs is text."""
    fields: dict[str, str] = {}
    body: list[str] = []
    lines = block.split("\n")
    for n, line in enumerate(lines):
        match = _FIELD.fullmatch(line)
        if match is None or match[1] in fields:
            opening = _BODY.match(line)
            body = [line[opening.end() :] if opening else line, *lines[n + 1 :]]
            break
        fields[match[1]] = "" if match[2].strip() == "N/A" else match[2].strip()
    if not fields.get("URL"):
        return None
    date = _DATE.match(fields.get("Published") or fields.get("Published Date", ""))
    author = fields.get("Author")
    return Link(
        url=fields["URL"],
        title=one_line(fields.get("Title", "")),
        snippet=cut(one_line("\n".join(body)), SNIPPET),
        published=date[0] if date else None,
        authors=(author,) if author else (),
    )
