"""How a reading becomes a Page, whoever read it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import unquote, urlsplit

from intelli.net import urls
from intelli.net.client import Response
from intelli.records import Candidate, Link, Page
from intelli.text.document import Document

NOTICES = {
    "pdf-scanned": "This PDF holds scanned pages without text.",
    "pdf-encrypted": "This PDF is encrypted and cannot be read without its password.",
    "pdf-broken": "This PDF is damaged and cannot be read.",
    "office-encrypted": "This document is encrypted and cannot be read without its password.",
    "archive-broken": "This document is damaged and cannot be read.",
}
"""What a document says in place of its text, by its `error`."""


def page_of(link: Link, best: Candidate, url: str) -> Page:
    """The page with the reading `best` at `url`, fetched now."""
    return Page(
        link=link,
        final_url=url,
        text=best.text,
        title=best.title or link.title or title_of(url),
        via=best.via,
        published=link.published,
        fetched=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        digest=digest(best.text),
        score=best.score,
        candidates=(best,),
    )


def with_date(page: Page, published: str | None) -> Page:
    """The page with the date it gives itself, which counts more than what a search said."""
    return replace(page, published=published or page.published)


def as_told(page: Page, document: Document) -> Page:
    """The page with what its document says of itself: dates and author."""
    page = with_date(page, document.published)
    return replace(page, modified=document.modified, author=document.author or "")


def as_kept(page: Page, response: Response) -> Page:
    """The page with the moment its response came, where that was kept from an earlier run."""
    if response.fetched is None:
        return page
    return replace(page, fetched=response.fetched, age_s=response.age_s)


def title_of(url: str) -> str:
    """A name for a page that has none: the last part of its path, else its host."""
    parts = urlsplit(url)
    name = unquote(parts.path.rstrip("/").rpartition("/")[2])
    stem = re.sub(r"\.(?:html?|php|aspx?|md|txt|pdf)$", "", name, flags=re.IGNORECASE)
    return stem.replace("-", " ").replace("_", " ").strip() or urls.host(url) or url


def digest(text: str) -> str:
    """SHA-256 of the text in hexadecimal, by which equal pages are found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
