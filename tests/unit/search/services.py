"""A service that does as it is told, and the state of its pacing."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from intelli.errors import BackendError
from intelli.records import Answer, Link, Query
from intelli.search.pacing import Pacer
from intelli.search.polite import Polite
from intelli.search.refusals import RefusedError

ASK = Query(text="pump", urls=3)
ROOT = Path(__file__).parents[3]


@dataclass
class Service:
    """Fails with the nth error, answers once they are used up, and remembers when it was asked."""

    errors: Sequence[BackendError] = ()
    delay: float = 0.0
    name: str = "service"
    asked: list[Query] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    open: int = 0
    peak: int = 0

    async def search(self, query: Query) -> Answer:
        self.asked.append(query)
        self.times.append(time.time())
        self.open += 1
        self.peak = max(self.peak, self.open)
        await asyncio.sleep(self.delay)
        self.open -= 1
        if len(self.asked) <= len(self.errors):
            raise self.errors[len(self.asked) - 1]
        return Answer(links=(Link(url=f"https://a.example.org/{len(self.asked)}"),))


def polite(service: Service, *, identity: str = "at home", interval: float = 0.0) -> Polite:
    return Polite(service, Pacer(service.name, identity, interval=interval), hint="set a key")


def ask(backend: Any, query: Query = ASK) -> str:
    """ "ok", or the code of the error."""
    try:
        asyncio.run(asyncio.wait_for(backend.search(query), 60))
    except BackendError as error:
        return error.code
    return "ok"


def challenge() -> BackendError:
    return RefusedError("it asked for a bot check (HTTP 202)", code="challenge")


def limited(retry_after: float | None = None) -> RefusedError:
    return RefusedError("HTTP 429", code="rate-limit", retry_after=retry_after)


def state(home: Path) -> Path:
    (file,) = (home / "state").rglob("service-*.json")
    return file


def left(home: Path) -> float:
    """Seconds of the pause, counted from its beginning."""
    data = json.loads(state(home).read_text())
    return round(data["until"] - data["since"])


def elapse(home: Path) -> None:
    """Let the pause be over."""
    file = state(home)
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "since": 0, "until": time.time() - 1}))
