"""What stands in for a page that could not be read: a reader service, a browser, an excerpt."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from intelli.errors import FetchError
from intelli.fetch.adapted import page_from, said
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.direct import page_at
from intelli.fetch.making import page_of
from intelli.fetch.score import Reading, candidate
from intelli.fetch.tools import FetchTools
from intelli.fetch.verdict import judge
from intelli.net import guard, urls
from intelli.net.client import Response
from intelli.records import EXCERPT, USABLE_VERDICTS, Link, Page
from intelli.text.document import Document

HOPELESS = frozenset({"bad-url", "private-address", "offline", "http-404", "http-410", "soft-404"})
"""Codes of pages that are not there or may not be had: nobody else is asked for them."""
LEAST = 120
"""Characters from which on the excerpt of a search says more than the link."""
_IMAGE = re.compile(r"!\[[^\[\]\n]{0,300}\]\([^()\s]{0,2000}\)")
_FAILED = re.compile(r"\b(?:403|404|captcha|forbidden|not found)\b", re.I)

_THIN = FetchError("the page says hardly anything", code="thin")

Way = Callable[[Link, FetchTools, float], Awaitable[Page]]


def may_ask(tools: FetchTools) -> bool:
    """Whether anything after the page itself needs time."""
    return tools.services is not None and (tools.services.jina or tools.services.browser)


async def page_or_instead(
    link: Link, own: Page | FetchError, tools: FetchTools, deadline: float, tried: list[str]
) -> Page:
    """What came from the page's own address where it is good; else the first that has text, in
    the order of how much it is the page; else again what came, or raised as an error, with all
    that was `tried` before."""
    before = len(tried)
    ways = _ways(own, tools)
    if ways:
        tried.append(said("page", own if isinstance(own, FetchError) else _THIN))
    for via, way in ways:
        try:
            return replace(await way(link, tools, deadline), tried=tuple(tried))
        except FetchError as failure:
            tried.append(said(via, failure))
    others = (*tried[:before], *tried[before + 1 :])
    if isinstance(own, Page):
        return replace(own, tried=others)
    own.tried = others
    raise own


def _ways(own: Page | FetchError, tools: FetchTools) -> list[tuple[str, Way]]:
    """Who may be asked for a page of which this came."""
    services = tools.services
    is_done = own.verdict != "thin" if isinstance(own, Page) else own.code in HOPELESS
    if services is None or is_done:
        return []
    ways: list[tuple[str, Way]] = []
    if services.jina:
        ways.append(("jina", _by_jina))
    if services.browser:
        ways.append(("browser", _by_browser))
    if isinstance(own, FetchError):
        ways.append((EXCERPT, _excerpt))
    return ways


async def _by_jina(link: Link, tools: FetchTools, deadline: float) -> Page:
    """The page as Jina Reader has it, if it is this page and not what keeps robots out."""
    url = urls.clean(link.url)
    if not _is_public(urls.host(url)):
        raise FetchError("private addresses are told to nobody", code="private-address")
    assert tools.services is not None
    answer: Any = await Asking(tools, tools.services, deadline).json("jina", f"/{url}")
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, dict) or not isinstance(data.get("content"), str):
        raise FetchError("the reader answered with no page", code="bad-answer")
    if urls.key(str(data.get("url") or "")) != urls.key(url):
        raise FetchError("the reader answered with another page", code="bad-answer")
    status, warning = data.get("httpStatus"), str(data.get("warning") or "")
    if (isinstance(status, int) and status >= 400) or _FAILED.search(warning):
        raise FetchError("the reader met the same refusal", code=f"http-{status or 403}")
    article = Article(
        text=_IMAGE.sub("", data["content"]).strip(), title=str(data.get("title") or "")
    )
    _refuse(article, url)
    return page_from(link, "jina", article)


def _refuse(article: Article, url: str) -> None:
    """Raises FetchError for text that is a challenge, a login or nothing."""
    document = Document(
        text=article.text,
        kind="html",
        title=article.title,
        signals={"visible_chars": len(article.text), "body_head": article.text[:4000]},
    )
    verdict = judge(Response(status=200, url=url, headers={}, body=b""), document).verdict
    if verdict not in USABLE_VERDICTS or verdict == "thin":
        raise FetchError(f"the reader got a page that is {verdict}", code=verdict, verdict=verdict)


def _is_public(host: str) -> bool:
    """Whether a host may be named to others: no private address, no name of an inner network."""
    try:
        address = guard.literal(host)
    except ValueError:
        return False
    if address is not None:
        return guard.classify(address) == "public"
    return "." in host and not guard.is_local_name(host) and not guard.is_metadata_name(host)


async def _by_browser(link: Link, tools: FetchTools, deadline: float) -> Page:
    """The page after its scripts ran."""
    from intelli.net.rendering import render

    rendered = await render(link.url, tools.network.fetch, deadline - time.monotonic())
    return await page_at(link, rendered, tools, via="browser")


async def _excerpt(link: Link, tools: FetchTools, deadline: float) -> Page:
    """What the search service showed of the page, which is not the page."""
    text = link.snippet.strip()
    if len(text) < LEAST:
        raise FetchError("the search showed too little of it", code="thin")
    best = candidate(Reading(via=EXCERPT, text=text, title=link.title, verdict="thin"))
    return replace(page_of(link, best, urls.clean(link.url)), verdict="thin")
