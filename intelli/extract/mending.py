"""Makes pieces of cut code blocks and tables whole Markdown again, so that each reads alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from intelli.text.passages import Passage

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")
_QUOTED_FENCE = re.compile(r"^[ \t]{0,3}>[ \t>]*(?:`{3,}|~{3,})", re.MULTILINE)


def mended(source: str, passages: Sequence[Passage]) -> list[Passage]:
    """The passages of `source`, offsets unchanged; in `text` a piece of a long code block has both
    its fences and a piece of a long table its head rows. Code in a quoted block is one passage."""
    result: list[Passage] = []
    opening, head = "", ""
    for passage in _rejoined(source, passages):
        text = passage.text
        if passage.kind == "code":
            text, opening = _with_fences(text, opening)
        elif passage.kind == "table":
            head = _head(text) or head
            text = text if _head(text) or not head else f"{head}\n{text}"
        else:
            opening, head = "", ""
        result.append(passage if text == passage.text else replace(passage, text=text))
    return result


def _rejoined(source: str, passages: Sequence[Passage]) -> list[Passage]:
    """Quoted blocks are prose to the splitter: what it cut inside their code is joined again."""
    result: list[Passage] = []
    is_open = False
    for passage in passages:
        if is_open and passage.kind == "prose":
            start = result.pop().start
            result.append(replace(passage, start=start, text=source[start : passage.end]))
        else:
            result.append(passage)
        fences = _QUOTED_FENCE.findall(result[-1].text)
        is_open = passage.kind == "prose" and len(fences) % 2 == 1
    return result


def _with_fences(code: str, opening: str) -> tuple[str, str]:
    """The piece between its fences, and the opening line when the block goes on in the next.

    `opening` is that of the piece before, empty when this one starts a block.
    """
    lines = code.split("\n")
    if opening:
        lines.insert(0, opening)
    fence = _FENCE.match(lines[0])
    if not fence:
        return code, ""
    if len(lines) > 1 and _closes(lines[-1], fence[1]):
        return "\n".join(lines), ""
    return "\n".join([*lines, fence[1]]), lines[0]


def _closes(line: str, mark: str) -> bool:
    return line.strip().startswith(mark) and not line.strip().strip(mark[0])


def _head(table: str) -> str:
    """The head row and the row of dashes, ``""`` when the piece does not start with them."""
    rows = table.split("\n", 2)
    return "\n".join(rows[:2]) if len(rows) > 1 and _is_delimiter(rows[1]) else ""


def _is_delimiter(row: str) -> bool:
    return "--" in row and not row.strip(" \t|:-")
