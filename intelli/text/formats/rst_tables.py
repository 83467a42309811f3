"""The rows of tables of reStructuredText, in each of its four notations."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping

_LIST_ROW = re.compile(r"[*+-]\s+[*+-](?=\s|$)")
_GRID_BORDER = re.compile(r"\s*\+(?:[-=]+\+)+\s*$")
_GRID_LINE = re.compile(r"\s*[+|]")
_SIMPLE_BORDER = re.compile(r"\s*=+(?:\s+=+)+\s*$")
_SPAN = re.compile(r"[-\s]+$")
_DELIMITERS = {"tab": "\t", "space": " "}


def list_rows(block: list[str]) -> list[list[str]]:
    """The rows of a `list-table`: a list of lists, whose items are the cells."""
    rows: list[list[str]] = []
    column = 0
    for line in block:
        if match := _LIST_ROW.match(line):
            column = match.end() - 1
            rows.append([line[match.end() :].strip()])
        elif rows and not line[:column].strip() and re.match(r"[*+-](?:\s|$)", line[column:]):
            rows[-1].append(line[column + 1 :].strip())
        elif rows:
            rows[-1][-1] = f"{rows[-1][-1]} {line.strip()}".strip()
    return rows


def csv_rows(block: list[str], options: Mapping[str, str]) -> list[list[str]]:
    """The rows of a `csv-table`, those of its `header` option first."""
    given = options.get("delim", ",")
    delimiter = _DELIMITERS.get(given, given)
    try:
        lines = [options.get("header", ""), *block]
        rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    except (csv.Error, TypeError):
        return [[line] for line in block if line.strip()]
    return [[cell.strip() for cell in row] for row in rows if row]


def table_at(lines: list[str], at: int) -> tuple[list[list[str]], int] | None:
    """The rows of a grid or simple table that begins at a line, and the index behind it."""
    if _GRID_BORDER.match(lines[at]):
        end = at
        while end < len(lines) and _GRID_LINE.match(lines[end]):
            end += 1
        rows = _grid_rows([line.strip() for line in lines[at:end]])
        return (rows, end) if rows else None
    if _SIMPLE_BORDER.match(lines[at]):
        end = _simple_end(lines, at)
        rows = _simple_rows(lines[at:end])
        return (rows, end) if rows else None
    return None


def _grid_rows(lines: list[str]) -> list[list[str]]:
    edges = sorted({place for line in lines if _GRID_BORDER.match(line) for place in _pluses(line)})
    rows: list[list[str]] = []
    fresh = True
    for line in lines:
        if _GRID_BORDER.match(line):
            fresh = True
            continue
        cells = _grid_cells(line, edges)
        if fresh:
            rows.append(cells)
        else:
            rows[-1] = [f"{old} {new}".strip() for old, new in zip(rows[-1], cells, strict=True)]
        fresh = False
    return [row for row in rows if any(row)]


def _pluses(line: str) -> list[int]:
    return [place for place, mark in enumerate(line) if mark == "+"]


def _grid_cells(line: str, edges: list[int]) -> list[str]:
    """One line of a row; a cell that spans columns stands in the first of them."""
    cells = [""] * (len(edges) - 1)
    first = 0
    for n, end in enumerate(edges[1:]):
        if end < len(line) and line[end] not in "|+":
            continue
        text = line[edges[first] + 1 : end].strip()
        # A rule inside the line ends a cell beside one that spans rows.
        cells[first] = "" if text and not text.strip("-=+") else text
        first = n + 1
    return cells


def _simple_end(lines: list[str], at: int) -> int:
    """Behind the border that a blank line or the end of the text follows."""
    for end in range(at + 2, len(lines)):
        last = end + 1 == len(lines) or not lines[end + 1].strip()
        if last and _SIMPLE_BORDER.match(lines[end]):
            return end + 1
    return at


def _simple_rows(lines: list[str]) -> list[list[str]]:
    if not lines:
        return []
    starts = [match.start() for match in re.finditer(r"=+", lines[0])]
    ends: list[int | None] = [*starts[1:], None]
    rows: list[list[str]] = []
    for line in lines:
        if _SIMPLE_BORDER.match(line) or not line.strip() or _SPAN.match(line):
            continue
        cells = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        if cells[0] or not rows:
            rows.append(cells)
        else:
            rows[-1] = [f"{old} {new}".strip() for old, new in zip(rows[-1], cells, strict=True)]
    return rows
