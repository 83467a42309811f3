"""What only a terminal gets: typeset Markdown and a display that moves."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.markdown import Markdown

from intelli.show.live import LiveProgress
from intelli.show.text import clean


def typeset(stream: TextIO, markdown: str) -> None:
    """Print Markdown with headings, tables, code and working links."""
    _console(stream).print(Markdown(clean(markdown), hyperlinks=True))


def live_progress(stream: TextIO) -> LiveProgress:
    """A listener that redraws a small table until it is stopped."""
    return LiveProgress(_console(stream))


def _console(stream: TextIO) -> Console:
    return Console(file=stream, highlight=False)
