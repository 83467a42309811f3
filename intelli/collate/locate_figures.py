"""Where a figure or a date stands in a source, in whatever form it is written there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from intelli.collate.bounds import direction
from intelli.collate.dates import Date
from intelli.collate.details import Detail
from intelli.collate.figures import Figure
from intelli.collate.lexicon import SCALE_WORDS, UNITS
from intelli.collate.rates import BITS, RATE_UNITS, same_rate
from intelli.collate.sources import SourceText

Span = tuple[int, int]

_HEDGED = 0.05
_PLAIN = 0.01
_NEAR = 60
_BEFORE = 12
_TABLE = 1500
_UNIT_NAMES: dict[str, tuple[str, ...]] = {}
for _name, (_dimension, _) in UNITS.items():
    if len(_name) > 2 or not _name.isalpha():
        _UNIT_NAMES[_dimension] = (*_UNIT_NAMES.get(_dimension, ()), _name)
_UNIT_NAMES["data"] += (*BITS, *(name for name, rate in RATE_UNITS.items() if rate[0] == "data"))
_UNIT_NAMES["months"] += ("age", "old")


def find_figure(detail: Detail, source: SourceText, near: int) -> tuple[Span, ...]:
    """The figure itself, the same amount in another unit, or one that it rounds."""
    figure = detail.figure
    assert figure is not None
    for candidates in _readings(figure, detail, source):
        best = min(
            (each for each in candidates if _counts_the_same(detail, each, source)),
            key=lambda each: (bool(each.unit) != bool(figure.unit), abs(each.start - near)),
            default=None,
        )
        if best is not None:
            return ((best.start, max(best.end, best.unit_end, best.rate_end)),)
    return ()


def _counts_the_same(detail: Detail, other: Figure, source: SourceText) -> bool:
    """`35 adults` is not 35 percent, and `100 per second` not 100 per minute."""
    figure = detail.figure
    assert figure is not None
    millions = other.unit == "length" and other.scale > 1  # `3m users`
    if figure.counted and other.unit and not millions:
        return False
    there = direction(source.folded.lower, other)
    if not detail.direction.agrees(there):
        return False
    theirs = other.per or there.period
    if detail.direction.period and not figure.per and theirs:
        return not set(detail.direction.period).isdisjoint(theirs)
    if not figure.per or theirs == figure.per or _same_amount_per(figure, other):
        return True
    around = _around(other, source)
    if "|" in around:  # the head of a table may name the period once
        around = source.folded.lower[max(0, other.start - _TABLE) : other.start] + around
    return same_rate(figure.per, theirs, around)


def _same_amount_per(figure: Figure, other: Figure) -> bool:
    """`1 per second` is 60 per minute."""
    if len(figure.per) != 1 or len(other.per) != 1 or figure.unit != other.unit:
        return False
    (dimension, length), (other_dimension, other_length) = figure.per[0], other.per[0]
    if dimension != other_dimension or not figure.values or not other.values:
        return False
    ours = figure.values[0] * figure.factor / length
    theirs = other.values[0] * other.factor / other_length
    return abs(ours - theirs) <= 1e-9 * abs(theirs)


def _around(figure: Figure, source: SourceText) -> str:
    return source.folded.lower[max(0, figure.start - _NEAR) : figure.end + _NEAR]


def _readings(figure: Figure, detail: Detail, source: SourceText) -> Iterable[Iterable[Figure]]:
    if figure.kind == "decade":
        yield _decade(figure, source)
        return
    if detail.needle.lower().startswith(("double", "triple", "quadruple")):
        yield [each for each in source.values(figure.values[0]) if each.kind == "count"]
        return
    if figure.kind == "version" or not figure.values:
        yield _versions(figure, source)
        return
    if figure.kind == "ordinal":
        yield [each for each in source.values(figure.values[0]) if _is_ordinal(each, source)]
        yield [each for each in source.by_digits.get(figure.digits, []) if each.kind == "number"]
        if detail.of_century:
            yield _years_of(figure.values[0], source)
        return
    yield from _amounts(figure, source)
    if figure.kind not in ("word", "count"):
        if not figure.unit and figure.scale == 1:
            yield [each for each in _versions(figure, source) if not each.unit and each.scale == 1]
        yield _rounded_from(figure, detail, source)


def _amounts(figure: Figure, source: SourceText) -> Iterable[Iterable[Figure]]:
    yield [each for each in source.by_digits.get(figure.digits, []) if agrees(figure, each, source)]
    yield [
        each
        for value in figure.values
        for each in source.values(value)
        if agrees(figure, each, source)
    ]
    if figure.unit:
        yield source.quantities(figure.unit, figure.values[0] * figure.factor)
    if figure.per:
        yield [each for each in source.figures if _same_amount_per(figure, each)]
    if figure.unit == "months" and figure.factor == 12:
        yield _spans_of_years(figure.values[0], source)


def _decade(figure: Figure, source: SourceText) -> list[Figure]:
    digits = figure.digits[:-1]
    return [
        each
        for each in source.figures
        if each.digits[:-1].endswith(digits)
        and ((each.kind == "decade" and each.digits[-1] == "0") or len(each.digits) == 4)
        and len(each.digits) in (2, 4)
    ]


def _versions(figure: Figure, source: SourceText) -> list[Figure]:
    """The same version or a closer one of its line: `3.11` is named by `3.11.4`."""
    exact = source.by_digits.get(figure.digits, [])
    if exact or "." not in figure.digits:
        return exact
    line = figure.digits + "."
    return [each for each in source.figures if each.digits.startswith(line)]


def _is_ordinal(figure: Figure, source: SourceText) -> bool:
    if figure.kind == "ordinal":
        return True
    text = source.folded.lower
    before = text[max(0, figure.start - 2) : figure.start]
    after = text[figure.end : figure.end + 10]
    return before.endswith(("q", "#")) or bool(re.match(r"[\s-](?:century|edition|grade)", after))


def _years_of(century: float, source: SourceText) -> list[Figure]:
    low = (century - 1) * 100
    return [
        each
        for each in source.figures
        if len(each.digits) in (3, 4) and each.values and low <= each.values[0] <= low + 100
    ]


def _spans_of_years(length: float, source: SourceText) -> list[Figure]:
    """`1979 to 1990` for eleven years."""
    years = [each for each in source.figures if _is_year(each)]
    return [
        first
        for first, second in pairwise(years)
        if second.start - first.end < 30 and second.values[0] - first.values[0] == length
    ]


def _is_year(figure: Figure) -> bool:
    return len(figure.digits) == 4 and figure.kind == "number" and 1000 <= figure.values[0] < 2100


def agrees(figure: Figure, other: Figure, source: SourceText) -> bool:
    """Whether unit and scale of a figure with the same digits or value fit the claim's."""
    if not _same_scale(figure, other, source):
        return False
    if figure.kind == "number" and other.kind == "decade":
        return False
    if other.scale == figure.scale > 1 and not other.unit and len(figure.values) > 1:
        return True  # `2m rows` are no metres
    if not figure.unit or (other.unit, other.factor) == (figure.unit, figure.factor):
        return figure.scale > 1 or other.scale == 1 or other.values[0] in figure.values
    if other.unit:
        return {figure.unit, other.unit} == {"mass", "gbp"}  # "pounds" may be either
    return _unit_nearby(figure.unit, other, source)


def _same_scale(figure: Figure, other: Figure, source: SourceText) -> bool:
    """`1.65 million` is not `1.65 billion`, and `1.65` only where all figures are in millions."""
    if figure.scale == 1 or figure.digits != other.digits:
        return True
    if other.scale > 1:
        return figure.scale == other.scale
    return other.values[:1] == figure.values[:1] or _scaled_nearby(figure, source)


def _scaled_nearby(figure: Figure, source: SourceText) -> bool:
    """A table may say `in millions` once for all its figures."""
    words = [word for word, scale in SCALE_WORDS.items() if scale == figure.scale]
    return any(f"in {word}s" in source.folded.lower for word in words)


def _unit_nearby(unit: str, figure: Figure, source: SourceText) -> bool:
    around = _around(figure, source)
    if figure.counted:  # only right before it: `USD 5 billion profits`
        around = source.folded.lower[max(0, figure.start - _BEFORE) : figure.start]
    return any(name in around for name in _UNIT_NAMES.get(unit, ()))


def _rounded_from(figure: Figure, detail: Detail, source: SourceText) -> list[Figure]:
    """Figures that the claim's rounds: at most 5 % off with a hedge, 1 % without; never years,
    and never one with as few digits as the claim's own."""
    value = figure.values[0]
    digits = _significant(figure.digits)
    bare = figure.scale == 1 and not figure.unit and "." not in figure.digits
    if not value or figure.unit == "clock" or (bare and 1000 <= value <= 2100):
        return []
    if bare and not (figure.counted or detail.hedged):
        return []  # the number of a port or a standard
    tolerance = _HEDGED if detail.hedged else _PLAIN
    amount = value * figure.factor
    found = []
    for each in source.figures:
        if not each.values or (each.unit and figure.unit and each.unit != figure.unit):
            continue
        other = each.values[0] * (each.factor if figure.unit and each.unit else figure.factor)
        if abs(other - amount) <= tolerance * abs(other) and _significant(each.digits) > digits:
            found.append(each)
    return found


def _significant(digits: str) -> int:
    bare = digits.replace(".", "").lstrip("0")
    return len(bare) if "." in digits else len(bare.rstrip("0"))


def find_date(detail: Detail, source: SourceText, near: int) -> tuple[Span, ...]:
    """The whole date in any format; else its day and month in one place, its year in another."""
    date = detail.date
    assert date is not None
    found = _find_reading(date, source, near)
    if found or not date.either or date.day is None:
        return found
    return _find_reading(replace(date, month=date.day, day=date.month), source, near)


def _find_reading(date: Date, source: SourceText, near: int) -> tuple[Span, ...]:
    same_month = [each for each in source.dates if each.month == date.month]
    whole = [
        each
        for each in same_month
        if date.day in (None, each.day) and date.year in (None, each.year)
    ]
    if whole:
        best = min(whole, key=lambda each: abs(each.start - near))
        return ((best.start, best.end),)
    part = [each for each in same_month if date.day in (None, each.day)]
    years = source.by_digits.get(str(date.year), []) if date.year else []
    if date.year is None or not part or not years:
        return ()
    open_part = [each for each in part if each.year is None] or part
    first = min(open_part, key=lambda each: abs(each.start - near))
    second = min(years, key=lambda each: abs(each.start - first.start))
    return (first.start, first.end), (second.start, second.end)
