"""Calling a tool over JSON-RPC: what framings are read, and what breaks without a traceback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from intelli.errors import BackendError
from intelli.net.client import Network
from intelli.search.refusals import RefusedError
from intelli.search.rpc import Server, call_tool, call_tool_json

ROWS = {"results": [{"title": "Grüße aus Köln 🦊", "url": "https://a.example.org/"}]}
SSE = {"Content-Type": "text/event-stream"}


def result(**fields: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "result": fields}


def words(text: str, **more: object) -> dict[str, object]:
    return result(content=[{"type": "text", "text": text}], **more)


def event(data: object) -> bytes:
    text = json.dumps(data, ensure_ascii=False)
    return f"event: message\ndata: {text}\n\n".encode()


@pytest.fixture
def call(serve: Callable[..., Any]) -> Callable[..., Any]:
    async def run(replies: tuple[Any, ...], tool: Callable[..., Any]) -> Any:
        async with serve(*replies) as site, Network(allow_private=False, max_bytes=10**6) as net:
            server = Server(url=site.url, headers={}, timeout=10.0)
            return await tool(net, server, "find", {"q": "x"})

    return lambda *replies, tool=call_tool_json: asyncio.run(
        asyncio.wait_for(run(replies, tool), 20)
    )


@pytest.mark.parametrize("apart", [True, False])
def test_an_object_is_read_apart_from_the_text_or_as_the_text(
    apart: bool, call: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    text = json.dumps(ROWS)
    answer = words("shown", structuredContent=ROWS) if apart else words(text)
    assert call(reply([event(answer)], 200, SSE)) == ROWS
    assert call(reply([json.dumps(answer).encode()])) == ROWS


def test_pieces_may_end_inside_of_a_character(
    call: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    body = event(words(json.dumps(ROWS, ensure_ascii=False)))
    assert call(reply([body[n : n + 1] for n in range(len(body))], 200, SSE)) == ROWS


def test_an_event_over_many_lines_is_read_once(
    call: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    many = {"results": [{"n": n} for n in range(60_000)]}
    text = json.dumps(result(structuredContent=many), indent=1)
    body = "".join(f"data: {line}\n" for line in text.splitlines()) + "\n"
    assert call(reply([body.encode()], 200, SSE)) == many


def test_the_answer_is_taken_while_the_stream_stays_open(
    call: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    other = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {}}
    body = event(other) + event(words(json.dumps(ROWS)))
    assert call(reply([body], 200, SSE, hangs=True)) == ROWS


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.9])
def test_a_stream_that_breaks_off_is_a_failure_that_may_pass(
    kept: float, call: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    body = event(words(json.dumps(ROWS)))
    with pytest.raises(RefusedError) as caught:
        call(reply([body[: int(len(body) * kept)]], 200, SSE))
    assert caught.value.code == "bad-answer"


LIMIT = "The rate limit is reached."
REFUSALS = [
    ({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": LIMIT}}, "rate-limit"),
    ({"jsonrpc": "2.0", "id": None, "error": {"code": -1, "message": LIMIT}}, "rate-limit"),
    ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no tool"}}, "rpc-error"),
    ({"jsonrpc": "2.0", "id": 1, "error": None, "result": None}, "rpc-error"),
    ({"jsonrpc": "2.0", "id": 1, "result": 7}, "rpc-error"),
    (words(LIMIT), "rate-limit"),
    (words(LIMIT, isError=True), "rate-limit"),
    (words("the index is away", isError=True), "tool-error"),
    (words("new words"), "layout-changed"),
    (words("[1, 2]"), "layout-changed"),
    (result(content="text"), "layout-changed"),
    (result(content=[None, 7, {"type": "text", "text": None}]), "layout-changed"),
    ([], "bad-answer"),
    ([7, None, "x"], "bad-answer"),
    (7, "bad-answer"),
    ({"jsonrpc": "2.0", "id": 2, "result": {}}, "bad-answer"),
]


@pytest.mark.parametrize(("answer", "code"), REFUSALS)
def test_whatever_comes_instead_is_named(
    answer: object, code: str, call: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    for body, headers in ((event(answer), SSE), (json.dumps(answer).encode(), {})):
        with pytest.raises(BackendError) as caught:
            call(reply([body], 200, headers))
        assert caught.value.code == code


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"<!doctype html><title>Welcome</title>", 200, "bad-answer"),
        (b"<!doctype html><title>Just a moment...</title>", 200, "challenge"),
        (b"<!doctype html><title>Just a moment...</title>", 403, "challenge"),
        (b"Too many requests, your quota is used up.", 200, "rate-limit"),
        (b"[" * 100_000, 200, "bad-answer"),
        (b"\xff\xfe\x00", 200, "bad-answer"),
        (b"", 200, "bad-answer"),
        (b"", 502, "http-502"),
    ],
)
def test_what_is_no_json_at_all_is_named(
    body: bytes, status: int, code: str, call: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    for tool in (call_tool, call_tool_json):
        with pytest.raises(BackendError) as caught:
            call(reply([body] if body else [], status), tool=tool)
        assert caught.value.code == code
