"""Link -> Page: one request, beside it the page's own Markdown where one is likely, one choice."""

from __future__ import annotations

import hashlib
import re
import time
from datetime import UTC, datetime
from urllib.parse import unquote, urlsplit

from intelli.errors import FetchError
from intelli.fetch import twin
from intelli.fetch.cleaning import clean
from intelli.fetch.score import Reading, candidate, compare, looks_unfinished
from intelli.fetch.tools import FetchTools
from intelli.fetch.twin import TwinSearch
from intelli.fetch.verdict import judge
from intelli.net import urls
from intelli.net.client import Response
from intelli.records import USABLE_VERDICTS, Candidate, Link, Page, Verdict, record
from intelli.text.decoding import decode
from intelli.text.document import Document

__all__ = ["FetchTools", "fetch_page"]

ACCEPT = "text/markdown, text/html;q=0.9, */*;q=0.8"
ACCEPT_HTML = "text/html, application/xhtml+xml, */*;q=0.5"
GRACE = 0.3
"""Seconds a good page waits for a twin that was only guessed."""
DECLARED_GRACE = 0.6
"""Seconds it waits for one that it names itself."""
RESCUE = 3.0
"""Seconds a page that is no use waits for a twin that may be."""
NOTICES = {
    "pdf-scanned": "This PDF holds scanned pages without text.",
    "pdf-encrypted": "This PDF is encrypted and cannot be read without its password.",
    "pdf-broken": "This PDF is damaged and cannot be read.",
}
_SHORT = {
    "challenge": "the site answered with a check for robots",
    "login": "the site asks for a login",
    "soft-404": "the site has no such page",
    "js-shell": "the page has no text until its scripts run",
    "binary": "the body is of a kind that no reader handles",
    "thin": "the page has no text",
}
_REFRESH = re.compile(
    rb"<meta\b(?=[^<>]*http-equiv=[\"']?refresh)[^<>]*content=[\"']?\s*([0-9]{1,2})\s*[;,]\s*"
    rb"url\s*=\s*[\"']?([^\"'<>\s]+)",
    re.IGNORECASE,
)
_VIA = {"html": "html", "markdown": "markdown", "pdf": "pdf"}


@record
class Body:
    """A response, what the reader made of it and what it was judged to be."""

    response: Response
    document: Document
    verdict: Verdict
    noise: float = 0.0
    leftovers: int = 0

    @property
    def is_good(self) -> bool:
        return self.response.status < 400 and self.verdict in ("ok", "truncated", "paywall")

    @property
    def reading(self) -> Reading:
        failed = self.response.status >= 400
        return Reading(
            via=_VIA.get(self.document.kind, "text"),
            text=self.document.text,
            title=self.document.title,
            noise=self.noise,
            leftovers=self.leftovers,
            verdict="soft-404" if failed and self.verdict == "ok" else self.verdict,
        )


async def fetch_page(link: Link, tools: FetchTools) -> Page:
    """The better reading of the page at `link.url`, within `tools.timeout` seconds of network.

    Raises FetchError with a code of the contract; its `verdict` says what the body was when one
    came that is not the page."""
    if link.url.startswith("file:"):
        return await _local_page(link, tools)
    if not urls.is_http(link.url):
        raise FetchError(f"not a http or https address: {link.url[:200]}", code="bad-url")
    deadline = time.monotonic() + tools.timeout
    async with TwinSearch(urls.clean(link.url), tools.network, tools.twins, deadline) as search:
        body = await _fetch_body(link.url, ACCEPT, tools, deadline)
        if body.document.kind == "markdown":
            other = await _html_of_broken(body, tools, deadline)
            return _choose(link, other or body, body if other else None)
        if body.document.kind != "html":
            return _choose(link, body, None)
        return _choose(link, body, await _twin_of(body, search, deadline))


async def _fetch_body(url: str, accept: str, tools: FetchTools, deadline: float) -> Body:
    """The body at `url`; a stub that only names another address is followed once."""
    body = await _read(await _get(url, accept, tools, deadline), tools)
    target = _refresh_target(body)
    if target is None:
        return body
    return await _read(await _get(target, accept, tools, deadline), tools)


async def _get(url: str, accept: str, tools: FetchTools, deadline: float) -> Response:
    left = max(0.001, deadline - time.monotonic())
    return await tools.network.fetch(url, accept=accept, timeout=left)


async def _read(response: Response, tools: FetchTools) -> Body:
    document = await tools.reader.read(response.body, response.content_type, response.url)
    return _judged(response, document)


def _judged(response: Response, document: Document) -> Body:
    verdict = judge(response, document)
    if document.kind != "markdown":
        return Body(response=response, document=document, verdict=verdict)
    cleaned = clean(document.text)
    tidy = Document(text=cleaned.text, kind="markdown", title=cleaned.title or document.title)
    return Body(
        response=response,
        document=tidy,
        verdict=verdict,
        noise=cleaned.noise,
        leftovers=cleaned.leftovers,
    )


def _refresh_target(body: Body) -> str | None:
    if body.document.kind != "html" or len(body.document.text) > 500:
        return None
    match = _REFRESH.search(body.response.body[:20_000])
    if match is None or int(match[1]) > 10:
        return None
    named = match[2].decode("utf-8", "replace").replace("&amp;", "&")
    target = urls.joined(body.response.url, named)
    is_new = urls.is_http(target) and urls.key(target) != urls.key(body.response.url)
    return target if is_new else None


async def _twin_of(body: Body, search: TwinSearch, deadline: float) -> Body | None:
    """The twin of an HTML page: waited for shortly when the page is good, longer when it is not."""
    named = twin.declared(body.response, body.document.alternate)
    if named is not None:
        await search.ask(named)
    elif body.verdict in ("js-shell", "thin") and body.response.status < 400:
        search.guess()
    grace = DECLARED_GRACE if named is not None else GRACE
    patience = min(grace if body.is_good else RESCUE, deadline - time.monotonic())
    response = await search.result(patience)
    if response is None:
        return None
    text = decode(response.body, response.content_type)
    return _judged(response, Document(text=text, kind="markdown"))


async def _html_of_broken(body: Body, tools: FetchTools, deadline: float) -> Body | None:
    """The page as HTML, when the Markdown it was answered with looks unfinished."""
    if not (body.is_good and looks_unfinished(body.reading)):
        return None
    try:
        other = await _fetch_body(body.response.url, ACCEPT_HTML, tools, deadline)
    except FetchError:
        return None
    return other if other.document.kind == "html" else None


def _choose(link: Link, body: Body, own: Body | None) -> Page:
    """The page of the better reading. Raises FetchError when none is one."""
    if own is not None and not own.document.text:
        own = None
    if own is None:
        candidates: tuple[Candidate, ...] = (candidate(body.reading),)
        return _page(link, body, body, candidates)
    of_page, of_twin = compare(body.reading, own.reading)
    winner = own if of_twin.score > of_page.score else body
    candidates = (of_page, of_twin) if winner is body else (of_twin, of_page)
    return _page(link, winner, body, candidates)


def _page(link: Link, winner: Body, body: Body, candidates: tuple[Candidate, ...]) -> Page:
    _refuse_unusable(winner)
    best = candidates[0]
    final_url = body.response.url
    return Page(
        link=link,
        final_url=final_url,
        text=best.text,
        title=best.title or body.document.title or link.title or title_of(final_url),
        via=best.via,
        verdict=winner.verdict,
        published=body.document.published or link.published,
        fetched=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        digest=digest(best.text),
        score=best.score,
        candidates=candidates,
    )


def _refuse_unusable(body: Body) -> None:
    status, document, verdict = body.response.status, body.document, body.verdict
    if status >= 400:
        about = f": {_SHORT[verdict]}" if verdict in ("challenge", "login") else ""
        raise FetchError(
            f"the server answered {status}{about}",
            code=f"http-{status}",
            retryable=status in (408, 425, 429) or status >= 500,
            verdict=None if verdict == "ok" else verdict,
        )
    if document.error is not None:
        notice = NOTICES.get(document.error, "this document cannot be read")
        raise FetchError(notice, code=document.error, verdict="thin")
    if verdict not in USABLE_VERDICTS:
        raise FetchError(_SHORT[verdict], code=verdict, verdict=verdict)
    if not document.text.strip():
        raise FetchError(_SHORT["thin"], code="empty", verdict="thin")


async def _local_page(link: Link, tools: FetchTools) -> Page:
    """A file of the user's own; only the index that found it may open it."""
    if tools.docs is None:
        raise FetchError("file addresses are not fetched", code="bad-url")
    document = await tools.docs.read(link.url)
    if document.error is not None:
        raise FetchError(NOTICES.get(document.error, "cannot be read"), code=document.error)
    if not document.text.strip():
        raise FetchError("the file has no text", code="empty", verdict="thin")
    title = document.title or link.title or title_of(link.url)
    reading = candidate(Reading(via="file", text=document.text, title=title))
    return Page(
        link=link,
        final_url=link.url,
        text=document.text,
        title=title,
        via="file",
        published=document.published or link.published,
        fetched=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        digest=digest(document.text),
        score=reading.score,
        candidates=(reading,),
    )


def title_of(url: str) -> str:
    """A name for a page that has none: the last part of its path, else its host."""
    parts = urlsplit(url)
    name = unquote(parts.path.rstrip("/").rpartition("/")[2])
    stem = re.sub(r"\.(?:html?|php|aspx?|md|txt|pdf)$", "", name, flags=re.IGNORECASE)
    return stem.replace("-", " ").replace("_", " ").strip() or urls.host(url) or url


def digest(text: str) -> str:
    """SHA-256 of the text in hexadecimal, by which equal pages are found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
