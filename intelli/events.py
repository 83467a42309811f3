"""What the pipeline says while it runs: frozen events handed to one callable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from intelli.records import Stage

_event = dataclass(frozen=True, slots=True, kw_only=True)


@_event
class RunStarted:
    """`resumed` is the number of finished pages taken over from a stopped run."""

    query: str
    engine: str
    session: str
    path: str
    resumed: int = 0


@_event
class StageStarted:
    stage: Stage


@_event
class StageEnded:
    stage: Stage
    seconds: float


@_event
class LinksFound:
    backend: str
    links: int


@_event
class PageStarted:
    n: int
    url: str


@_event
class PageFetched:
    """`via` names the reading that won, `chars` its length."""

    n: int
    url: str
    title: str
    via: str
    verdict: str
    chars: int


@_event
class PageExtracted:
    n: int
    url: str
    chars: int
    source_type: str


@_event
class PageFailed:
    """`status` is the source's: failed, duplicate, irrelevant, late or blocked."""

    n: int
    url: str
    stage: Stage
    status: str
    code: str
    reason: str


@_event
class Retrying:
    """A call is tried again after `delay` seconds."""

    what: str
    attempt: int
    delay: float
    reason: str


@_event
class Spent:
    """The run's total so far; `usd` is None when a price is unknown."""

    usd: float | None
    input_tokens: int
    output_tokens: int


@_event
class Warned:
    message: str


@_event
class RunEnded:
    outcome: str
    session: str
    path: str
    sources: int
    wall_s: float
    usd: float | None


Event = (
    RunStarted | StageStarted | StageEnded | LinksFound | PageStarted | PageFetched
    | PageExtracted | PageFailed | Retrying | Spent | Warned | RunEnded
)  # fmt: skip
Emit = Callable[[Event], None]


def silent(event: Event) -> None:
    """An `Emit` for callers that do not listen."""
