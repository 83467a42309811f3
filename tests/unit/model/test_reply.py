"""What a chat completion says, whole or streamed, and what is no completion at all."""

from __future__ import annotations

import json

import pytest

from intelli.errors import ModelError
from intelli.model.reply import parse

JSON = "application/json"
SSE = "text/event-stream"


def frames(*chunks: object) -> bytes:
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    return f": PROCESSING\n\n{body}data: [DONE]\n\n".encode()


def chunk(text: str, **more: object) -> dict[str, object]:
    return {"choices": [{"delta": {"content": text}, **more}]}


def test_a_stream_becomes_one_reply_with_links_from_any_chunk() -> None:
    note = {"type": "url_citation", "url_citation": {"url": "https://b.example/", "title": "B"}}
    body = frames(
        {"choices": [{"delta": {"content": "", "annotations": [note]}}]},
        {**chunk("Twelve "), "citations": ["https://a.example/"]},
        chunk("litres.", finish_reason="stop"),
        {"choices": [{"delta": {}}], "usage": {"prompt_tokens": 3, "cost": 0.5}},
    )
    reply = parse(body, SSE)
    assert reply.text == "Twelve litres."
    assert reply.finish_reason == "stop"
    assert {c.url for c in reply.citations} == {"https://a.example/", "https://b.example/"}
    assert reply.spend.usd == 0.5


def test_an_error_in_the_middle_of_a_stream_is_an_error() -> None:
    body = frames(chunk("Twel"), {"error": {"code": 502, "message": "gone"}, "choices": []})
    with pytest.raises(ModelError, match="gone") as caught:
        parse(body, SSE)
    assert caught.value.retryable


def test_a_cut_last_frame_does_not_lose_the_others() -> None:
    body = frames(chunk("Twelve"))[: -len(b"data: [DONE]\n\n")] + b'data: {"choi'
    assert parse(body, SSE).text == "Twelve"


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"[]", b"null", b"{}", b'{"choices": []}', b'{"choices": {"a": 1}}', b"\xff"],
)
def test_what_is_no_completion_is_an_error_of_ours(body: bytes) -> None:
    with pytest.raises(ModelError):
        parse(body, JSON)


@pytest.mark.parametrize("content", [None, 7, {"a": 1}, []])
def test_content_of_another_kind_is_no_text(content: object) -> None:
    body = json.dumps({"choices": [{"message": {"content": content}}]}).encode()
    assert parse(body, JSON).text == ""


def test_content_parts_are_joined() -> None:
    parts = [{"type": "text", "text": "Twelve "}, {"type": "text", "text": "litres."}]
    body = json.dumps({"choices": [{"message": {"content": parts}}]}).encode()
    assert parse(body, JSON).text == "Twelve litres."
