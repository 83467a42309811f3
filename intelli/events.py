"""What the pipeline says while it runs: frozen events handed to one callable."""

from __future__ import annotations

from collections.abc import Callable

from intelli.records import Stage, record


@record
class RunStarted:
    """`resumed` is the number of finished pages taken over from a stopped run."""

    query: str
    engine: str
    session: str
    path: str
    resumed: int = 0


@record
class StageStarted:
    stage: Stage


@record
class StageEnded:
    stage: Stage
    seconds: float


@record
class LinksFound:
    """`age_s` is set for an answer that was kept from an earlier search."""

    backend: str
    links: int
    age_s: float | None = None


@record
class PageStarted:
    n: int
    url: str


@record
class PageFetched:
    """`via` names the reading that won, `chars` its length; `age_s` is set for a page that was kept
    from an earlier run."""

    n: int
    url: str
    title: str
    via: str
    verdict: str
    chars: int
    age_s: float | None = None


@record
class PageExtracted:
    n: int
    url: str
    chars: int
    source_type: str


@record
class NotesChecked:
    """What a model had copied wrongly from a page: `copied -> page`, and what was left out."""

    url: str
    repaired: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


@record
class PageFailed:
    """`status` is the source's: failed, duplicate, irrelevant, late or blocked."""

    n: int
    url: str
    stage: Stage
    status: str
    code: str
    reason: str


@record
class Retrying:
    """A call is tried again after `delay` seconds."""

    what: str
    attempt: int
    delay: float
    reason: str


@record
class Spent:
    """The run's total so far; `usd` is None when a price is unknown."""

    usd: float | None
    input_tokens: int
    output_tokens: int


@record
class Indexing:
    """A cache of many sessions is read for the first time."""

    done: int
    of: int


@record
class Warned:
    message: str


@record
class RunEnded:
    outcome: str
    session: str
    path: str
    sources: int
    wall_s: float
    usd: float | None


Event = (
    RunStarted | StageStarted | StageEnded | LinksFound | PageStarted | PageFetched
    | PageExtracted | NotesChecked | PageFailed | Retrying | Spent | Indexing | Warned | RunEnded
)  # fmt: skip
Emit = Callable[[Event], None]


def silent(event: Event) -> None:
    """An `Emit` for callers that do not listen."""


class Broadcast:
    """An `Emit` with several listeners, who hear every event in the order in which they joined."""

    def __init__(self, *listeners: Emit) -> None:
        self._listeners = list(listeners)

    def __call__(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)

    def add(self, listener: Emit) -> None:
        """Let `listener` hear what is said from now on."""
        self._listeners.append(listener)
