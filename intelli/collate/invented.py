"""Marks of a report in one form, `[1]`; those that name no source become `[?]` and are said."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from intelli.collate.claims import UNKNOWN, marks_in
from intelli.collate.conflicts import all_conflicts
from intelli.collate.verify import verify
from intelli.records import Claim, Conflict, Position, Query, Report, Source
from intelli.report_text import fence_after

_FOREIGN = re.compile(r"[^\d\s,;\-–—\[\]and&?]")
"""What `[^1]`, `[Source 1]` and `【1†x】` have and `[1-3]` has not."""

_DEFINES = re.compile(r":[ \t]")
_Edit = tuple[int, int, str]
"""A stretch of a text and what takes its place."""


def checked(
    report: Report, query: Query, sources: Sequence[Source], texts: Mapping[int, str]
) -> Report:
    """The report as it is given out: its claims verified against `texts`, the whole stored file of
    each source, without marks that name none of `sources`, and with all of their conflicts."""
    claims = verify(report.summary, texts)
    given = without_invented_marks(replace(report, claims=claims), sources)
    return replace(given, conflicts=all_conflicts(given.conflicts, query, sources))


def without_invented_marks(report: Report, sources: Sequence[Source]) -> Report:
    """The report with `[?]` for the marks that name none of `sources`, each said in a warning. What
    cites nothing but an invented source so stays `unsupported`, also when it is verified again."""
    known = frozenset(source.n for source in sources)
    edits = list(_edits(report.summary, known))
    noted = list(_edits(report.assessment, known))
    conflicts = tuple(c for each in report.conflicts if (c := _conflict(each, known)))
    invented = sorted(_named(report) - known - {UNKNOWN})
    warnings = tuple(
        f"the report cited [{n}], but there is no such source; the mark reads [?] now"
        for n in invented
    )
    return replace(
        report,
        summary=_edited(report.summary, edits),
        assessment=_edited(report.assessment, noted),
        claims=_moved(report.claims, edits),
        conflicts=conflicts,
        warnings=(*report.warnings, *warnings),
    )


def _named(report: Report) -> frozenset[int]:
    texts = (report.summary, report.assessment)
    cited = {n for text in texts for _, _, numbers in _marks(text) for n in numbers}
    sides = (side for conflict in report.conflicts for side in conflict.positions)
    return frozenset(cited | {n for side in sides for n in side.sources})


def _marks(text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """The marks outside of code blocks, with offsets into the whole text."""
    fence, position = "", 0
    for line in text.splitlines(keepends=True):
        inside = fence
        fence = fence_after(line, fence)
        if not (inside or fence):
            yield from (
                (position + start, position + end, numbers)
                for start, end, numbers in marks_in(line)
                if not _is_index(line, start, end)
            )
        position += len(line)


def _is_index(line: str, start: int, end: int) -> bool:
    """`argv[7].name` in prose is no mark."""
    after = line[end : end + 2]
    attached = start > 0 and (line[start - 1].isalnum() or line[start - 1] == "_")
    return attached and (after[:1].isalnum() or (after[:1] in (".", "=") and after[1:].isalpha()))


def _edits(text: str, known: frozenset[int]) -> Iterator[_Edit]:
    for start, end, numbers in _marks(text):
        left = [n for n in numbers if n in known]
        as_it_is = len(left) == len(numbers) and not _FOREIGN.search(text, start, end)
        if as_it_is or numbers == (UNKNOWN,) or _DEFINES.match(text, end):
            continue
        named = f"[{', '.join(map(str, left))}]" if left else ""
        unknown = "[?]" if len(left) < len(numbers) else ""
        gap = " " if start and not named and text[start - 1].isalnum() else ""
        yield start, end, gap + named + unknown


def _edited(text: str, edits: Sequence[_Edit]) -> str:
    parts, position = [], 0
    for start, end, words in edits:
        parts += [text[position:start], words]
        position = end
    return "".join([*parts, text[position:]])


def _moved(claims: Sequence[Claim], edits: Sequence[_Edit]) -> tuple[Claim, ...]:
    """The claims where they stand in the edited text."""
    if not edits:
        return tuple(claims)
    starts = [start for start, _, _ in edits]
    shifts = [0, *accumulate(len(words) - (end - start) for start, end, words in edits)]

    def moved(offset: int) -> int:
        count = bisect_right(starts, offset - 1)
        start, end, words = edits[count - 1] if count else (0, 0, "")
        if count and offset < end:  # inside of what was taken out
            return start + shifts[count - 1] + len(words)
        return offset + shifts[count]

    def of(claim: Claim) -> Claim:
        first, last = bisect_left(starts, claim.start), bisect_left(starts, claim.end)
        inside = [
            (start - claim.start, end - claim.start, words)
            for start, end, words in edits[first:last]
            if end <= claim.end
        ]
        return replace(
            claim,
            text=_edited(claim.text, inside),
            start=moved(claim.start),
            end=moved(claim.end),
        )

    return tuple(map(of, claims))


def _conflict(conflict: Conflict, known: frozenset[int]) -> Conflict | None:
    """The conflict between sources that there are, None when fewer than two sides are left."""
    sides = [
        Position(statement=side.statement, sources=sources)
        for side in conflict.positions
        if (sources := tuple(n for n in side.sources if n in known))
    ]
    if len(sides) == len(conflict.positions):
        return replace(conflict, positions=tuple(sides))
    return replace(conflict, positions=tuple(sides), preferred=None) if len(sides) > 1 else None
