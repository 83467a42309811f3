"""Reads the conflicts a model wrote down: a bullet for each, in the form asked for or near it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from intelli.collate.claims import MARK, parse_marks, without_marks
from intelli.collate.dates import dates
from intelli.collate.figures import figures
from intelli.records import Conflict, ConflictKind, Position
from intelli.text.folding import fold_plain

_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+(.*)$")
_BULLET = re.compile(r"^([ \t]*)(?:[-*+•–—]|\d{1,3}[.)])[ \t]+(.*)$")
_NONE = re.compile(
    r"\W*(?:none|no (?:known |real |direct |major |significant )*(?:conflicts?|disagreements?|"
    r"contradictions?)|n/?a|nothing|keine|the sources (?:agree|do not conflict))\b",
    re.IGNORECASE,
)
_BOLD = re.compile(r"^\s*(?:\*\*|__)(.{1,200}?)(?:\*\*|__)\s*(?:[:—–-]\s*)?")
_PLAIN = re.compile(r"^\s*([^\[\]:;\n]{2,100}?)\s*(?::|\s[—–-])\s+")
_BREAK = re.compile(r"\s*(?:;|\n|\bwhereas\b|\bwhile\b|\bbut\b|\bversus\b|\bvs\.?(?=\s))\s*", re.I)
_EDGES = " \t\r\n:;,.–—-*"
_VERSION = re.compile(r"\bversions?\b|\brelease\b|\bv\d", re.IGNORECASE)


def parse_conflicts(markdown: str) -> tuple[Conflict, ...]:
    """The conflicts in a `## Conflicts` section, its heading or not; () for `None.`

    A bullet is `**topic**: [1] statement; [3] statement`; bold, topic and dash may be missing,
    marks may follow their statement, and positions may be bullets of their own. A bullet without
    marks is no conflict. `preferred` is None: a model's note does not say it in a form to rely on.
    """
    return tuple(conflict for item in _items(markdown) if (conflict := _conflict(item)) is not None)


def _items(markdown: str) -> Iterator[str]:
    """Top-level bullets or paragraphs, with the lines that belong to them."""
    lines: list[str] = []
    base: int | None = None
    for line in markdown.splitlines():
        bullet = _BULLET.match(line)
        heading = _HEADING.match(line)
        if heading or not line.strip() or (bullet and (base is None or len(bullet[1]) <= base)):
            if lines and (heading or bullet):
                yield "\n".join(lines)
                lines = []
            base = len(bullet[1]) if bullet else None if heading else base
        if line.strip() and not heading:
            lines.append(bullet[2] if bullet else line.strip())
    if lines:
        yield "\n".join(lines)


def _conflict(item: str) -> Conflict | None:
    if _NONE.match(item) and not parse_marks(item):
        return None
    topic, rest = _topic(item)
    positions = _positions(rest)
    if not positions:
        return None
    statements = [position.statement for position in positions]
    return Conflict(
        topic=topic or statements[0][:80],
        kind=_kind(topic, statements),
        positions=tuple(positions),
    )


def _topic(item: str) -> tuple[str, str]:
    for pattern in (_BOLD, _PLAIN):
        match = pattern.match(item)
        if match and not parse_marks(match.group(1)):
            return match.group(1).strip(_EDGES), item[match.end() :]
    return "", item


def _positions(text: str) -> list[Position]:
    segments: list[str] = []
    for part in _BREAK.split(text):
        if segments and not parse_marks(part):
            segments[-1] += "; " + part
        elif segments and not parse_marks(segments[-1]):
            segments[-1] += " " + part
        else:
            segments.append(part)
    segments = [piece for segment in segments for piece in _by_marks(segment)]
    return [
        Position(statement=statement, sources=parse_marks(segment))
        for segment in segments
        if parse_marks(segment)
        and (statement := " ".join(without_marks(segment).split()).strip(_EDGES))
    ]


def _by_marks(segment: str) -> list[str]:
    """A segment that holds several statements, each with its mark before or behind it."""
    marks = list(MARK.finditer(segment))
    leading = bool(marks) and not segment[: marks[0].start()].strip(_EDGES)
    cuts = [
        (b.start() if leading else a.end())
        for a, b in pairwise(marks)
        if any(char.isalnum() for char in segment[a.end() : b.start()].replace("and", ""))
    ]
    bounds = [0, *cuts, len(segment)]
    return [segment[a:b] for a, b in pairwise(bounds)]


def _kind(topic: str, statements: list[str]) -> ConflictKind:
    """What differs between the statements: a version, a date, a figure, or the wording only."""
    folded = [fold_plain(statement) for statement in statements]
    numbers = [{each.digits for each in figures(text)} for text in folded]
    if len({frozenset(each) for each in numbers}) < 2 or not any(numbers):
        named = [{(d.year, d.month, d.day) for d in dates(text)} for text in folded]
        return (
            "date" if any(named) and len({frozenset(each) for each in named}) > 1 else "statement"
        )
    if _VERSION.search(" ".join([topic, *statements])):
        return "version"
    every = set[str]().union(*numbers)
    differing = [each for each in every if any(each not in some for some in numbers)]
    years = all(
        len(each) == 4 and each.isdigit() and 1000 <= int(each) <= 2100 for each in differing
    )
    return "date" if years or any(dates(text) for text in folded) else "figure"
