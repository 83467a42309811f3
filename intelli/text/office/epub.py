"""Reads an EPUB: its chapters in the order of the spine, as Markdown."""

from __future__ import annotations

import re

from intelli.text.decoding import decode
from intelli.text.document import Document, date_of, document_of
from intelli.text.fragments import fragment
from intelli.text.office.archive import Archive, ArchiveError, joined
from intelli.text.xml_tree import Element, attribute, children, descendants, text_of

CONTAINER = "META-INF/container.xml"
MAX_CHAPTERS = 2_000
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_LINK = re.compile(r"(?<!!)\[([^\[\]\n]*)\]\((?!https?:|mailto:)[^()\s]*\)")


def read_epub(archive: Archive) -> Document:
    """The book; raises ArchiveError with `office-encrypted` where its chapters are."""
    container = archive.tree(CONTAINER)
    package = next((attribute(e, "full-path") for e in descendants(container, "rootfile")), "")
    root = archive.tree(package)
    chapters = _chapters(root, package)
    _refuse_encrypted(archive, chapters)
    texts = [_markdown(archive.read(name)) for name in chapters[:MAX_CHAPTERS]]
    more = len(chapters) - MAX_CHAPTERS
    return document_of(
        "\n\n".join(text for text in texts if text),
        "epub",
        title=_about(root, "title"),
        published=date_of(_about(root, "date")),
        language=_about(root, "language"),
        left_out=f"{more} more chapters" if more > 0 else "",
    )


def _chapters(root: Element | None, package: str) -> list[str]:
    """The entries of the spine; its table of contents is left out."""
    items = {}
    for item in descendants(root, "item"):
        is_contents = "nav" in attribute(item, "properties").split()
        if attribute(item, "media-type") in _PAGES and not is_contents:
            items[attribute(item, "id")] = joined(package, attribute(item, "href"))
    spine = next(descendants(root, "spine"), None)
    named = [items.get(attribute(ref, "idref"), "") for ref in children(spine, "itemref")]
    return [name for name in dict.fromkeys(named) if name]


def _refuse_encrypted(archive: Archive, chapters: list[str]) -> None:
    # Fonts are often scrambled in books that anybody may read.
    hidden = archive.tree("META-INF/encryption.xml")
    names = {attribute(each, "URI") for each in descendants(hidden, "CipherReference")}
    if names.intersection(chapters):
        raise ArchiveError("office-encrypted")


def _markdown(page: bytes) -> str:
    # Links between chapters lead nowhere once the book is one text.
    return _LINK.sub(r"\1", fragment(decode(page, ""), ""))


def _about(root: Element | None, name: str) -> str:
    return text_of(next(descendants(root, name), None))
