"""Server-sent events, however the bytes are cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from intelli.search.sse import Event, events, lines


async def chunks(body: bytes, size: int) -> AsyncIterator[bytes]:
    for n in range(0, len(body), size):
        yield body[n : n + size]


def read(body: bytes, size: int = 7) -> list[Event]:
    async def run() -> list[Event]:
        return [event async for event in events(chunks(body, size))]

    return asyncio.run(run())


BODY = ': hello\n\nevent: matches\r\ndata: {"a":\r\ndata: "🚰"}\r\n\r\ndata:x\n\nid: 1\n\n'


@pytest.mark.parametrize("size", [1, 2, 3, 5, 10_000])
def test_events_are_read_whatever_the_pieces(size: int) -> None:
    assert read(BODY.encode(), size) == [Event("matches", '{"a":\n"🚰"}'), Event("message", "x")]


def test_an_event_that_breaks_off_is_dropped() -> None:
    assert read(b"data: a\n\ndata: b\n") == [Event("message", "a")]
    assert read(b"") == []


def test_one_long_line_in_many_pieces_is_joined_once() -> None:
    async def run() -> list[str]:
        return [line async for line in lines(chunks(b"x" * 3_000_000 + b"\ny", 64))]

    first, second = asyncio.run(run())
    assert (len(first), second) == (3_000_000, "y")
