"""The web search services of the world, each in its own words, healthy and in every other state.

async with SERVICES["brave"]() as brave:
    brave.hits.append(Hit(url="https://a.example.org/", title="A"))
    brave.modes.set("limited", "ok")
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Self

from tests.world.http import Request, Server, Wire
from tests.world.search import Hit
from tests.world.turns import Turns

Mode = Literal[
    "ok", "empty", "hang", "limited", "limited-day", "quota", "challenge", "garbage", "page",
    "500", "refused", "nulls", "odd", "hostile", "huge",
]  # fmt: skip
"""`quota` is a refusal inside an ordinary 200, `refused` one of the key, `garbage` JSON that
breaks off, `page` a web page where JSON is wanted; `nulls`, `odd` and `hostile` are results with
no values, with values of the wrong types, and with addresses that are none."""

LIMIT = "The rate limit of this key has been reached, please slow down."
MODES: tuple[Mode, ...] = Mode.__args__  # type: ignore[attr-defined]
_CHALLENGE = "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>"
_PAGE = "<!DOCTYPE html><html><head><title>Welcome</title></head><body>Hello</body></html>"
_HOSTILE = (
    "javascript:alert(1)", "data:text/html,x", "/relative/path", "//", "http://[::1", "",
    "mailto:a@b.example",
    "https://bücher.example.org/ä",
)  # fmt: skip
HUGE = 5_000_000
"""Bytes of the body in mode `huge`, at least."""
_FILLER = Hit(url="https://big.example.org/", title="big", text="much text " * 500)

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a service talks: `row` words a hit, `answer` puts rows into a document, `refusal` is
    the status and body for a bad key; `quota` the body of a refusal that comes with 200."""

    row: Callable[[Hit], Row]
    answer: Callable[[list[Row]], object]
    refusal: Callable[[str], tuple[int, object]] = lambda key: (401, {"error": f"bad key {key}"})
    quota: object = None
    none_found: tuple[int, object] | None = None
    key_variable: str = ""
    path: str = "/search"
    is_rpc: bool = False


class SearchService:
    """One service on loopback; `modes` are given in turn, the last one stays."""

    def __init__(self, name: str, dialect: Dialect) -> None:
        self.name = name
        self.dialect = dialect
        self.server = Server(self._handle)
        self.hits: list[Hit] = []
        self.modes: Turns[Mode] = Turns("ok")

    async def __aenter__(self) -> Self:
        await self.server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.server.stop()

    @property
    def url(self) -> str:
        return self.server.url(self.dialect.path)

    def clear(self) -> None:
        self.hits.clear()
        self.modes.set("ok")
        self.server.log.clear()

    def env(self, key: str | None = "key-of-the-world-4711") -> dict[str, str]:
        """The variables that point the backend here, and give it a key."""
        variable = f"INTELLI_BACKENDS__{self.name.replace('-', '_').upper()}__URL"
        keys = {self.dialect.key_variable: key} if key and self.dialect.key_variable else {}
        return {variable: self.url, **keys}

    async def _handle(self, request: Request, wire: Wire) -> None:
        mode = self.modes.next()
        if mode == "hang":
            await wire.hang()
        elif mode in ("limited", "limited-day"):
            wait = "30000" if mode == "limited-day" else "1"
            await wire.reply_json(429, self._error(LIMIT), {"Retry-After": wait})
        elif mode == "500":
            await wire.reply_json(500, self._error("the server fell over"))
        elif mode == "challenge":
            await wire.reply(403, _CHALLENGE.encode())
        elif mode == "page":
            await wire.reply(200, _PAGE.encode())
        elif mode == "refused":
            await wire.reply_json(*self.dialect.refusal(_key(request)))
        elif mode == "empty" and self.dialect.none_found:
            await wire.reply_json(*self.dialect.none_found)
        elif mode == "garbage":
            body = self._framed(request, self._answer("ok"))
            await wire.reply(200, body[: len(body) // 2], "application/json")
        else:
            await wire.reply(200, self._framed(request, self._answer(mode)), "application/json")

    def _error(self, message: str) -> object:
        if self.dialect.is_rpc:
            return {"jsonrpc": "2.0", "error": {"code": -32000, "message": message}, "id": None}
        return {"error": {"message": message}}

    def _answer(self, mode: Mode) -> object:
        if mode == "quota":
            return self.dialect.quota or {"error": {"message": LIMIT}}
        rows = [self.dialect.row(hit) for hit in _hits(mode, self.hits)]
        if mode == "nulls":
            rows = [dict.fromkeys(row) for row in rows]
        if mode == "odd":
            kept = self.dialect.row(self.hits[0]) if self.hits else {}
            urls = {name: value for name, value in kept.items() if name in ("url", "link")}
            rows = [{name: [7, None] for name in kept} | urls, dict.fromkeys(kept, 7)]
            return self.dialect.answer([*rows, "text", None, 7])  # type: ignore[list-item]
        return self.dialect.answer(rows)

    def _framed(self, request: Request, answer: object) -> bytes:
        if not self.dialect.is_rpc:
            return json.dumps(answer).encode()
        text = {"type": "text", "text": json.dumps(answer)}
        result: Row = {"content": [text], "isError": False}
        if isinstance(answer, dict) and "error" in answer:
            result = {"content": [{"type": "text", "text": LIMIT}], "isError": False}
        elif isinstance(answer, dict) and len(text["text"]) < HUGE:
            result["structuredContent"] = answer
        envelope = {"jsonrpc": "2.0", "id": request.json.get("id"), "result": result}
        return json.dumps(envelope).encode()


def _hits(mode: Mode, hits: Sequence[Hit]) -> list[Hit]:
    if mode == "empty":
        return []
    if mode == "hostile":
        return [*(Hit(url=url, title="odd") for url in _HOSTILE), *hits]
    if mode == "huge":
        return [*hits, *[_FILLER] * (HUGE // len(_FILLER.text))]
    return list(hits)


def _key(request: Request) -> str:
    """The key as it came, whatever header it came in."""
    names = ("authorization", "x-api-key", "x-subscription-token")
    found = next((request.headers[name] for name in names if name in request.headers), "")
    return found.removeprefix("Bearer ")


def _row(hit: Hit, **names: str) -> Row:
    """A result with the fields of the service: `names` has url, title, text, published, author."""
    return {name: getattr(hit, field) or None for field, name in names.items()}


def _plain(hit: Hit) -> Row:
    return _row(hit, url="url", title="title", text="snippet", published="date")


def _parallel_row(hit: Hit) -> Row:
    row = _row(hit, url="url", title="title", published="publish_date")
    return {**row, "excerpts": [hit.text] if hit.text else []}


def _parallel(rows: list[Row]) -> object:
    return {"search_id": "search_1", "results": rows, "warnings": None, "usage": None}


def _tavily_row(hit: Hit) -> Row:
    row = _row(hit, url="url", title="title", text="content", published="published_date")
    return {**row, "score": 0.9, "raw_content": None}


def _tavily(rows: list[Row]) -> object:
    return {"query": "q", "answer": None, "images": [], "results": rows, "response_time": 0.5}


_TAVILY_QUOTA = {
    "error": {"code": "KEYLESS_LIMIT_REACHED", "message": LIMIT, "retry_after_seconds": 60}
}


def _firecrawl(rows: list[Row]) -> object:
    return {"success": True, "data": {"web": rows}, "creditsUsed": 2}


def _you_row(hit: Hit) -> Row:
    row = _row(hit, url="url", title="title", published="page_age")
    return {**row, "description": "", "snippets": [hit.text] if hit.text else []}


def _searxng(rows: list[Row]) -> object:
    return {"query": "q", "results": rows, "answers": [], "unresponsive_engines": []}


def _brave_row(hit: Hit) -> Row:
    row = _row(hit, url="url", title="title", published="page_age")
    return {**row, "description": f"<strong>{hit.text}</strong>" if hit.text else ""}


def _brave(rows: list[Row]) -> object:
    web = {"web": {"type": "search", "results": rows}} if rows else {}
    return {"type": "search", "query": {"original": "q"}, **web}


def _brave_refusal(key: str) -> tuple[int, object]:
    detail = f"The subscription token {key} is invalid."
    error = {"status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "detail": detail}
    return 422, {"type": "ErrorResponse", "error": error}


def _serper(rows: list[Row]) -> object:
    return {"searchParameters": {"q": "q"}, "organic": rows, "credits": 1}


def _exa_row(hit: Hit) -> Row:
    names = {"url": "url", "title": "title", "published": "publishedDate", "author": "author"}
    return {**_row(hit, **names), "highlights": [hit.text] if hit.text else []}


def _jina(rows: list[Row]) -> object:
    return {"code": 200, "status": 20000, "data": rows}


def _results(rows: list[Row]) -> object:
    return {"results": rows}


DIALECTS: Mapping[str, Dialect] = {
    "parallel": Dialect(
        row=_parallel_row, answer=_parallel, path="/mcp", is_rpc=True,
        key_variable="PARALLEL_API_KEY",
    ),
    "tavily": Dialect(
        row=_tavily_row, answer=_tavily, quota=_TAVILY_QUOTA, key_variable="TAVILY_API_KEY",
        refusal=lambda key: (401, {"detail": {"error": f"Unauthorized: invalid key {key}"}}),
    ),
    "firecrawl": Dialect(
        row=partial(_row, url="url", title="title", text="description", published="date"),
        answer=_firecrawl, path="/v2/search", key_variable="FIRECRAWL_API_KEY",
        quota={"success": False, "error": LIMIT},
        refusal=lambda key: (402, {"success": False, "error": f"Insufficient credits: {key}"}),
    ),
    "you": Dialect(
        row=_you_row, answer=lambda rows: {"results": {"web": rows, "news": []}},
        path="/v1/agents/search", key_variable="YOUCOM_API_KEY",
        refusal=lambda key: (403, {"message": f"forbidden for {key}"}),
    ),
    "searxng": Dialect(
        row=partial(_row, url="url", title="title", text="content", published="publishedDate"),
        answer=_searxng, refusal=lambda _: (403, "<!doctype html><title>403 Forbidden</title>"),
    ),
    "perplexity-search": Dialect(
        row=_plain, answer=_results, key_variable="PERPLEXITY_API_KEY"
    ),
    "brave": Dialect(
        row=_brave_row, answer=_brave, path="/res/v1/web/search", key_variable="BRAVE_API_KEY",
        refusal=_brave_refusal, quota={"type": "ErrorResponse", "error": {"detail": LIMIT}},
    ),
    "serper": Dialect(
        row=partial(_row, url="link", title="title", text="snippet", published="date"),
        answer=_serper, key_variable="SERPER_API_KEY", quota={"message": LIMIT},
        refusal=lambda key: (403, {"message": f"Unauthorized. {key}", "statusCode": 403}),
    ),
    "linkup": Dialect(
        row=lambda hit: {"type": "text", **_row(hit, url="url", title="name", text="content")},
        answer=_results, path="/v1/search", key_variable="LINKUP_API_KEY",
    ),
    "exa-api": Dialect(
        row=_exa_row, answer=lambda rows: {"requestId": "r", "results": rows},
        key_variable="EXA_API_KEY",
    ),
    "parallel-api": Dialect(
        row=_parallel_row, answer=_parallel, path="/v1/search", key_variable="PARALLEL_API_KEY",
    ),
    "jina": Dialect(
        row=partial(_row, url="url", title="title", text="description", published="date"),
        answer=_jina, path="/", key_variable="JINA_API_KEY",
        none_found=(422, {"data": None, "code": 422, "name": "AssertionFailureError"}),
        quota={"data": None, "code": 429, "message": LIMIT},
    ),
}  # fmt: skip

SERVICES: Mapping[str, Callable[[], SearchService]] = {
    name: partial(SearchService, name, dialect) for name, dialect in DIALECTS.items()
}
"""By the name of the backend."""
