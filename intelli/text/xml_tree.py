"""Parses XML of strangers: no entity of theirs is expanded, no file or address is opened."""

from __future__ import annotations

import re
from collections.abc import Iterator

import lxml.etree

Element = lxml.etree._Element
_DECLARATION = re.compile(r"^\s*<\?xml\b[^>]*\?>")


def parse_xml(source: bytes | str) -> Element | None:
    """The root, mended where it is malformed; None where there is none. The parser's own limits
    hold: 256 levels, 10 MB in one text. Decoded text is not asked again for its encoding."""
    encoding = "utf-8" if isinstance(source, str) else None
    if isinstance(source, str):
        source = _DECLARATION.sub("", source, count=1).encode("utf-8", "replace")
    parser = lxml.etree.XMLParser(
        encoding=encoding, recover=True, resolve_entities=False, no_network=True, load_dtd=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        return lxml.etree.fromstring(source, parser)
    except (lxml.etree.LxmlError, ValueError):
        return None


def name_of(element: Element) -> str:
    """The element's name without its namespace; empty for an entity that was not expanded."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str:
    """The attribute of that name in whatever namespace; empty for none."""
    value = element.get(name)
    if value is not None:
        return value
    return next((v for key, v in element.attrib.items() if str(key).endswith(f"}}{name}")), "")


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along a path of names; None where one is missing."""
    for name in path:
        if element is None:
            return None
        element = next((each for each in element if name_of(each) == name), None)
    return element


def children(element: Element | None, name: str) -> Iterator[Element]:
    """The children of that name."""
    return (each for each in (() if element is None else element) if name_of(each) == name)


def descendants(element: Element | None, name: str) -> Iterator[Element]:
    """All elements of that name below, in the order of the document."""
    return iter(()) if element is None else element.iter(f"{{*}}{name}")


def text_of(element: Element | None) -> str:
    """All text below, white space folded; empty for None."""
    return "" if element is None else " ".join("".join(texts_of(element)).split())


def texts_of(element: Element) -> Iterator[str]:
    """The pieces of text below, without the names of entities."""
    for each in element.iter():
        if isinstance(each.tag, str) and each.text:
            yield each.text
        if each is not element and each.tail:
            yield each.tail
