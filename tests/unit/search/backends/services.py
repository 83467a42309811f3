"""Asks one web search service of the world once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intelli.errors import BackendError
from intelli.events import silent
from intelli.model.client import Models
from intelli.model.ledger import Ledger
from intelli.net.client import Network
from intelli.records import Answer, Query, Usage
from intelli.search.backend import BACKENDS, Equipment, make
from intelli.search.refusals import RefusedError
from intelli.settings import load
from tests.world.search import Hit
from tests.world.search_services import SERVICES, Mode, SearchService

KEY = "key-of-the-world-4711"
QUESTION = Query(text="how fast does the pump drain", urls=4)
HITS = (
    Hit(
        url="https://pumps.example.org/drain",
        title="Draining  a pump",
        text="It drains every 40 ms.",
        published="2026-03-04T08:00:00Z",
        author="Wim Voorbeeld",
    ),
    Hit(url="https://blog.example.net/p?id=7", title="Pumps"),
)
KEYLESS = [name for name in SERVICES if not BACKENDS[name].keyed]
KEYED = [name for name in SERVICES if BACKENDS[name].keyed]
WITH_KEYS = [name for name in SERVICES if BACKENDS[name].keys]


@dataclass
class Asked:
    """One search: the service, what came of it, and what it cost."""

    service: SearchService
    usage: Usage
    answer: Answer
    error: BackendError | None

    @property
    def request(self) -> Any:
        return self.service.server.log.exchanges[-1].request

    @property
    def refused(self) -> RefusedError:
        assert isinstance(self.error, RefusedError), self.error
        return self.error


def ask(
    name: str,
    home: Path,
    *modes: Mode,
    query: Query = QUESTION,
    hits: Sequence[Hit] = HITS,
    key: str | None = KEY,
    budget: float | None = None,
) -> Asked:
    async def run() -> Asked:
        network = Network(allow_private=False, max_bytes=10**6)
        async with SERVICES[name]() as service, network:
            service.hits += hits
            service.modes.set(*(modes or ("ok",)))
            settings = load(environ=service.env(key), cwd=home)
            ledger = Ledger(budget)
            models = Models(settings, network, ledger, silent)
            equipment = Equipment(settings=settings, network=network, models=models)
            answer, failure = Answer(links=()), None
            try:
                answer = await make(name, equipment).search(query)
            except BackendError as error:
                failure = error
            return Asked(service, ledger.usage, answer, failure)

    return asyncio.run(asyncio.wait_for(run(), 30))
