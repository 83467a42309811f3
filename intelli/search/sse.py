"""Server-sent events out of a body that arrives in pieces."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import NamedTuple


class Event(NamedTuple):
    """One event; `name` is `message` where the server gives none."""

    name: str
    data: str


async def lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """The lines of a body without their ends; a piece may end inside of a character."""
    held: list[bytes] = []
    async for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        held.append(first)
        for line in rest:
            yield _decoded(held)
            held = [line]
    if any(held):
        yield _decoded(held)


async def events(chunks: AsyncIterator[bytes]) -> AsyncGenerator[Event, None]:
    """Each event when its blank line has come; what breaks off inside of one is dropped."""
    name, data = "", list[str]()
    async for line in lines(chunks):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif not line and data:
            yield Event(name or "message", "\n".join(data))
            name, data = "", []


def _decoded(pieces: list[bytes]) -> str:
    return b"".join(pieces).rstrip(b"\r").decode("utf-8", "replace")
