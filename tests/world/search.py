"""Two search services of the world: Exa's MCP endpoint and DuckDuckGo's HTML page."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from tests.world.http import Request, Server, Wire
from tests.world.turns import Turns

LIMIT_TEXT = "You have used up the free rate limit of this service, come back with a key."


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One result of a search."""

    url: str
    title: str = ""
    published: str = ""
    author: str = ""
    text: str = ""


ExaMode = Literal[
    "sse", "json", "empty", "limited", "limited-day", "tool-error", "quota", "quota-plain", "500",
    "garbage", "hang",
]  # fmt: skip
"""`quota` is the refusal as a tool error inside a 200, `quota-plain` the same without the flag."""

DuckMode = Literal[
    "uddg", "direct", "none", "challenge-200", "challenge-202", "challenge-403", "changed", "500",
    "hang",
]  # fmt: skip


class Exa:
    """MCP over HTTP: `tools/call` of `web_search_exa`, answered as SSE or JSON."""

    def __init__(self) -> None:
        self.server = Server(self._handle)
        self.hits: list[Hit] = []
        self.modes: Turns[ExaMode] = Turns("sse")

    def clear(self) -> None:
        self.hits.clear()
        self.modes.set("sse")
        self.server.log.clear()

    async def _handle(self, request: Request, wire: Wire) -> None:
        mode = self.modes.next()
        call = request.json
        if mode == "hang":
            await wire.hang()
        elif mode in ("limited", "limited-day"):
            await _refuse(wire, "30000" if mode == "limited-day" else "1")
        elif mode == "500":
            error = {"code": -32603, "message": "the server fell over"}
            await wire.reply_json(500, {"jsonrpc": "2.0", "error": error, "id": None})
        elif mode == "garbage":
            await wire.reply(200, b"<html>not JSON at all</html>")
        else:
            await _send(wire, _envelope(call.get("id"), self._result(mode, call)), mode)

    def _result(self, mode: ExaMode, call: dict[str, object]) -> dict[str, object]:
        if mode == "tool-error":
            return _text("web_search_exa error (503): the index is away", is_error=True)
        if mode == "quota":
            return _text(LIMIT_TEXT, is_error=True)
        if mode == "quota-plain":
            return _text(LIMIT_TEXT)
        params = call.get("params")
        wanted = (
            params.get("arguments", {}).get("numResults", 10) if isinstance(params, dict) else 10
        )
        hits = [] if mode == "empty" else self.hits[: int(wanted)]
        if not hits:
            return _text("No search results found. Please try a different query.")
        return _text("\n\n---\n\n".join(_block(hit) for hit in hits))


def _block(hit: Hit) -> str:
    return (
        f"Title: {hit.title or 'N/A'}\nURL: {hit.url}\nPublished: {hit.published or 'N/A'}\n"
        f"Author: {hit.author or 'N/A'}\nHighlights:\n{hit.text}"
    )


def _text(text: str, *, is_error: bool = False) -> dict[str, object]:
    result: dict[str, object] = {"content": [{"type": "text", "text": text}]}
    return {**result, "isError": True} if is_error else result


def _envelope(call_id: object, result: dict[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": call_id, "result": result}


async def _send(wire: Wire, envelope: dict[str, object], mode: ExaMode) -> None:
    if mode == "json":
        await wire.reply_json(200, envelope)
        return
    event = f"event: message\ndata: {json.dumps(envelope)}\n\n".encode()
    await wire.reply(200, event, "text/event-stream")


async def _refuse(wire: Wire, retry_after: str) -> None:
    error = {"code": -32000, "message": LIMIT_TEXT}
    headers = {"Retry-After": retry_after, "X-RateLimit-Limit": "0", "X-RateLimit-Remaining": "0"}
    await wire.reply_json(429, {"jsonrpc": "2.0", "error": error, "id": None}, headers)


class DuckDuckGo:
    """The HTML result page, by POST form or GET query."""

    def __init__(self) -> None:
        self.server = Server(self._handle)
        self.hits: list[Hit] = []
        self.modes: Turns[DuckMode] = Turns("uddg")

    def clear(self) -> None:
        self.hits.clear()
        self.modes.set("uddg")
        self.server.log.clear()

    async def _handle(self, request: Request, wire: Wire) -> None:
        mode = self.modes.next()
        if mode == "hang":
            await wire.hang()
        elif mode == "500":
            await wire.reply(500, b"<h1>Something went wrong</h1>")
        elif mode.startswith("challenge"):
            await wire.reply(int(mode[-3:]), _CHALLENGE.encode())
        elif mode == "changed":
            await wire.reply(200, b"<html><body><section>Brand new look</section></body></html>")
        else:
            query = request.form.get("q") or request.query.get("q", "")
            hits = () if mode == "none" else self.hits[:10]
            await wire.reply(200, _results(query, hits, direct=mode == "direct").encode())


_CHALLENGE = """<!DOCTYPE html><html><head><title>DuckDuckGo</title></head><body>
<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&amp;cc=botnet" method="POST">
<div class="anomaly-modal__mask"><div class="anomaly-modal__modal" data-testid="anomaly-modal">
<div class="anomaly-modal__title">Please show that you are a person</div>
<div class="anomaly-modal__instructions">Select all squares containing a duck:</div>
</div></div></form></body></html>"""

_ADVERT = (
    '<div class="result results_links results_links_deep result--ad"><h2 class="result__title">'
    '<a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Buy now</a>'
    '</h2><a class="result__snippet">An advert.</a></div>'
)


def _results(query: str, hits: Sequence[Hit], *, direct: bool) -> str:
    rows = "".join(_row(hit, direct=direct) for hit in hits)
    if not rows:
        rows = (
            '<div class="result results_links result--no-result">'
            f'<div class="no-results">Nothing found for <b>{html.escape(query)}</b>.</div></div>'
        )
    return (
        f"<!DOCTYPE html><html><head><title>{html.escape(query)} at DuckDuckGo</title></head><body>"
        f'<div class="serp__results"><div id="links" class="results">{_ADVERT if hits else ""}'
        f"{rows}</div></div></body></html>"
    )


def _row(hit: Hit, *, direct: bool) -> str:
    href = hit.url if direct else f"//duckduckgo.com/l/?uddg={quote(hit.url, safe='')}&rut=0a1b2c"
    href = html.escape(href)
    return (
        '<div class="result results_links results_links_deep web-result ">'
        '<div class="links_main links_deep result__body"><h2 class="result__title">'
        f'<a rel="nofollow" class="result__a" href="{href}">{html.escape(hit.title)}</a></h2>'
        f'<div class="result__extras"><a class="result__url" href="{href}"> shown </a></div>'
        f'<a class="result__snippet" href="{href}">{html.escape(hit.text)}</a>'
        '<div class="clear"></div></div></div>'
    )
