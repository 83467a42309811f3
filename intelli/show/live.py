"""Progress on a terminal: the stages, each page and what became of it, the money so far."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from intelli.events import (
    Event,
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
from intelli.show.text import line, money, size

SHOWN: tuple[Stage, ...] = ("search", "fetch", "extract", "collate")
OTHER_LINES = 4
"""Lines of the display that are not pages."""


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
        self._spinner = Spinner("dots")
        self._live = Live(
            self, console=console, transient=True, refresh_per_second=8, redirect_stdout=False
        )
        self._live.start()

    def __call__(self, event: Event) -> None:
        match event:
            case RunStarted(resumed=resumed) if resumed:
                self._note = f"resuming: {resumed} pages are there already"
            case StageStarted():
                self._stages[event.stage] = "running"
            case StageEnded():
                self._stages[event.stage] = f"{event.seconds:.1f} s"
            case LinksFound():
                self._note = f"{event.links} links from {event.backend}"
            case Spent():
                self._spent = event.usd
            case Retrying():
                self._note = f"retrying {event.what} in {event.delay:.1f} s: {event.reason}"
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
                state = f"{event.via}{odd} {size(event.chars)}, extracting"
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
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right", no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, max_width=max(12, width // 3))
        table.add_column(no_wrap=True, overflow="ellipsis")
        for n, row in sorted(self._rows.items())[hidden:]:
            table.add_row(
                str(n),
                Text(row.mark, style=row.style),
                Text(line(row.site, max(12, width // 3))),
                Text(line(row.state), style=row.style),
            )
        yield table
        if self._note:
            yield Text(line(self._note, width - 1), style="dim")

    def _stage_line(self) -> Table:
        seconds = monotonic() - self._began
        text = Text()
        for stage in SHOWN:
            state = self._stages.get(stage)
            style = "dim" if state is None else "bold" if state == "running" else "green"
            mark = "✓" if state and state != "running" else "▸" if state else "·"
            text.append(f"{mark} {stage} ", style=style)
        text.append(f" {seconds:.0f} s  {money(self._spent)}", style="cyan")
        table = Table.grid(padding=(0, 1))
        table.add_row(self._spinner, text)
        return table


def _site(url: str) -> str:
    parts = urlsplit(url)
    return parts.hostname or parts.path.rpartition("/")[2] or url
