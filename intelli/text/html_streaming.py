"""Puts late parts of a streamed page where the page's own script would put them."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

# React streams a part as <div hidden id="S:3"> and moves it to <template id="P:3"> or "B:3".
_MOVES = re.compile(r'\$R[A-Z]*\("([A-Za-z]*[BPS]:[\w-]+)","([A-Za-z]*[BPS]:[\w-]+)"')


def settle_streamed(root: HtmlElement) -> None:
    """Move, in place, streamed parts to their places; those without one are just shown."""
    parts = {e.get("id"): e for e in root.iter("div") if _is_part(e)}
    if not parts:
        return
    places = {e.get("id"): e for e in root.iter("template") if e.get("id")}
    for script in root.iter("script"):
        for first, second in _MOVES.findall(script.text or ""):
            source, target = (first, second) if first in parts else (second, first)
            if source in parts and target in places:
                _move(parts.pop(source), places.pop(target))
    for part in parts.values():
        del part.attrib["hidden"]


def _is_part(element: HtmlElement) -> bool:
    identity = element.get("id") or ""
    return element.get("hidden") is not None and re.match(r"[A-Za-z]*S:", identity) is not None


def _move(part: HtmlElement, place: HtmlElement) -> None:
    if any(ancestor is part for ancestor in place.iterancestors()):
        return
    tail, part.tail = part.tail, None
    previous, parent, target = part.getprevious(), part.getparent(), place.getparent()
    if parent is None or target is None:
        return
    if tail and previous is not None:
        previous.tail = (previous.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    del part.attrib["hidden"]
    part.tag, part.tail = "span", place.tail  # what it holds decides whether it is a block
    target.replace(place, part)
