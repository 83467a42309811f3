"""Exa through its hosted MCP server, which needs no key."""

from __future__ import annotations

import asyncio
import re

from intelli.errors import BackendError, without_secret
from intelli.net.client import Network
from intelli.records import Answer, Link, Query
from intelli.search.backend import Equipment
from intelli.search.pacing import Pacer
from intelli.search.refusals import RefusedError, is_refusal
from intelli.search.rpc import Server, call_tool
from intelli.search.rules import with_sites

TIMEOUT = 30.0
PATIENCE = 5.0
"""Seconds that a refused call waits before its one repetition; a longer hint is a pause."""

_MOST = 25
_SNIPPET = 500
_EMPTY = re.compile(r"\s*no (?:search )?results", re.IGNORECASE)
_RULED = re.compile(r"\n\s*\n---\n\s*\n(?=Title: )")
_BLANK = re.compile(r"\n\s*\n(?=Title: [^\n]*\nURL: )")
_FIELD = re.compile(r"(Title|URL|Published|Published Date|Author): ?(.*)")
_BODY = re.compile(r"(?:Highlights|Text|Summary):")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def make(equipment: Equipment) -> Exa:
    """With the user's key, where there is one."""
    settings = equipment.settings
    url = settings.text("backends.exa.url")
    return Exa(equipment.network, url, key=settings.secret("EXA_API_KEY"))


class Exa:
    """The tool `web_search_exa`; `key` raises the limits of the anonymous use."""

    name = "exa"

    def __init__(self, network: Network, url: str, *, key: str | None = None) -> None:
        self._network = network
        self._key = key
        self._server = Server(url=url, headers={"x-api-key": key} if key else {}, timeout=TIMEOUT)
        self._pacer = Pacer(self.name, f"{url} {bool(key)}")

    async def search(self, query: Query) -> Answer:
        """Raises BackendError; `rate-limit` also when the refusal comes as an ordinary answer."""
        self._pacer.check()
        try:
            text = await self._patiently(query)
        except BackendError as error:
            if isinstance(error, RefusedError) and error.code == "rate-limit":
                self._pacer.pause(error.retry_after or 0.0)
                error.hint = "set EXA_API_KEY for higher limits, or name another --backend"
            raise without_secret(error, self._key) from None
        return Answer(links=parse(text), backend=self.name)

    async def _patiently(self, query: Query) -> str:
        try:
            return await self._call(query)
        except RefusedError as error:
            delay = 1.0 if error.retry_after is None else error.retry_after
            if delay > PATIENCE or error.code == "tool-error":
                raise
            await asyncio.sleep(delay)
        return await self._call(query)

    async def _call(self, query: Query) -> str:
        arguments = {"query": with_sites(query), "numResults": min(_MOST, query.urls * 2)}
        return await call_tool(self._network, self._server, "web_search_exa", arguments)


def parse(text: str) -> tuple[Link, ...]:
    """Links out of the server's prose: blocks of `Title:`, `URL:`, … and a body.

    Raises BackendError for a refusal and for a form that is not known.
    """
    text = text.replace("\r\n", "\n").strip()
    blocks = (_RULED if _RULED.search(text) else _BLANK).split(text)
    links = [link for block in blocks if (link := _link(block))]
    if links:
        return tuple(
            Link(
                url=link.url,
                rank=rank,
                title=link.title,
                snippet=link.snippet,
                backend=Exa.name,
                published=link.published,
                authors=link.authors,
            )
            for rank, link in enumerate(links, 1)
        )
    if not text or _EMPTY.match(text):
        return ()
    if is_refusal(text):
        raise RefusedError(" ".join(text.split())[:200], code="rate-limit")
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
        title=fields.get("Title", ""),
        snippet=_snippet("\n".join(body)),
        published=date[0] if date else None,
        authors=(author,) if author else (),
    )


def _snippet(body: str) -> str:
    words = " ".join(body.split())
    return words if len(words) <= _SNIPPET else words[:_SNIPPET].rsplit(" ", 1)[0] + " …"
