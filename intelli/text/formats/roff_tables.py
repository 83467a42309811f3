"""Reads the tables of manual pages, which the preprocessor tbl lays out."""

from __future__ import annotations

import re
from collections.abc import Mapping

from intelli.text.formats.roff_signs import resolved
from intelli.text.tables import pipe_table

_TAB = re.compile(r"tab\s*\(\s*(.)\s*\)", re.I)
_RULE = re.compile(r"[_=\s]*$")


def table_of(lines: list[str], strings: Mapping[str, str]) -> str:
    """A pipe table of what stands between `.TS` and `.TE`."""
    sign = "\t"
    start = 0
    if lines and lines[0].rstrip().endswith(";"):
        start = 1
        found = _TAB.search(lines[0])
        sign = found[1] if found else sign
    while start < len(lines) and not lines[start].rstrip().endswith("."):
        start += 1
    rows = [
        [resolved(cell, strings).strip() for cell in line.split(sign)]
        for line in _joined(lines[start + 1 :])
        if not line.startswith((".", "'")) and not _RULE.match(line)
    ]
    return pipe_table(rows)


def _joined(lines: list[str]) -> list[str]:
    """The lines of rows; a cell between `T{` and `T}` may take several lines."""
    rows: list[str] = []
    is_open = False
    for line in lines:
        if is_open:
            closed = line.startswith("T}")
            rest = line[2:] if closed else "" if line.startswith(".") else line
            rows[-1] += rest if closed else f" {rest}"
            is_open = not closed or rest.rstrip().endswith("T{")
        else:
            rows.append(line)
            is_open = line.rstrip().endswith("T{")
        if is_open and rows[-1].rstrip().endswith("T{"):
            rows[-1] = rows[-1].rstrip()[:-2]
    return rows
