"""Backends that do as they are told, and the search over them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from intelli.errors import BackendError
from intelli.events import Event, Warned
from intelli.records import Answer, Link, Query
from intelli.search.backend import Family
from intelli.search.chain import Search
from intelli.search.race import Source


@dataclass
class Fixed:
    """A backend that always answers the same after a while, or fails with the nth error."""

    name: str
    urls: Sequence[str] = ()
    errors: Sequence[BaseException] = ()
    delay: float = 0.0
    family: Family = "web"
    asked: list[Query] = field(default_factory=list)
    peers: list[int] = field(default_factory=list)

    async def search(self, query: Query) -> Answer:
        self.asked.append(query)
        Fixed.open += 1
        self.peers.append(Fixed.open)
        try:
            await asyncio.sleep(self.delay)
        finally:
            Fixed.open -= 1
        if len(self.asked) <= len(self.errors):
            raise self.errors[len(self.asked) - 1]
        links = [
            Link(url=url, rank=n, title=f"{self.name} {n}", backend=self.name)
            for n, url in enumerate(self.urls, 1)
        ]
        return Answer(links=tuple(links), text="said", backend=self.name)


Fixed.open = 0  # type: ignore[attr-defined]
FOREVER = [BackendError("it is closed", code="closed")] * 99


def run(
    query: Query,
    *backends: Fixed,
    thorough: bool = False,
    limit: float = 20.0,
    fallback: Sequence[Fixed] = (),
) -> tuple[Answer, list[Event]]:
    events: list[Event] = []
    search = Search(
        [Source(backend=backend, family=backend.family) for backend in backends],
        fallback=[Source(backend=backend) for backend in fallback],
        limit=limit,
        thorough=thorough,
    )
    return asyncio.run(asyncio.wait_for(search(query, events.append), 30)), events


def warnings(events: Sequence[Event]) -> list[str]:
    return [event.message for event in events if isinstance(event, Warned)]


def found(query: Query, *urls: str) -> list[str]:
    answer, _ = run(query, Fixed("one", urls))
    return [link.url for link in answer.links]


ASK = Query(text="pump", urls=3)
A, B, C, D = (f"https://{name}.example.org/" for name in "abcd")
