"""Hacker News through Algolia's search, which needs no key."""

from __future__ import annotations

import html
from collections.abc import Iterable
from urllib.parse import urlencode

from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import Row, address, date, markup, number, rows, text
from intelli.search.keywords import keywords
from intelli.search.service import Service
from intelli.text.snippets import cut, one_line

COMMENT = 300
"""Characters of a comment, or of the text of a post, that are kept."""
_MOST = 100
_KINDS = "(story,comment,poll,job)"
_THREAD = "https://news.ycombinator.com/item?id="


def make(equipment: Equipment) -> Service:
    """Stories with points and comments; a comment that fits stands for its thread."""
    return Service(equipment, _ask, free=True)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    asked = {
        "query": " ".join(keywords(query.text)),
        "tags": _KINDS,
        "hitsPerPage": str(min(_MOST, query.urls * 2)),
    }
    url = f"{equipment.url}?{urlencode(asked, errors='replace')}"
    data = await rest.get_json(equipment.network, url)
    return map(_link, rows(data, "hits"))


def _link(hit: Row) -> Link | None:
    is_comment = bool(hit.get("comment_text"))
    thread = _thread(hit, "story_id" if is_comment else "objectID")
    # Ask HN, jobs and polls have no address of their own.
    url = thread if is_comment else address(hit, "url") or thread
    if not url:
        return None
    author = text(hit, "author")
    return Link(
        url=url,
        # A title is text, not markup: `Vec<T>` is no tag.
        title=one_line(html.unescape(text(hit, "story_title" if is_comment else "title"))),
        snippet=cut(markup(hit, "comment_text") or markup(hit, "story_text"), COMMENT),
        published=date(hit, "created_at"),
        authors=(author,) if author else (),
        points=None if is_comment else number(hit, "points"),
        comments=None if is_comment else number(hit, "num_comments"),
    )


def _thread(hit: Row, name: str) -> str:
    found = hit.get(name)
    digits = str(found) if isinstance(found, int | str) and not isinstance(found, bool) else ""
    return _THREAD + digits if digits.isascii() and digits.isdigit() and len(digits) < 20 else ""
