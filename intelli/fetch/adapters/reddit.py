"""Threads of Reddit through their feed, and where that is refused through the old site."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.adapters.threads import Post, day, html_of, joined

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

ATOM = "{http://www.w3.org/2005/Atom}"
MOST = 100


async def read(route: Route, asking: Asking) -> Article:
    """The post and its comments."""
    board, number = route.parts["board"], route.parts["id"]
    path = (f"/r/{board}" if board else "") + f"/comments/{number}"
    site = f"{route.url.scheme}://www.reddit.com"
    try:
        response = await asking.page(f"{site}{path}/.rss?limit={MOST}", "application/atom+xml")
        return await _thread(_entries(response.body), f"{site}{path}/", asking)
    except FetchError:
        old = f"{route.url.scheme}://old.reddit.com{path}/"
        document = await asking.document(old)
    if f"/comments/{number}" not in (document.canonical or ""):
        raise FetchError("Reddit answered with another page", code="bad-answer")
    return Article(
        text=document.text, title=document.title, published=document.published, url=f"{site}{path}/"
    )


def _entries(body: bytes) -> list[ElementTree.Element]:
    """The feed's entries."""
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise FetchError("the feed is not a plain one", code="bad-answer")
    try:
        # Entities, by which XML grows without end, are declared in a document type only.
        return ElementTree.fromstring(body).findall(f"{ATOM}entry")  # noqa: S314
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise FetchError("the feed is no XML", code="bad-answer") from error


async def _thread(entries: list[ElementTree.Element], url: str, asking: Asking) -> Article:
    if not entries or not _text(entries[0], "id").startswith("t3_"):
        raise FetchError("the feed has no post", code="empty")
    post, *comments = entries
    title, author = _text(post, "title"), _author(post)
    published = day(_text(post, "published") or _text(post, "updated"))
    label = post.find(f"{ATOM}category")
    facts = joined(f"By {author}", published, label.get("label") if label is not None else "")
    posts = [
        Post(
            heading=f"Comment by {joined(_author(entry), day(_text(entry, 'updated')))}",
            body=_text(entry, "content"),
        )
        for entry in comments
    ]
    page = html_of(title, f"<p>{facts}.</p><div>{_text(post, 'content')}</div>", posts)
    document = await asking.read_html(page, url)
    return Article(text=document.text, title=title, published=published, url=url)


def _text(entry: ElementTree.Element, name: str) -> str:
    return entry.findtext(f"{ATOM}{name}") or ""


def _author(entry: ElementTree.Element) -> str:
    name = entry.findtext(f"{ATOM}author/{ATOM}name") or "a deleted account"
    return name.removeprefix("/u/")
