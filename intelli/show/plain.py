"""Progress without a terminal: plain lines, a heartbeat when nothing happens, or JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from time import monotonic

from intelli.events import (
    Event,
    Indexing,
    LinksFound,
    NotesChecked,
    PageExtracted,
    PageFailed,
    PageFetched,
    PageStarted,
    Retrying,
    RunStarted,
    Spent,
    StageEnded,
    StageStarted,
    Warned,
)
from intelli.records import Research, Spend
from intelli.show.text import age, counted, indexing, line, money, size

HEARTBEAT = 10.0
"""Seconds of silence after which a line says that the run is alive."""


def snake(name: str) -> str:
    """`PageFetched` -> `page_fetched`."""
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


class JsonLines:
    """Every event as one JSON object on its own line."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write
        self._began = monotonic()

    def __call__(self, event: Event) -> None:
        at = round(monotonic() - self._began, 3)
        body = {"event": snake(type(event).__name__), "t": at, **asdict(event)}
        self._write(json.dumps(body, ensure_ascii=True))

    def beat(self) -> None:
        """Events speak for themselves."""


class PlainLines:
    """One line for each thing worth knowing."""

    def __init__(self, write: Callable[[str], None], *, verbose: bool = False) -> None:
        self._write = write
        self._verbose = verbose
        self._said = monotonic()
        self._stage = "at it"
        self._running: set[int] = set()
        self._spent: float | None = 0.0

    def __call__(self, event: Event) -> None:
        self._count(event)
        text = self._text(event)
        if text:
            self._write(text)
            self._said = monotonic()

    def beat(self) -> None:
        """To be called every second or so: breaks a silence of ten."""
        if monotonic() - self._said >= HEARTBEAT:
            pages = f", {counted(len(self._running), 'page')} under way" if self._running else ""
            self._write(f"still working: {self._stage}{pages}, {money(self._spent)} so far")
            self._said = monotonic()

    def _count(self, event: Event) -> None:
        if isinstance(event, StageStarted) and event.stage != "suggest":
            self._stage = event.stage
        elif isinstance(event, PageStarted):
            self._running.add(event.n)
        elif isinstance(event, PageExtracted | PageFailed):
            self._running.discard(event.n)
        elif isinstance(event, Spent):
            self._spent = event.usd

    def _text(self, event: Event) -> str:
        match event:
            case RunStarted(resumed=resumed) if resumed:
                return f"resuming {event.session}: {counted(resumed, 'page')} there already"
            case LinksFound():
                found = f"{counted(event.links, 'link')} from {event.backend}"
                return f"search: {found}{age(event.age_s)}"
            case PageFetched():
                odd = "" if event.verdict == "ok" else f", {event.verdict}"
                what = f"{event.via}{odd}, {size(event.chars)}{age(event.age_s)}"
                return f"[{event.n}] fetched {line(event.url, 90)} ({what})"
            case PageExtracted():
                return f"[{event.n}] extracted {size(event.chars)} ({event.source_type})"
            case PageFailed():
                reason = line(event.reason, 120)
                return f"[{event.n}] {event.status}: {line(event.url, 90)}: {reason}"
            case Retrying():
                return f"retrying {event.what} in {event.delay:.1f} s: {line(event.reason, 120)}"
            case Indexing():
                return indexing(event.done, event.of)
            case Warned():
                return f"warning: {line(event.message)}"
            case StageStarted(stage="collate"):
                return "collating"
        return _detail(event) if self._verbose else ""


def _detail(event: Event) -> str:
    """What only `-v` says."""
    match event:
        case PageStarted():
            return f"[{event.n}] fetching {line(event.url, 90)}"
        case StageEnded():
            return f"{event.stage}: {event.seconds:.1f} s"
        case NotesChecked():
            return _corrected(event)
    return ""


def closing_line(research: Research) -> str:
    """The last line of a run: sources used, time, cost, where the session is."""
    used = sum(source.status == "ok" for source in research.sources)
    noun = "source" if len(research.sources) == 1 else "sources"
    outcome = "" if research.outcome == "completed" else f"{research.outcome} · "
    where = f" · {research.path}" if research.path else ""
    return (
        f"{outcome}{used} of {len(research.sources)} {noun} · {research.timing.wall_s:.1f} s · "
        f"{money(research.usage.total.usd)}{_saved(research.usage.saved)}{where}"
    )


def _saved(spend: Spend) -> str:
    """What replies that were kept have saved, "" for nothing."""
    if not spend.calls:
        return ""
    return f" ({money(spend.usd)} saved by {counted(spend.calls, 'kept reply', 'kept replies')})"


def _corrected(event: NotesChecked) -> str:
    put_right = [f"  {line(each, 160)}" for each in event.repaired]
    left_out = [f"  not on the page: {line(each, 140)}" for each in event.dropped]
    head = f"notes on {line(event.url, 90)} held against the page:"
    return "\n".join([head, *put_right, *left_out])
