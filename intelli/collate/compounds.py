"""Figures that are written in several numbers: grouped digits, fractions, times of the day."""

from __future__ import annotations

import re
from collections.abc import Iterator

_GROUPED = re.compile(
    r"(?<![\w.,'])(?<!\d )\d{1,3}([ '_])\d{3}(?:\1\d{3})*(?P<part>[.,]\d{1,2})?(?![ '_]?\d)"
)
_FRACTION = re.compile(r"(?<![\w./])(?:(\d{1,3}) {1,2})?(\d)/([2-9])(?![\w/])")
_CLOCK = re.compile(
    r"(?<![\w.:])(?:(?P<hour>1[0-2]|0?[1-9])(?::(?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?P<hours>[01]?\d|2[0-3]):(?P<minutes>[0-5]\d)(?::[0-5]\d)?(?![\w:]))"
)

Compound = tuple[int, int, str, float, str]


def compounds(text: str) -> Iterator[Compound]:
    """(start, end, digits, value, unit) of each in a folded lower-case text: `4 500`, `1 1/2`,
    `5:30 pm`; the unit is `clock`, minutes since midnight, or none yet. Linear."""
    for match in _GROUPED.finditer(text):
        digits = re.sub(r"[ '_]", "", match.group()).replace(",", ".")
        yield match.start(), match.end(), digits, float(digits), ""
    for match in _FRACTION.finditer(text):
        whole, over, under = (int(part or 0) for part in match.groups())
        if 0 < over < under:
            value = whole + over / under
            yield match.start(), match.end(), f"{value:.4g}", value, ""
    for match in _CLOCK.finditer(text):
        hour = int(match["hour"] or match["hours"])
        if match["half"]:
            hour = hour % 12 + 12 * (match["half"] == "p")
        minute = int(match["minute"] or match["minutes"] or 0)
        yield match.start(), match.end(), f"{hour}:{minute:02}", 60.0 * hour + minute, "clock"
