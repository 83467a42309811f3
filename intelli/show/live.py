"""Progress on a terminal: the stages, each page and what became of it, the money so far."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.text import Text

from intelli.events import (
    Event,
    Indexing,
    LinksFound,
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
from intelli.records import Stage
from intelli.show.text import age, counted, indexing, line, money, size

SHOWN: tuple[Stage, ...] = ("search", "fetch", "extract", "collate")
OTHER_LINES = 4
"""Lines of the display that are not pages."""


FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
WIDE = 60
"""Columns below which stages are shown by their initials."""


@dataclass(slots=True)
class Row:
    """One page as it stands: `mark` tells the state without colour."""

    site: str
    mark: str = "·"
    state: str = "waiting"
    style: str = "dim"


class LiveProgress:
    """An event listener that redraws a small table on stderr until `stop` is called."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._rows: dict[int, Row] = {}
        self._stages: dict[str, str] = {}
        self._note = ""
        self._spent: float | None = 0.0
        self._began = monotonic()
        self._live = Live(
            self, console=console, transient=True, refresh_per_second=8, redirect_stdout=False
        )
        self._live.start()

    def __call__(self, event: Event) -> None:
        match event:
            case RunStarted(resumed=resumed) if resumed:
                self._note = f"resuming: {counted(resumed, 'page')} there already"
            case StageStarted():
                self._stages[event.stage] = "running"
            case StageEnded():
                self._stages[event.stage] = f"{event.seconds:.1f} s"
            case LinksFound():
                found = f"{counted(event.links, 'link')} from {event.backend}"
                self._note = f"{found}{age(event.age_s)}"
            case Spent():
                self._spent = event.usd
            case Retrying():
                self._note = f"retrying {event.what} in {event.delay:.1f} s: {event.reason}"
            case Indexing():
                self._note = indexing(event.done, event.of)
            case Warned():
                self._console.print(Text(f"warning: {line(event.message)}", style="yellow"))
            case _:
                self._page(event)

    def beat(self) -> None:
        """The display moves by itself."""

    def stop(self) -> None:
        """Take the display away."""
        self._live.stop()

    def _page(self, event: Event) -> None:
        match event:
            case PageStarted():
                self._rows[event.n] = Row(_site(event.url), "↓", "fetching", "default")
            case PageFetched():
                odd = "" if event.verdict == "ok" else f" ({event.verdict})"
                state = f"{event.via}{odd} {size(event.chars)}{age(event.age_s)}, extracting"
                self._rows[event.n] = Row(_site(event.url), "…", state, "default")
            case PageExtracted():
                row = self._rows.setdefault(event.n, Row(_site(event.url)))
                kept = row.state.removesuffix(", extracting")
                row.mark, row.style = "✓", "green"
                row.state = f"{kept} → {size(event.chars)} {event.source_type}"
            case PageFailed():
                style = "yellow" if event.status in ("duplicate", "irrelevant") else "red"
                mark = "–" if style == "yellow" else "✗"
                state = f"{event.status}: {event.reason}"
                self._rows[event.n] = Row(_site(event.url), mark, state, style)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        yield self._stage_line()
        room = max(1, options.max_height - OTHER_LINES)
        hidden = max(0, len(self._rows) - room)
        yield from (_row(n, row, width) for n, row in sorted(self._rows.items())[hidden:])
        if self._note:
            yield Text(line(self._note, width - 1), style="dim")

    def _stage_line(self) -> Text:
        seconds = monotonic() - self._began
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(FRAMES[int(seconds * 8) % len(FRAMES)] + " ")
        for stage in SHOWN:
            state = self._stages.get(stage)
            style = "dim" if state is None else "bold" if state == "running" else "green"
            mark = "✓" if state and state != "running" else "▸" if state else "·"
            name = stage if self._console.width >= WIDE else stage[0]
            text.append(f"{mark} {name} ", style=style)
        text.append(f" {seconds:.0f} s  {money(self._spent)}", style="cyan")
        return text


def _row(n: int, row: Row, width: int) -> Text:
    """Number, mark, page and state on one line, however narrow the terminal is."""
    room = max(10, width // 3)
    text = Text(f"{n:>2} ", no_wrap=True, overflow="ellipsis")
    text.append(f"{row.mark} ", style=row.style)
    text.append(f"{line(row.site, room):<{room}} ")
    text.append(line(row.state), style=row.style)
    return text


def _site(url: str) -> str:
    """Host and path of an address, the name of a file."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if not parts.hostname:
        return parts.path.rpartition("/")[2] or url
    return parts.hostname.removeprefix("www.") + parts.path.rstrip("/")
