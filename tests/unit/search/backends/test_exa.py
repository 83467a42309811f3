"""Exa's MCP server: its framing, its prose and its refusals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intelli.errors import BackendError
from intelli.net.client import Network
from intelli.records import Answer, Query
from intelli.search.backend import Backend, Equipment, make
from intelli.search.backends.exa import parse
from intelli.search.refusals import RefusedError
from intelli.settings import load

TWO = """Title: Draining a pump queue
URL: https://pumps.example.org/queue?id=3
Published: 2026-02-11T08:00:00.000Z
Author: Wim Voorbeeld
Highlights:
The pump drains its queue at most every 40 ms.

URL: https://not-a-result.example.org
Title: still the highlight

---

Title: N/A
URL: https://blog.example.net/pumps
Published: N/A
Author: N/A
Text: A longer text
over two lines."""
EMPTY = "No search results found. Please try a different query."


def message(text: str, **more: object) -> dict[str, object]:
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"content": [{"type": "text", "text": text}], **more},
    }


def frame(data: object, end: str = "\n") -> bytes:
    return f"event: message{end}data: {json.dumps(data)}{end}{end}".encode()


def exa(network: Network, url: str, *, key: str | None = None) -> Backend:
    environ = {"INTELLI_BACKENDS__EXA__URL": url, "EXA_API_KEY": key or ""}
    return make("exa", Equipment(settings=load(environ=environ), network=network))


def ask(site: Any, *, key: str | None = None, query: Query | None = None) -> Answer:
    async def run() -> Answer:
        async with site as server, Network(allow_private=False, max_bytes=10**6) as network:
            run.requests = server.requests  # type: ignore[attr-defined]
            backend = exa(network, server.url, key=key)
            return await backend.search(query or Query(text="how does the pump drain"))

    answer = asyncio.run(asyncio.wait_for(run(), 20))
    ask.requests = run.requests  # type: ignore[attr-defined]
    return answer


def asked() -> list[Any]:
    requests: list[Any] = ask.requests  # type: ignore[attr-defined]
    return requests


def test_fields_and_body_of_every_block_are_read() -> None:
    first, second = parse(TWO)
    assert first.url == "https://pumps.example.org/queue?id=3"
    assert first.title == "Draining a pump queue"
    assert (first.published, first.authors) == ("2026-02-11", ("Wim Voorbeeld",))
    assert "every 40 ms. URL: https://not-a-result.example.org" in first.snippet
    assert (second.title, second.published, second.authors) == ("", None, ())
    assert second.snippet == "A longer text over two lines."


def test_blocks_joined_by_a_blank_line_are_told_apart() -> None:
    links = parse(TWO.replace("---\n\n", ""))
    assert [link.url for link in links] == [
        "https://pumps.example.org/queue?id=3",
        "https://blog.example.net/pumps",
    ]


def test_no_results_is_an_empty_answer_and_unknown_prose_an_error() -> None:
    assert parse(EMPTY) == []
    with pytest.raises(BackendError) as caught:
        parse("Welcome to a new kind of answer, see https://exa.example.org")
    assert caught.value.code == "layout-changed"


def test_the_request_is_a_tool_call_with_site_words(
    serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    query = Query(text="pump", urls=4, only_domains=("pumps.example.org",))
    ask(serve(reply([frame(message(TWO))])), query=query)
    request = json.loads(asked()[0].body)
    assert request["method"] == "tools/call"
    assert request["params"]["name"] == "web_search_exa"
    assert request["params"]["arguments"] == {
        "query": "pump site:pumps.example.org",
        "numResults": 8,
    }
    accept = asked()[0].headers["accept"]
    assert "application/json" in accept and "text/event-stream" in accept
    assert "x-api-key" not in asked()[0].headers


def test_a_key_travels_in_a_header(serve: Callable[..., Any], reply: Callable[..., Any]) -> None:
    ask(serve(reply([frame(message(TWO))])), key="secret-key")
    assert asked()[0].headers["x-api-key"] == "secret-key"


def test_a_reply_is_taken_while_the_stream_stays_open(
    serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progress": 1}}
    data = b": hello\n\n" + frame(progress) + frame(message(TWO), end="\r\n")
    pieces = [data[at : at + 50] for at in range(0, len(data), 50)]
    answer = ask(serve(reply(pieces, headers={"Content-Type": "text/event-stream"}, hangs=True)))
    assert len(answer.links) == 2
    assert answer.links[0].backend == "exa"


@pytest.mark.parametrize(
    "body",
    [
        json.dumps(message(TWO)).encode(),
        json.dumps(message(TWO), indent=2).encode(),
        json.dumps([message(TWO)]).encode(),
        b"event: message\n" + json.dumps(message(TWO)).encode() + b"\n\n",
        b"".join(b"data: " + line + b"\n" for line in json.dumps(
            message(TWO), indent=1).encode().split(b"\n")) + b"\n",
    ],
    ids=["json", "pretty", "batch", "frame-without-data", "frame-of-many-lines"],
)  # fmt: skip
def test_every_framing_is_understood(
    body: bytes, serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    assert len(ask(serve(reply([body]))).links) == 2


@pytest.mark.parametrize(
    "data",
    [
        message("You've hit the free MCP rate limit.", isError=True),
        message("You've hit the free MCP rate limit. Add a key at https://key.example.org"),
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "Rate limit reached"}},
    ],
    ids=["tool-error", "ordinary-text", "rpc-error"],
)
def test_a_refusal_inside_a_200_is_no_result(
    data: object, serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    with pytest.raises(BackendError) as caught:
        ask(serve(reply([frame(data)])))
    assert caught.value.code == "rate-limit"
    assert caught.value.retryable


def test_a_refusal_says_how_long_it_lasts(
    serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    error = {"jsonrpc": "2.0", "error": {"code": -32000, "message": "daily limit"}, "id": None}
    body = json.dumps(error).encode()
    with pytest.raises(RefusedError) as caught:
        ask(serve(reply([body], status=429, headers={"Retry-After": "9000"})))
    assert (caught.value.code, caught.value.retry_after) == ("rate-limit", 9000)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"status": 401, "pieces": [b'{"error": {"message": "bad key"}}']}, "http-401"),
        ({"status": 200, "pieces": [b"<html>hello</html>"]}, "bad-answer"),
        ({"status": 200, "pieces": [frame(message(TWO))[:80]]}, "bad-answer"),
        ({"status": 200, "pieces": [frame(message("tool failed (503)", isError=True))]},
         "tool-error"),
    ],
)  # fmt: skip
def test_failures_have_codes(
    answer: dict[str, Any], code: str, serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    with pytest.raises(BackendError) as caught:
        ask(serve(reply(**answer)))
    assert caught.value.code == code


def test_a_server_that_wants_a_session_gets_one(
    serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    wants = reply([b'{"jsonrpc":"2.0","id":1,"error":{"message":"no valid session ID"}}'], 400)
    hello = {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-06-18"}}
    greets = reply([frame(hello)], headers={"Mcp-Session-Id": "s-17"})
    answer = ask(serve(wants, greets, reply([], 202), reply([frame(message(TWO))])))
    assert [(link.rank, link.backend) for link in answer.links] == [(1, "exa"), (2, "exa")]
    methods = [json.loads(request.body)["method"] for request in asked()]
    assert methods == ["tools/call", "initialize", "notifications/initialized", "tools/call"]
    assert asked()[3].headers["mcp-session-id"] == "s-17"


def test_a_server_that_is_not_there_is_a_backend_error() -> None:
    async def run() -> None:
        async with Network(allow_private=False, max_bytes=10**6) as network:
            await exa(network, "http://127.0.0.1:9/mcp").search(Query(text="pump"))

    with pytest.raises(BackendError) as caught:
        asyncio.run(run())
    assert caught.value.code == "connection"


def test_recorded_shapes_are_read(
    fixtures: Path, serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    frames = (fixtures / "exa_mcp" / "synthetic_tools_call_search.sse").read_bytes()
    links = ask(serve(reply([frames]))).links
    assert len(links) == 3
    assert links[1].title == "" and "not-a-result" in links[1].snippet
