"""The page by its site's adapter: another address of the same thing that says it better."""

from __future__ import annotations

import time

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.adapters.table import route
from intelli.fetch.making import page_of, with_date
from intelli.fetch.score import Reading, candidate
from intelli.fetch.tools import FetchTools
from intelli.net import urls
from intelli.records import Link, Page

SHARE = 0.6
"""Share of the time left that an adapter may take: after it the page itself is asked for."""


async def adapted_page(
    link: Link, tools: FetchTools, deadline: float, tried: list[str]
) -> Page | None:
    """The page, None where it has no adapter or that one failed; `tried` then says why."""
    way = route(link.url)
    if way is None or tools.services is None:
        return None
    left = deadline - time.monotonic()
    asking = Asking(tools, tools.services, time.monotonic() + SHARE * left)
    try:
        article = await way.reader()(way, asking)
    except FetchError as error:
        tried.append(said(way.via, error))
        return None
    if not article.text.strip():
        tried.append(f"{way.via}: empty: no text came")
        return None
    return page_from(link, way.via, article)


def page_from(link: Link, via: str, article: Article) -> Page:
    """The page that an article is a reading of."""
    best = candidate(Reading(via=via, text=article.text, title=article.title))
    return with_date(page_of(link, best, urls.clean(article.url or link.url)), article.published)


def said(via: str, error: FetchError) -> str:
    """One line of what was tried: the way, the code and the reason."""
    return f"{via}: {error.code}: {error.message}"
