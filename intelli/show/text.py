"""Text that is safe to show: nothing that came from a page may steer a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d{1,6})?)?(?:Z|\+00:00)")


def clean(text: str) -> str:
    """`text` without control, zero-width and direction characters; tabs and newlines stay."""
    return _CONTROL.sub("", text)


def marked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Clean `text` with the characters of each span (start, end) in reverse video."""
    parts: list[str] = []
    position = 0
    for start, end in spans:
        hit = clean(text[start:end])
        parts += [clean(text[position:start]), f"\x1b[7m{hit}\x1b[27m" if hit else ""]
        position = end
    return "".join(parts) + clean(text[position:])


def line(text: str, width: int = 0) -> str:
    """One clean line, shortened to `width` characters where that is not 0."""
    flat = " ".join(clean(text).split())
    return flat if not width or len(flat) <= width else flat[: max(1, width - 1)].rstrip() + "…"


def money(usd: float | None) -> str:
    """`$0.0312`, or that the price is unknown."""
    return "cost unknown" if usd is None else f"${usd:.4f}"


def moment(timestamp: str) -> str:
    """`2026-04-19 10:00 UTC`; what is no time in UTC stays as it is."""
    found = _MOMENT.fullmatch(timestamp)
    return f"{found[1]} {found[2]} UTC" if found else line(timestamp, 40)


def indexing(done: int, of: int) -> str:
    """How far the reading of a large cache is."""
    return f"reading the stored sessions: {done:,} of {of:,}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 page`, `2 pages`."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def age(seconds: float | None) -> str:
    """`, kept 12 min` for what was kept from an earlier run, "" for what is new."""
    if seconds is None:
        return ""
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f", kept {seconds / length:.0f} {unit}"
    return f", kept {seconds:.0f} s"


def size(chars: int) -> str:
    """`950`, `48k`, `1.2M` characters."""
    if chars < 1000:
        return str(chars)
    return f"{chars / 1000:.0f}k" if chars < 1_000_000 else f"{chars / 1_000_000:.1f}M"


def on_disk(taken: int) -> str:
    """`14 kB`, `1.2 MB`, `12 MB` for a number of bytes."""
    if taken < 1_000_000:
        return f"{-(-taken // 1000)} kB"
    return f"{taken / 1e6:.1f} MB" if taken < 1e7 else f"{taken / 1e6:,.0f} MB"
