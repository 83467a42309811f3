"""Posts of X through FxTwitter: the thread they belong to, what they quote, long articles."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.adapters.threads import (
    Json,
    Post,
    counted,
    day,
    joined,
    markdown_of,
    number_at,
    object_at,
    objects,
    one_line,
    text_at,
)

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

_MARKS = {
    "header-one": "## ",
    "header-two": "### ",
    "header-three": "#### ",
    "unordered-list-item": "- ",
    "ordered-list-item": "1. ",
    "blockquote": "> ",
}
"""What a block of an article begins with, by the block types of Draft.js."""


async def read(route: Route, asking: Asking) -> Article:
    """The post; where its author went on, the whole thread."""
    number = route.parts["id"]
    data: Any = await asking.json("fxtwitter", f"/2/thread/{number}")
    status = object_at(data, "status")
    if not status or text_at(status, "type") == "tombstone":
        reason = text_at(status, "reason") or "not there"
        raise FetchError(f"the post is {reason}", code="empty")
    thread = [each for each in objects(data.get("thread")) if _said(each)] or [status]
    posts = [Post(heading=_heading(each), body=_body(each)) for each in thread]
    if not any(_said(each) for each in thread):
        raise FetchError("the post has no text", code="empty")
    return Article(
        text=markdown_of(posts),
        title=one_line(text_at(status, "article", "title"))
        or f"{one_line(text_at(status, 'author', 'name')) or 'Post'} on X",
        published=_day(thread[0]),
        url=f"https://x.com/{text_at(status, 'author', 'screen_name') or 'i'}/status/{number}",
    )


def _said(status: Json) -> str:
    return text_at(status, "text") or text_at(status, "article", "title")


def _handle(status: Json) -> str:
    name = text_at(status, "author", "screen_name")
    return f"@{name}" if name else ""


def _day(status: Json) -> str | None:
    try:
        return parsedate_to_datetime(text_at(status, "created_at")).date().isoformat()
    except ValueError:
        return day(status.get("created_timestamp"))


def _heading(status: Json) -> str:
    likes, reposts = number_at(status, "likes"), number_at(status, "reposts")
    counts = (likes and counted(likes, "like"), reposts and counted(reposts, "repost"))
    who = joined(text_at(status, "author", "name"), _handle(status), _day(status), *counts)
    return f"Post by {who}"


def _body(status: Json) -> str:
    parts = [text_at(status, "text"), _article(status.get("article"))]
    quote = object_at(status, "quote")
    if _said(quote):
        quoted = [_heading(quote).replace("Post by", "Quoting"), "", *_said(quote).splitlines()]
        parts.append("\n".join(f"> {line}".rstrip() for line in quoted))
    return "\n\n".join(part for part in parts if part)


def _article(article: Any) -> str:
    """The blocks of an article as Markdown; pictures and embedded posts are left out."""
    content = object_at(article, "content")
    entities = {
        str(entry.get("key")): text_at(entry, "value", "data", "markdown")
        for entry in objects(content.get("entityMap"))
    }
    blocks = [_block(block, entities) for block in objects(content.get("blocks"))]
    return "\n\n".join(block for block in blocks if block)


def _block(block: Json, entities: dict[str, str]) -> str:
    kind = text_at(block, "type")
    if kind == "atomic":
        keys = (str(each.get("key")) for each in objects(block.get("entityRanges")))
        return "\n\n".join(found for key in keys if (found := entities.get(key, "")))
    text = text_at(block, "text").strip()
    if kind == "code-block":
        return f"```\n{text}\n```" if text else ""
    return _MARKS.get(kind, "") + text if text else ""
