"""Link -> Page: by the site's adapter, at its own address, or by what may stand in for it."""

from __future__ import annotations

import time
from dataclasses import replace

from intelli.errors import FetchError
from intelli.fetch import adapted, instead
from intelli.fetch.direct import read_page
from intelli.fetch.making import NOTICES, as_told, page_of
from intelli.fetch.score import Reading, candidate
from intelli.fetch.tools import FetchTools
from intelli.net import urls
from intelli.records import Link, Page

__all__ = ["NOTICES", "FetchTools", "fetch_page"]

STORED = "cache"
"""The backend whose links are to pages of earlier runs: no network is asked for them."""
OWN_SHARE = 0.6
"""Share of a page's time that its own address may take where others may be asked after it."""


async def fetch_page(link: Link, tools: FetchTools) -> Page:
    """The best reading of the page at `link.url`, within `tools.timeout` seconds of network.

    `tried` of the page says what was asked before what won. Raises FetchError with a code of the
    contract; its `verdict` says what the body was when one came that is not the page, its `tried`
    what else was asked. It is the error of the page's own address, whatever was asked beside."""
    if link.backend == STORED and tools.stored is not None:
        return replace(await tools.stored.read(link.url), link=link)
    if link.url.startswith("file:"):
        return await _local_page(link, tools)
    if not urls.is_http(link.url):
        message = f"not a http or https address: {link.url[:200]}"
        hint = "an address starts with http:// or https://; `intelli extract` reads local files"
        raise FetchError(message, code="bad-url", hint=hint)
    end = time.monotonic() + tools.timeout
    share = OWN_SHARE if instead.may_ask(tools) else 1.0
    own_end = end - (1 - share) * tools.timeout
    tried: list[str] = []
    page = await adapted.adapted_page(link, tools, own_end, tried)
    if page is not None:
        return page
    try:
        own: Page | FetchError = await read_page(link, tools, own_end)
    except FetchError as error:
        own = error
    return await instead.page_or_instead(link, own, tools, end, tried)


async def _local_page(link: Link, tools: FetchTools) -> Page:
    """A file of the user's own; only the index that found it may open it."""
    if tools.docs is None:
        raise FetchError("file addresses are not fetched", code="bad-url")
    document = await tools.docs.read(link.url)
    if document.error is not None:
        raise FetchError(NOTICES.get(document.error, "cannot be read"), code=document.error)
    if not document.text.strip():
        raise FetchError("the file has no text", code="empty", verdict="thin")
    reading = Reading(via="file", text=document.text, title=document.title)
    return as_told(page_of(link, candidate(reading), link.url), document)
