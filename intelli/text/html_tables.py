"""Turns data tables into pipe tables and tells them from tables that only set a layout."""

from __future__ import annotations

import re
from collections.abc import Callable

from lxml.html import HtmlElement

SPAN_LIMIT = 40
CELL_LIMIT = 20_000
LINE_LIMIT = 100
"""Characters of a row up to which the columns of a table with spans are aligned."""

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
    cells = [[row[c] if c < len(row) else "" for c in kept] for row in grid]
    aligned = _has_spans(table) and _is_narrow(cells)
    return "\n".join(_aligned(cells) if aligned else _loose(cells))


def flat(markdown: str) -> str:
    """Markdown of a cell on one line, its pipes escaped."""
    text = re.sub(r"\s*\n\s*", " ", markdown.strip())
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def _has_spans(table: HtmlElement) -> bool:
    cells = (cell for row in rows_of(table) for cell in cells_of(row))
    return any(_span(cell, "rowspan") > 1 or _span(cell, "colspan") > 1 for cell in cells)


def _is_narrow(cells: list[list[str]]) -> bool:
    width = max(len(row) * (max(map(len, row)) + 3) for row in cells)
    return width <= LINE_LIMIT


def _aligned(cells: list[list[str]]) -> list[str]:
    """Lines whose columns stand under each other, so that repeated cells are seen as such."""
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    rows = [[cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in cells]
    rows.insert(1, ["-" * width for width in widths])
    return [f"| {' | '.join(row)} |" for row in rows]


def _loose(cells: list[list[str]]) -> list[str]:
    return [_line(row) for row in [cells[0], ["---"] * len(cells[0]), *cells[1:]]]


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
