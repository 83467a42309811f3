"""Parses HTML into a tree that is safe to walk: no comments, no bad characters, bounded depth."""

from __future__ import annotations

import re
from collections.abc import Iterator

import lxml.etree
import lxml.html
from lxml.html import HtmlElement

DEPTH = 120
"""Deeper elements become siblings: the walkers recurse, and no honest page nests further."""

PARSER_DEPTH = 2040
"""libxml2 drops what is nested deeper than about 2,048 elements, text included."""

_BAD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_FRAMES = re.compile(r"</?(?:frameset|noframes)\b[^<>]*>", re.I)
_WRAPPERS = re.compile(r"</?(?!(?:p|pre|br|h[1-6]|title|script|style)\b)[a-z][^<>]*>", re.I)

BLOCKS = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li "
    "listing main menu nav noframes ol p plaintext pre section summary table tbody td tfoot th "
    "thead tr ul xmp caption center".split()
)
_ROWS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "ul", "ol", "dl"})
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
VERBATIM = frozenset({"pre", "listing", "xmp", "plaintext"})


def parse(text: str) -> HtmlElement:
    """The `html` element of a page; an empty page gives an empty body."""
    root = _parse(_BAD.sub("", text))
    if _depth(root) >= PARSER_DEPTH:
        root = _parse(_WRAPPERS.sub(" ", _BAD.sub("", text)))
    _flatten(root)
    return root


def body_of(root: HtmlElement) -> HtmlElement:
    """The body, or the root where there is none."""
    body = root.find("body")
    return root if body is None else body


def tag_of(element: HtmlElement | None) -> str:
    """The element's name; empty for none and for what is not an element."""
    return element.tag if element is not None and isinstance(element.tag, str) else ""


def class_names(element: HtmlElement) -> list[str]:
    """Class names in lower case, without the ones that are style rules in disguise."""
    return [
        name
        for name in (element.get("class") or "").lower().split()
        if not any(mark in name for mark in ":[]()&/.=@")
    ]


def classes(element: HtmlElement) -> str:
    """Class names and id in lower case, separated by blanks."""
    names = " ".join(class_names(element))
    return f"{names} {(element.get('id') or '').lower()}" if element.get("id") else names


def text_of(element: HtmlElement) -> str:
    """All text below, white space folded."""
    return " ".join("".join(element.itertext()).split())


def shown_text(element: HtmlElement) -> str:
    """All text below, white space folded, with a blank where a block begins or ends."""
    parts: list[str] = []
    for event, inner in lxml.etree.iterwalk(element, events=("start", "end")):
        if inner.tag in BLOCKS or inner.tag == "br":
            parts.append(" ")
        text = inner.text if event == "start" else inner.tail
        parts.append((text or "") if inner is not element or event == "start" else "")
    return " ".join("".join(parts).split())


def drop(element: HtmlElement) -> None:
    """Remove the element and keep the text behind it."""
    if element.getparent() is not None:
        element.drop_tree()


def unwrap(element: HtmlElement) -> None:
    """Remove the element and keep its content."""
    if element.getparent() is not None:
        element.drop_tag()


def ancestors(element: HtmlElement, levels: int) -> Iterator[HtmlElement]:
    """The element itself and at most `levels` of its ancestors."""
    current: HtmlElement | None = element
    for _ in range(levels + 1):
        if current is None:
            return
        yield current
        current = current.getparent()


def _parse(text: str) -> HtmlElement:
    if "<frameset" in text or "<FRAMESET" in text:  # what is for browsers without frames is all
        text = _FRAMES.sub(" ", text)
    parser = lxml.html.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        root = lxml.html.document_fromstring(text.encode(), parser=parser)
    except lxml.etree.ParserError:  # nothing but white space and comments
        return lxml.html.document_fromstring("<html><body></body></html>")
    return root


def _depth(root: HtmlElement) -> int:
    depth = deepest = 0
    for event, _ in lxml.etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest


def _flatten(root: HtmlElement) -> None:
    depth, edge = 0, []
    for event, element in lxml.etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            depth += 1
            if depth == DEPTH and len(element):
                edge.append(element)
        else:
            depth -= 1
    for element in edge:
        _collapse(element)


def _collapse(element: HtmlElement) -> None:
    # Children of a flat copy are rebuilt in document order; joined text keeps this linear.
    flat: list[tuple[str, dict[str, str], list[str]]] = []
    for event, inner in lxml.etree.iterwalk(element, events=("start", "end")):
        if inner is element:
            continue
        if event == "start":
            flat.append((str(inner.tag), dict(inner.attrib), []))
            target = inner.text
        else:
            target = inner.tail
        if target:
            flat[-1][2].append(target)
    for child in list(element):
        element.remove(child)
    if element.tag in _ROWS:  # a table whose cells are gone from its rows would show nothing
        element.tag = "div"
    for tag, attributes, parts in flat:
        lxml.etree.SubElement(element, tag, attributes).text = "".join(parts)
