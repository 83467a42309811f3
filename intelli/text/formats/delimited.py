"""Reads a table of comma- or tab-separated values."""

from __future__ import annotations

import csv
import itertools

from intelli.text.characters import clean
from intelli.text.document import Document, document_of
from intelli.text.tables import pipe_table

MAX_ROWS = 20_000
_DELIMITERS = ",\t;|"
_SAMPLE = 20
_FIELD_LIMIT = 1_000_000


def read_delimited(text: str, url: str) -> Document:
    """The table, its first row as head; rows beyond the bound are counted in a last line."""
    body = clean(text).strip("\n")
    lines = body.split("\n")
    rows = _rows(lines, _delimiter(lines[:_SAMPLE]))
    table = pipe_table(rows[:MAX_ROWS])
    more = len(rows) - MAX_ROWS
    return document_of(table, "csv", left_out=f"{more} more lines" if more > 0 else "")


def _rows(lines: list[str], delimiter: str) -> list[list[str]]:
    csv.field_size_limit(_FIELD_LIMIT)
    try:
        read = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
        return [row for row in read if any(cell.strip() for cell in row)]
    except csv.Error:
        return [line.split(delimiter) for line in lines if line.strip()]


def _delimiter(lines: list[str]) -> str:
    """The sign that parts the lines into equally many cells, the most of them."""
    best, most = ",", 0
    for sign in _DELIMITERS:
        widths = [len(row) for row in _rows(lines, sign)]
        common = max(itertools.chain((0,), widths), key=widths.count) if widths else 0
        steady = widths.count(common) if common > 1 else 0
        if steady > most:
            best, most = sign, steady
    return best
