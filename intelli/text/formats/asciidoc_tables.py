"""Reads the rows of AsciiDoc tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping

from intelli.text.formats.asciidoc_inline import inline

MAX_REPEATS = 50
MAX_CELLS = 50_000
_PIPE = re.compile(r"(?<!\\)\|")
_SPEC = re.compile(
    r"(?:^|(?<=\s))(?:(?:\d{1,3}(?:\.\d{1,3})?|\.\d{1,3})[+*])?[<^>]?(?:\.[<^>])?[adehlmsv]?$"
)
"""What may stand right before the sign of a cell: its span, alignment and style."""

_COLUMNS = re.compile(r"cols=\"?([^\"\]]+)")
_MULTIPLIED = re.compile(r"(\d{1,3})\*")
_SIGNS = {",": ",", ":": ":"}


def rows_of(
    block: list[str], style: list[str], sign: str, attributes: Mapping[str, str]
) -> list[list[str]]:
    """The rows of a table whose delimiter begins with `sign`."""
    if sign in _SIGNS:
        try:
            rows = list(csv.reader(block, delimiter=_SIGNS[sign]))
        except csv.Error:
            rows = [[line] for line in block]
        return [[inline(cell, attributes) for cell in row] for row in rows if row]
    text = "\n".join(block)
    cells = [inline(" ".join(cell.split()), attributes) for cell in _cells(text)]
    first = next((line for line in block if line.strip()), "")
    width = _width(",".join(style)) or len(_PIPE.findall(first)) or 1
    return [cells[n : n + width] for n in range(0, len(cells), width)]


def _cells(text: str) -> list[str]:
    found: list[str] = []
    # What stands before the first sign is the specification of the first cell.
    pieces = _PIPE.split(text)
    times = _repeats(pieces[0])
    for n, piece in enumerate(pieces[1:MAX_CELLS], 1):
        is_last = n + 1 == len(pieces)
        spec = None if is_last else _SPEC.search(piece[-12:])
        body = piece[: len(piece) - len(spec[0])] if spec else piece
        if len(found) > MAX_CELLS:
            break
        found += [body.replace("\\|", "|")] * times
        times = _repeats(spec[0]) if spec else 1
    return found


def _repeats(spec: str) -> int:
    found = _MULTIPLIED.match(spec.strip())
    return max(1, min(MAX_REPEATS, int(found[1]))) if found else 1


def _width(style: str) -> int:
    """The number of columns that the attributes of the table name; 0 for none."""
    found = _COLUMNS.search(style)
    if found is None:
        return 0
    parts = [part for part in re.split(r"[,;]", found[1].split("options=")[0]) if part.strip()]
    parts = [part for part in parts if "=" not in part and not part.strip().startswith("%")]
    multiplied = [_MULTIPLIED.match(part.strip()) for part in parts]
    if len(parts) == 1 and multiplied[0] is None and parts[0].strip().isdigit():
        return 1
    return sum(min(MAX_REPEATS, int(match[1])) if match else 1 for match in multiplied)
