"""Finds tables among the lines of a PDF page: rows of cells that stand in columns."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from intelli.text.tables import pipe_table

if TYPE_CHECKING:
    from intelli.text.pdf_lines import Cell, Line

ROWS = 2
WORDY = 45
"""Mean characters of a cell above which lines are columns of prose, not a table."""

_LEADERS = re.compile(r"(?:\. ?){4,}")


def is_row(line: Line) -> bool:
    """Whether a line may be a row: two cells or more, no dots that lead to a page number."""
    return len(line.cells) >= 2 and not line.mono and _LEADERS.search(line.text) is None


def table_end(lines: list[Line], start: int) -> int:
    """The index behind the last row of a table that begins at `start`; `start` for no table."""
    end = start
    while end < len(lines) and is_row(lines[end]):
        end += 1
    rows = lines[start:end]
    if len(rows) < ROWS:
        return start
    widths = Counter(len(row.cells) for row in rows)
    width, times = widths.most_common(1)[0]
    cells = [cell.text for row in rows for cell in row.cells]
    wordy = WORDY if width > 2 else WORDY - 15
    prose = sum(map(len, cells)) > wordy * len(cells)
    if prose or times < 0.5 * len(rows) or (width == 2 and len(rows) < 3):
        return start
    return end


def table_of(rows: list[Line]) -> str:
    """The rows as a pipe table; the first one is its head."""
    width = Counter(len(row.cells) for row in rows).most_common(1)[0][0]
    columns = _columns([row for row in rows if len(row.cells) == width])
    return pipe_table([_placed(row.cells, columns) for row in rows])


def _columns(rows: list[Line]) -> list[tuple[float, float]]:
    """Left and right edge of each column in points."""
    return [
        (min(cell.left for cell in column), max(cell.right for cell in column))
        for column in zip(*(row.cells for row in rows), strict=True)
    ]


def _placed(cells: tuple[Cell, ...], columns: list[tuple[float, float]]) -> list[str]:
    if len(cells) == len(columns):
        return [cell.text for cell in cells]
    placed = [""] * len(columns)
    for cell in cells:
        middle = (cell.left + cell.right) / 2
        near = min(range(len(columns)), key=lambda n: abs(sum(columns[n]) / 2 - middle))
        placed[near] = f"{placed[near]} {cell.text}".strip()
    return placed
