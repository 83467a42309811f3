"""Parses HTML into a tree that is safe to walk: no comments, no bad characters, bounded depth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

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
_RULE_MARKS = frozenset(":[]()&/.=@")
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
    return plain_names(element.get("class") or "")


@lru_cache(maxsize=4096)
def plain_names(classes: str) -> list[str]:
    """The names of a class attribute in lower case, without style rules in disguise."""
    return [name for name in classes.lower().split() if not _RULE_MARKS.intersection(name)]


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


def drop_all(elements: Iterable[HtmlElement]) -> None:
    """Remove elements and keep the text behind them, in linear time."""
    gone = set(elements)
    for parent in {element.getparent() for element in gone}:
        if parent is not None:
            _drop_children(parent, gone)


def _drop_children(parent: HtmlElement, gone: set[HtmlElement]) -> None:
    # The texts behind dropped neighbours are joined once: one by one would be quadratic.
    last, parts = None, [parent.text or ""]
    for child in list(parent):
        if child in gone:
            parts.append(child.tail or "")
            child.tail = None
            parent.remove(child)
        else:
            _set_text(parent, last, parts)
            last, parts = child, [child.tail or ""]
    _set_text(parent, last, parts)


def _set_text(parent: HtmlElement, last: HtmlElement | None, parts: list[str]) -> None:
    if len(parts) < 2:
        return
    if last is None:
        parent.text = "".join(parts)
    else:
        last.tail = "".join(parts)


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
    # One class for all elements: lxml.html's own lookup calls back into Python for every proxy.
    parser.set_element_class_lookup(lxml.etree.ElementDefaultClassLookup(element=HtmlElement))
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
