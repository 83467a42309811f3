"""A second opinion on where the content of a page is, where our own measures see none."""

from __future__ import annotations

import copy

from lxml.html import HtmlElement

_LARGEST = 300_000
"""Characters of text; on more, trafilatura takes seconds."""
_SHORTEST_LINE = 20
_HELD = 0.8


def second_opinion(body: HtmlElement) -> HtmlElement | None:
    """The deepest element with most of the lines that trafilatura keeps of the page, None where it
    keeps none."""
    if len(body.text_content()) > _LARGEST:
        return None
    wanted = [line for line in _kept(body).split("\n") if len(line) >= _SHORTEST_LINE]
    if not wanted:
        return None
    found = body
    while True:
        holding = [child for child in found if _share(child, wanted) >= _HELD]
        if not holding:
            return found
        found = holding[0]


def _kept(body: HtmlElement) -> str:
    import trafilatura

    try:
        document = trafilatura.bare_extraction(
            copy.deepcopy(body.getroottree().getroot()), with_metadata=False, fast=True
        )
    except Exception:  # noqa: BLE001 - it stumbles over odd trees, which must not cost the page
        return ""
    text: str = getattr(document, "text", None) or ""
    return "\n".join(_flat(line) for line in text.split("\n"))


def _share(element: HtmlElement, lines: list[str]) -> float:
    """Of the characters of `lines`, how many stand in the element."""
    if not isinstance(element.tag, str):
        return 0.0
    text = _flat(element.text_content())
    return sum(len(line) for line in lines if line in text) / sum(map(len, lines))


def _flat(text: str) -> str:
    return " ".join(text.split())
