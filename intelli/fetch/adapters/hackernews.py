"""Threads of Hacker News: the story with its points, and every comment under its author."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.adapters.threads import (
    Json,
    Post,
    counted,
    day,
    html_of,
    joined,
    number_at,
    object_at,
    objects,
    text_at,
)

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

MOST = 500
"""Comments that are kept of a thread, in the order of reading."""
_ID = re.compile(r"(?:^|&)id=(\d{1,12})(?:&|$)")


async def read(route: Route, asking: Asking) -> Article:
    """The thread below a story or a comment."""
    match = _ID.search(route.url.query)
    if match is None:
        raise FetchError("the address names no item", code="bad-url")
    item = object_at(await asking.json("hackernews", f"/items/{match[1]}"))
    comments, total = _flat(item)
    author = text_at(item, "author")
    title = text_at(item, "title") or (author and f"Comment by {author} on Hacker News")
    if not title:
        raise FetchError("there is no such item", code="empty")
    cut = f"{len(comments)} of " if total > len(comments) else ""
    shown = cut + counted(total, "comment")
    points = number_at(item, "points")
    facts = joined(
        f"By {author}", day(item.get("created_at")), points and counted(points, "point"), shown
    )
    link = html.escape(text_at(item, "url"), quote=True)
    opening = f"<p>{html.escape(facts)}.</p>"
    opening += f'<p>Link: <a href="{link}">{link}</a></p>' if link else ""
    opening += f"<div>{text_at(item, 'text')}</div>"
    document = await asking.read_html(html_of(title, opening, comments), route.url.geturl())
    return Article(text=document.text, title=title, published=day(item.get("created_at")))


def _flat(item: Json) -> tuple[list[Post], int]:
    """The comments in order of reading, each answer after what it answers, and how many there
    are. Depth is said in words: text nested ever deeper is hard to read and to cut."""
    posts: list[Post] = []
    total = 0
    waiting = [(child, "") for child in reversed(objects(item.get("children")))]
    while waiting:
        comment, answered = waiting.pop()
        author = text_at(comment, "author")
        if text_at(comment, "text") and author:
            total += 1
            if len(posts) < MOST:
                posts.append(_post(comment, author, answered))
        below = reversed(objects(comment.get("children")))
        waiting += [(child, author or "a deleted comment") for child in below]
    return posts, total


def _post(comment: Json, author: str, answered: str) -> Post:
    who = joined(author, day(comment.get("created_at")), answered and f"in reply to {answered}")
    level = 3 if answered else 2
    return Post(heading=f"Comment by {who}", body=text_at(comment, "text"), level=level)
