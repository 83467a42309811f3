"""Asks one backend, made as the program makes it, over a server of the world or given bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from intelli.errors import BackendError
from intelli.events import silent
from intelli.model.client import Models
from intelli.model.ledger import Ledger
from intelli.net.client import Network
from intelli.records import Answer, Link, Query
from intelli.search.backend import Equipment, make
from intelli.settings import load
from tests.world.http import Request, Server, Wire
from tests.world.search_verticals import EXAMPLES, VERTICALS
from tests.world.vertical import Vertical

QUESTION = "how does a hand pump drain its queue"


class Canned:
    """Answers the nth request with the nth body, the last one from then on; `pieces` are sent one
    by one and the connection then left open."""

    def __init__(
        self,
        *bodies: bytes,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        pieces: Sequence[bytes] = (),
        path: str = "/api",
    ) -> None:
        self.server = Server(self._handle)
        self._bodies = list(bodies)
        self._status = status
        self._headers = headers or {}
        self._pieces = pieces
        self._path = path

    @property
    def url(self) -> str:
        return self.server.url(self._path)

    async def _handle(self, request: Request, wire: Wire) -> None:
        if self._pieces:
            await wire.head(200, {"Transfer-Encoding": "chunked", **self._headers})
            for piece in self._pieces:
                await wire.chunk(piece)
                await asyncio.sleep(0.005)
            await wire.hang()
        body = self._bodies.pop(0) if len(self._bodies) > 1 else self._bodies[0]
        await wire.reply(self._status, body, "application/json", self._headers)


def ask(
    name: str,
    service: Vertical | Canned,
    query: str | Query = QUESTION,
    *,
    environ: Mapping[str, str] | None = None,
    budget: float | None = None,
    **settings: str,
) -> Answer:
    """The answer of the backend `name`; what it asked is in `service.server.log`. `budget` is in
    US dollars."""

    async def run() -> Answer:
        await service.server.start()
        options = {f"backends.{name}.{key}": value for key, value in settings.items()}
        options[f"backends.{name}.url"] = service.url
        known = load(dict(options), environ=dict(environ or {}), cwd=Path("/"))
        try:
            async with Network(allow_private=False, max_bytes=10**6) as network:
                models = Models(known, network, Ledger(budget), silent)
                equipment = Equipment(settings=known, network=network, models=models)
                backend = make(name, equipment)
                asked = query if isinstance(query, Query) else Query(text=query)
                return await backend.search(asked)
        finally:
            await service.server.stop()

    return asyncio.run(asyncio.wait_for(run(), 30))


def refusal(
    name: str,
    service: Vertical | Canned,
    query: str = QUESTION,
    *,
    environ: Mapping[str, str] | None = None,
) -> BackendError:
    """The error with which the backend ends."""
    try:
        answer = ask(name, service, query, environ=environ)
    except BackendError as error:
        return error
    raise AssertionError(f"answered {answer.links}")


def links(name: str, body: bytes, query: str | Query = QUESTION) -> tuple[Link, ...]:
    """The links that the backend makes of one answer."""
    return ask(name, Canned(body), query).links


def asked(service: Vertical | Canned) -> list[Request]:
    return [exchange.request for exchange in service.server.log.exchanges]


def filled(name: str) -> Vertical:
    """The service `name` of the world with one hit of every field."""
    service = VERTICALS[name]()
    service.hits.append(
        replace(
            EXAMPLES[name],
            title="Draining & filling a hand pump",
            published="2026-03-04",
            author="Wim Voorbeeld",
            text="The pump drains its queue <every> 40 ms.",
        )
    )
    return service
