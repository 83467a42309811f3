"""Articles of Wikipedia without what surrounds them, from any of its hosts."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import JSON, Article, Asking, parsed
from intelli.fetch.adapters.table import plain
from intelli.fetch.adapters.threads import day, html_of, object_at, objects, text_at

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

_TAG = re.compile(r"<[^<>]*>")


async def read(route: Route, asking: Asking) -> Article:
    """The article; a redirect leads to its target. Raises FetchError `empty` for none."""
    site = route.site.replace(".m.wikipedia.", ".wikipedia.")
    api = f"{site}/w/api.php"
    asked = {
        "action": "parse",
        "page": plain(route.parts["title"]),
        "prop": "text|displaytitle",
        "redirects": 1,
        "disablelimitreport": 1,
        "disableeditsection": 1,
        "disabletoc": 1,
        "format": "json",
        "formatversion": 2,
    }
    data: Any = parsed(await asking.page(f"{api}?{urlencode(asked)}", JSON))
    found = object_at(data, "parse")
    if not text_at(found, "text"):
        raise FetchError(text_at(data, "error", "info") or "there is no such article", code="empty")
    shown = html.unescape(_TAG.sub("", text_at(found, "displaytitle")))
    title = shown or text_at(found, "title")
    url = f"{site}/wiki/{text_at(found, 'title').replace(' ', '_')}"
    document = await asking.read_html(html_of(title, text_at(found, "text"), ()), url)
    edited = await _edited(api, text_at(found, "title"), asking)
    return Article(text=document.text, title=title, published=edited, url=url)


async def _edited(api: str, title: str, asking: Asking) -> str | None:
    """The day of the last revision: an article that is edited for ever has no other date."""
    asked = {
        "action": "query",
        "prop": "revisions",
        "rvprop": "timestamp",
        "titles": title,
        "format": "json",
        "formatversion": 2,
    }
    try:
        data: Any = parsed(await asking.page(f"{api}?{urlencode(asked)}", JSON))
    except FetchError:
        return None
    pages = objects(object_at(data, "query").get("pages"))
    revisions = objects(pages[0].get("revisions")) if pages else []
    return day(revisions[0].get("timestamp")) if revisions else None
