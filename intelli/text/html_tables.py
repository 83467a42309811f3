"""Turns data tables into pipe tables and tells them from tables that only set a layout."""

from __future__ import annotations

import re
from collections.abc import Callable

from lxml.html import HtmlElement

SPAN_LIMIT = 40
CELL_LIMIT = 20_000
_LAYOUT_TAGS = ("table", "h1", "h2", "form")


def is_layout(table: HtmlElement) -> bool:
    """Whether a table holds page structure instead of data."""
    if table.get("role") in {"presentation", "none"}:
        return True
    rows = rows_of(table)
    widths = [len(cells_of(row)) for row in rows]
    if max(widths, default=0) <= 1:
        return not any(cell.tag == "th" for row in rows for cell in cells_of(row)[:1])
    if any(next(table.iterdescendants(tag), None) is not None for tag in _LAYOUT_TAGS):
        return not _has_header(rows)
    return len(rows) == 1 and any(len(cell.text_content()) > 500 for cell in cells_of(rows[0]))


def rows_of(table: HtmlElement) -> list[HtmlElement]:
    """The rows of this table, not of tables inside it."""
    rows = []
    for child in table:
        if child.tag == "tr":
            rows.append(child)
        elif child.tag in {"thead", "tbody", "tfoot"}:
            rows.extend(row for row in child if row.tag == "tr")
    return rows


def cells_of(row: HtmlElement) -> list[HtmlElement]:
    """The cells of one row."""
    return [cell for cell in row if cell.tag in {"td", "th"}]


def pipe_table(table: HtmlElement, render: Callable[[HtmlElement], str]) -> str:
    """A pipe table with spans repeated; the first row is its head, as Markdown asks for one."""
    grid = _grid(table, render)
    grid = [row for row in grid if any(row)]
    width = max((len(row) for row in grid), default=0)
    kept = [c for c in range(width) if any(c < len(row) and row[c] for row in grid)]
    if not grid or not kept:
        return ""
    lines = [_line([row[c] if c < len(row) else "" for c in kept]) for row in grid]
    lines.insert(1, _line(["---"] * len(kept)))
    return "\n".join(lines)


def flat(markdown: str) -> str:
    """Markdown of a cell on one line, its pipes escaped."""
    text = re.sub(r"\s*\n\s*", " ", markdown.strip())
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _grid(table: HtmlElement, render: Callable[[HtmlElement], str]) -> list[list[str]]:
    grid: list[list[str]] = []
    open_spans: dict[int, tuple[int, str]] = {}
    for row in rows_of(table):
        line: list[str] = []
        for cell in cells_of(row):
            _fill(line, open_spans)
            text = flat(render(cell))[:CELL_LIMIT]
            height = _span(cell, "rowspan")
            for _ in range(_span(cell, "colspan")):
                if height > 1:
                    open_spans[len(line)] = (height - 1, text)
                line.append(text)
        _fill(line, open_spans)
        grid.append(line)
    return grid


def _fill(line: list[str], open_spans: dict[int, tuple[int, str]]) -> None:
    """Repeat cells of earlier rows that reach down to the next free columns."""
    while (column := len(line)) in open_spans:
        left, text = open_spans.pop(column)
        line.append(text)
        if left > 1:
            open_spans[column] = (left - 1, text)


def _span(cell: HtmlElement, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return max(1, min(SPAN_LIMIT, int(value))) if value.isascii() and value.isdigit() else 1


def _has_header(rows: list[HtmlElement]) -> bool:
    return bool(rows) and any(cell.tag == "th" for cell in cells_of(rows[0]))
