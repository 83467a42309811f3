"""Dates of a text, in any order and form, brought to one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from intelli.collate.lexicon import MONTHS

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = r"(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
_DATES = (
    re.compile(
        rf"\b(?P<month>{_MONTH})\b\.?,?(?:\s(?:the\s)?{_DAY.format('day')}(?![\d:]|[.,]\d))?"
        r"(?:,?\s(?:of\s)?(?P<year>[12]\d{3})\b)?"
    ),
    re.compile(
        rf"\b{_DAY.format('day')}[\s-](?:of\s)?(?P<month>{_MONTH})\b\.?,?"
        r"(?:[\s-]+(?:of\s)?(?P<year>[12]\d{3})\b)?"
    ),
    re.compile(r"\b(?P<year>[12]\d{3})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)"),
    re.compile(r"\b(?P<year>[12]\d{3})-(?P<month>\d{2})(?![-\d])"),
    re.compile(r"\b(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>[0-3]\d)\b"),
)
_SLASHED = re.compile(r"(?<![\d/.])(\d{1,2})[/.](\d{1,2})[/.]((?:19|20)?\d{2})(?![\d/])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """A calendar date or a part of one; `start:end` in the folded text. `either` says that day and
    month may be meant the other way round."""

    start: int
    end: int
    month: int
    day: int | None = None
    year: int | None = None
    either: bool = False


def dates(text: str) -> list[Date]:
    """Every date of a folded lower-case text that names a month. Linear."""
    found = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            date = _date(match)
            if date:
                found.append(date)
    for match in _SLASHED.finditer(text):
        found.extend(_slashed(match))
    return found


def _slashed(match: re.Match[str]) -> Iterator[Date]:
    first, second, year = (int(part) for part in match.groups())
    year += 0 if year > 99 else 2000 if year < 50 else 1900
    either = first != second and max(first, second) <= 12
    for month, day in dict.fromkeys(((first, second), (second, first))):
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield Date(
                start=match.start(), end=match.end(),
                month=month, day=day, year=year, either=either,
            )  # fmt: skip


def _date(match: re.Match[str]) -> Date | None:
    name = match["month"]
    month = int(name) if name.isdigit() else MONTHS[name]
    groups = match.groupdict()
    day = int(groups["day"]) if groups.get("day") else None
    year = int(groups["year"]) if groups.get("year") else None
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return Date(start=match.start(), end=match.end(), month=month, day=day, year=year)
