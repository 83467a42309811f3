"""Rust documentation: the described item alone, without the menus and buttons around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

_MAIN = re.compile(r"<section id=\"?main-content\"?[\s>]")
_TITLE = re.compile(r"<title>([^<]{1,300})</title>")
_CONTROLS = re.compile(
    r"<(button|summary class=\"hideme\"|rustdoc-toolbar)(?=[\s>])[^<>]*>(?:[^<]|<(?!/))*"
    r"(?:</span>\s*)?</(?:button|summary|rustdoc-toolbar)>"
)
_ANCHOR = re.compile(
    r"<a\b[^<>]{0,300}class=\"(?:doc-anchor|anchor|src[^\"]{0,20})\"[^<>]*>[^<]*</a>"
)


async def read(route: Route, asking: Asking) -> Article:
    """The item of the page, of whichever version a redirect leads to."""
    response = await asking.page(route.url.geturl(), "text/html")
    text = response.body.decode("utf-8", "replace")
    start = _MAIN.search(text)
    if start is None:
        raise FetchError("this is no page of rustdoc", code="bad-answer")
    main = text[start.start() :].partition("</main>")[0]
    item = _ANCHOR.sub("", _CONTROLS.sub("", main))
    title = _TITLE.search(text)
    named = title[0] if title else ""
    page = f"<!doctype html><head>{named}</head><body><main>{item}</main></body>"
    document = await asking.read_html(page, response.url)
    return Article(text=document.text, title=document.title, url=response.url)
