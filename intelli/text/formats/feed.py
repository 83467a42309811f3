"""Reads a feed (RSS, Atom, RDF) or an outline (OPML): its entries, newest first as they stand."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from intelli.text.document import Document, date_of, document_of
from intelli.text.fragments import fragment
from intelli.text.markup import read_code
from intelli.text.xml_tree import (
    Element,
    attribute,
    child,
    children,
    descendants,
    name_of,
    parse_xml,
    text_of,
    texts_of,
)

MAX_ENTRIES = 500
_ENTRIES = frozenset({"item", "entry"})
_CONTENTS = ("encoded", "content", "description", "summary", "subtitle", "tagline")
_DATES = ("published", "pubDate", "date", "issued", "updated", "modified", "lastBuildDate")


def read_feed(text: str, url: str) -> Document:
    """Title and description of the feed, then each entry under its title with date and address.
    XML of another kind is shown as source."""
    root = parse_xml(text)
    if root is None:
        return read_code(text, url, "xml")
    if name_of(root) == "opml":
        return _outline(root)
    head = next((e for e in root if name_of(e) == "channel"), root)
    entries = [e for e in root.iter() if name_of(e) in _ENTRIES]
    more = len(entries) - MAX_ENTRIES
    parts = [_content(head, url), *(_entry(entry, url) for entry in entries[:MAX_ENTRIES])]
    body = "\n\n".join(part for part in parts if part)
    if not body and not text_of(child(head, "title")):
        return read_code(text, url, "xml")
    return document_of(
        body,
        "feed",
        title=_title(head, url),
        published=_date(head),
        language=text_of(child(head, "language")) or attribute(root, "lang"),
        left_out=f"{more} more entries" if more > 0 else "",
    )


def _entry(entry: Element, url: str) -> str:
    title, address = _title(entry, url), _address(entry)
    heading = f"## {title}" if title else ""
    facts = [_date(entry) or "", _author(entry), f"<{address}>" if address else ""]
    return "\n\n".join(
        part for part in (heading, " · ".join(filter(None, facts)), _content(entry, url)) if part
    )


def _title(element: Element, url: str) -> str:
    found = child(element, "title")
    return "" if found is None else " ".join(_markdown(found, url).split())


def _content(element: Element, url: str) -> str:
    """The fullest account that the element gives of itself."""
    for name in _CONTENTS:
        for found in children(element, name):
            if text := _markdown(found, url):
                return text
    return ""


def _markdown(element: Element, url: str) -> str:
    if len(element) and attribute(element, "type") == "xhtml":
        import lxml.etree

        return fragment(lxml.etree.tostring(element, encoding="unicode", with_tail=False), url)
    return fragment("".join(texts_of(element)), url)


def _address(entry: Element) -> str:
    """The entry's own address: the text of `link` in RSS, the alternate link in Atom."""
    for link in children(entry, "link"):
        address = text_of(link) or attribute(link, "href")
        if address and attribute(link, "rel") in {"", "alternate"}:
            return "".join(address.split()).replace(">", "%3E")
    return ""


def _author(entry: Element) -> str:
    for name in ("creator", "author"):
        found = child(entry, name)
        if found is not None:
            return text_of(child(found, "name")) or text_of(found)
    return ""


def _date(element: Element) -> str | None:
    for name in _DATES:
        text = text_of(child(element, name))
        if date := date_of(text) or _mail_date(text):
            return date
    return None


def _mail_date(text: str) -> str | None:
    try:
        return parsedate_to_datetime(text).date().isoformat() if text else None
    except (ValueError, TypeError, OverflowError):
        return None


def _outline(root: Element) -> Document:
    title = text_of(next(descendants(root, "title"), None))
    return document_of("\n".join(_items(child(root, "body"), 0)), "feed", title=title)


def _items(parent: Element | None, depth: int) -> Iterator[str]:
    for item in children(parent, "outline"):
        name = " ".join((attribute(item, "text") or attribute(item, "title")).split())
        address = attribute(item, "xmlUrl") or attribute(item, "url")
        yield f"{'  ' * min(depth, 8)}- {name}{f' <{address}>' if address else ''}"
        yield from _items(item, depth + 1)
