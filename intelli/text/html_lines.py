"""What a page says outside its navigation, block by block."""

from __future__ import annotations

import lxml.etree
from lxml.html import HtmlElement

from intelli.text.html_tree import BLOCKS

_BREAKING = BLOCKS | {"br", "button", "option", "label"}
_LINKED = 0.8
"""Share of a line that is links, from which on it is navigation."""


def said_lines(body: HtmlElement, limit: int) -> str:
    """The lines of the visible text that are not made of links, in all about `limit` characters."""
    lines: list[str] = []
    parts: list[str] = []
    linked = size = depth = 0
    for event, inner in lxml.etree.iterwalk(body, events=("start", "end")):
        if inner.tag in _BREAKING:
            line = " ".join("".join(parts).split())
            if line and linked < _LINKED * len(line):
                lines.append(line)
                size += len(line)
            parts, linked = [], 0
        if size > limit:
            break
        if inner.tag == "a":
            depth += 1 if event == "start" else -1
        text = (inner.text if event == "start" else inner.tail) or ""
        linked += len(text.strip()) if depth > 0 else 0
        parts.append(text if inner is not body or event == "start" else "")
    return "\n".join(lines)
