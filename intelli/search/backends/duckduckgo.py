"""DuckDuckGo's HTML page: no key, but bursts bring a bot check that lasts."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from intelli.errors import BackendError, FetchError
from intelli.net import urls
from intelli.net.client import Network, Response, ServiceRequest
from intelli.records import Answer, Link, Query
from intelli.search.backend import Equipment
from intelli.search.refusals import bot_check, unreachable
from intelli.search.rules import with_sites

if TYPE_CHECKING:
    from lxml.html import HtmlElement

TIMEOUT = 20.0
LONGEST_QUERY = 499
_BANG = re.compile(r"(?<!\S)(!\S+)")
_BLOCKED_STATUS = frozenset({202, 403, 418, 429})
_CHALLENGE = (
    "//form[@id='challenge-form' or contains(@action, 'anomaly.js')]"
    " | //*[contains(@class, 'anomaly-modal')] | //*[@data-testid='anomaly-modal']"
)
_HOME = "https://duckduckgo.com/"
_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def make(equipment: Equipment) -> DuckDuckGo:
    """Needs nothing but its address."""
    return DuckDuckGo(equipment.network, equipment.url)


class DuckDuckGo:
    """The first page of results, which has about ten."""

    name = "duckduckgo"

    def __init__(self, network: Network, url: str) -> None:
        self._network = network
        self._url = url

    async def search(self, query: Query) -> Answer:
        """Raises BackendError: `challenge`, `layout-changed` or an HTTP status."""
        words = with_sites(query, limit=LONGEST_QUERY)
        try:
            response = await self._network.call(self._request(words))
        except FetchError as error:
            raise unreachable(error) from error
        links = enumerate(parse(response), 1)
        return Answer(
            links=tuple(replace(link, rank=rank) for rank, link in links), backend=self.name
        )

    def _request(self, words: str) -> ServiceRequest:
        parts = urlsplit(self._url)
        fields = {"q": _BANG.sub(r'"\1"', words), "b": "", "kl": "wt-wt"}
        headers = {
            "user-agent": _AGENT,
            "accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "accept-language": "en-US,en;q=0.5",
            "content-type": "application/x-www-form-urlencoded",
            "referer": f"{parts.scheme}://{parts.netloc}/",
            "sec-fetch-dest": "document",
            "sec-fetch-mode": "navigate",
            "sec-fetch-site": "same-origin",
            "sec-fetch-user": "?1",
        }
        return ServiceRequest(
            method="POST",
            url=self._url,
            headers=headers,
            content=urlencode(fields, errors="replace").encode(),
            timeout=TIMEOUT,
        )


def parse(response: Response) -> tuple[Link, ...]:
    """Links of a result page, none when it says that there are none.

    The body decides before the status does: a bot check comes with 202, 403 and 200. Raises
    BackendError: `challenge` for one, and others when the page is neither that nor results.
    """
    page = _tree(response.body)
    if page is not None and page.xpath(_CHALLENGE):
        raise bot_check(response.status)
    results = _with_class(page, "result__a") if page is not None else []
    links = [link for result in results if (link := _link(result))]
    if links:
        return tuple(links)
    if response.status in _BLOCKED_STATUS:
        raise bot_check(response.status)
    if response.status != 200:
        raise BackendError(
            f"HTTP {response.status}",
            code=f"http-{response.status}",
            retryable=response.status >= 500,
        )
    if results or (page is not None and _with_class(page, "no-results")):
        return ()
    raise BackendError("the form of its pages has changed", code="layout-changed")


def _tree(body: bytes) -> HtmlElement | None:
    from lxml import html
    from lxml.etree import ParserError

    try:
        return html.fromstring(body.decode("utf-8", "replace") or " ")
    except (ParserError, ValueError):
        return None


def _with_class(node: HtmlElement, name: str) -> list[HtmlElement]:
    found = node.xpath(
        "descendant::*[contains(concat(' ', normalize-space(@class), ' '), $name)]",
        name=f" {name} ",
    )
    return list(found) if isinstance(found, list) else []


def _link(anchor: HtmlElement) -> Link | None:
    """None for adverts."""
    blocks = [(block, (block.get("class") or "").split()) for block in anchor.iterancestors("div")]
    if any("result--ad" in classes for _, classes in blocks):
        return None
    url = _target(anchor.get("href") or "")
    own = next((block for block, classes in blocks if "result" in classes), anchor)
    snippets = _with_class(own, "result__snippet")
    if not url:
        return None
    return Link(
        url=url,
        title=_words(anchor),
        snippet=_words(snippets[0]) if snippets else "",
        backend=DuckDuckGo.name,
    )


def _target(href: str) -> str:
    """Where a result leads: the address itself or the one inside a redirect, decoded once."""
    url = urls.joined(_HOME, href.strip())
    if _is_own(url, "/l/"):
        url = parse_qs(urlsplit(url).query).get("uddg", [""])[0].strip()
    return url if urls.is_http(url) and not _is_own(url, "/y.js") and url != _HOME else ""


def _is_own(url: str, path: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    own = parts.netloc == "duckduckgo.com" or parts.netloc.endswith(".duckduckgo.com")
    return own and parts.path.rstrip("/") == path.rstrip("/")


def _words(node: HtmlElement) -> str:
    return " ".join(node.text_content().split())
