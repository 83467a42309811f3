"""Writes rows of cells as a pipe table."""

from __future__ import annotations

from collections.abc import Sequence

MAX_COLUMNS = 500
MAX_CELLS = 1_000_000


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """The table in Markdown; the first row is its head, short rows are filled up. Empty for no
    cells; cells beyond the bound are left out."""
    width = min(MAX_COLUMNS, max(map(len, rows), default=0))
    if width == 0:
        return ""
    # Rows are as long as they are where filling them up would make much out of nothing.
    fill = width if width * len(rows) <= MAX_CELLS else 0
    lines = [_line([*row[:width], *[""] * (fill - len(row))]) for row in rows]
    return "\n".join([lines[0], _line(["---"] * width), *lines[1:]])


def _line(cells: Sequence[str]) -> str:
    escaped = [" ".join(cell.split()).replace("|", r"\|") for cell in cells]
    return f"| {' | '.join(escaped)} |"
