"""A table row against the row of a source that begins with the same cell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from intelli.collate.lexicon import OPPOSITES
from intelli.collate.sources import SourceText
from intelli.collate.wording import Difference
from intelli.collate.words import Words

_ANSWERS = OPPOSITES | {("yes", "no"), ("no", "yes")}
_SHORT = 3
_TRIED = 20
_Range = tuple[int, int]


def row_differences(claim: Words, sources: Sequence[SourceText]) -> list[Difference]:
    """Cells of a claimed row in whose place the source's row of the same first cell says the
    opposite, or holds another figure while this one stands in another row."""
    cells = _cells(claim)
    if len(cells) < 2:
        return []
    head = claim.keys[slice(*cells[0])]
    best: list[_Range] | None = None
    for source in sources:
        for row in source.rows.get(" ".join(head), ())[:_TRIED]:
            wrong = [
                cell for cell in cells[1:] if _contradicts(claim.keys[slice(*cell)], row, source)
            ]
            if best is None or len(wrong) < len(best):
                best = wrong
    return [_difference(claim, cell) for cell in best or ()]


def _cells(words: Words) -> list[_Range]:
    """Word ranges of the cells, the last word excluded."""
    starts = [
        k
        for k in range(len(words))
        if not k or "|" in words.folded.text[words.ends[k - 1] : words.starts[k]]
    ]
    return list(pairwise([*starts, len(words)]))


def _contradicts(cell: list[str], row: list[list[str]], source: SourceText) -> bool:
    said = {key for other in row[1:] for key in other}
    if len(cell) == 1 and cell[0] not in said and any((cell[0], key) in _ANSWERS for key in said):
        return True
    if len(cell) > _SHORT or not _is_figure(cell) or set(cell) <= said:
        return False
    rival = any(len(other) <= _SHORT and _is_figure(other) for other in row[1:])
    return rival and " ".join(cell) in source.values_in_rows


def _is_figure(cell: list[str]) -> bool:
    return cell[0][0].isdigit()


def _difference(words: Words, cell: _Range) -> Difference:
    start, end = words.span(cell[0], cell[1] - 1)
    return Difference(written=words.folded.text[start:end], start=start, end=end)
