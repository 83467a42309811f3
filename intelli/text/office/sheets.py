"""Lays out the rows of a sheet as Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from intelli.text.tables import pipe_table


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet and its rows of cells."""

    name: str
    rows: list[list[str]]


def sheet_text(sheet: Sheet) -> str:
    """The sheet under its name; a line of its own above the table stays one. Empty for no cells."""
    rows = [row for row in sheet.rows if any(cell.strip() for cell in row)]
    if not rows:
        return ""
    used = [n for n in range(max(map(len, rows))) if any(n < len(r) and r[n].strip() for r in rows)]
    rows = [[row[n] if n < len(row) else "" for n in used] for row in rows]
    lead = []
    while len(used) > 1 and rows and sum(bool(cell.strip()) for cell in rows[0]) == 1:
        lead.append(" ".join("".join(rows.pop(0)).split()))
    heading = [f"## {' '.join(sheet.name.split())}"] if sheet.name.strip() else []
    return "\n\n".join([*heading, *lead, pipe_table(rows)]).strip()
