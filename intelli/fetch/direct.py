"""The page at its own address: one request, beside it the page's own Markdown, one choice."""

from __future__ import annotations

import re
import time
from dataclasses import replace

from intelli.errors import FetchError
from intelli.fetch import twin
from intelli.fetch.cleaning import clean
from intelli.fetch.making import NOTICES, as_kept, as_told, page_of
from intelli.fetch.score import Reading, candidate, compare, looks_unfinished
from intelli.fetch.tools import FetchTools
from intelli.fetch.twin import TwinSearch
from intelli.fetch.verdict import Judgement, judge
from intelli.net import urls
from intelli.net.client import Response
from intelli.records import USABLE_VERDICTS, Candidate, Link, Page, Verdict, record
from intelli.text.decoding import decode
from intelli.text.document import Document

ACCEPT = "text/markdown, text/html;q=0.9, */*;q=0.8"
ACCEPT_HTML = "text/html, application/xhtml+xml, */*;q=0.5"
GRACE = 0.3
"""Seconds a good page waits for a twin that was only guessed."""
DECLARED_GRACE = 0.6
"""Seconds it waits for one that it names itself."""
RESCUE = 3.0
"""Seconds a page that is no use waits for a twin that may be."""
_SHORT = {
    "challenge": "the site answered with a check for robots",
    "login": "the site asks for a login",
    "soft-404": "the site has no such page",
    "js-shell": "the page has no text until its scripts run",
    "binary": "the body is of a kind that no reader handles",
    "thin": "the page has no text",
}
_AFTER = rb"\s*([0-9]{1,2})\s*[;,]\s*url\s*=\s*[\"']?([^\"'<>\s]+)"
_REFRESH = re.compile(
    rb"<meta\b(?=[^<>]*http-equiv=[\"']?refresh)[^<>]*content=[\"']?" + _AFTER, re.IGNORECASE
)
_REFRESH_HEADER = re.compile(_AFTER, re.IGNORECASE)
_FRAMES_WITHIN = 50_000
_FRAMESET = re.compile(rb"<frameset\b", re.IGNORECASE)
_FRAME = re.compile(rb"<frame\b([^<>]{1,2000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"\b(src|name|id)\s*=\s*[\"']?([^\"'<>\s]{1,1000})", re.IGNORECASE)
_CONTENT_FRAME = re.compile(r"main|content|body|class|right|text|article|page", re.IGNORECASE)
_VIA = {"html": "html", "markdown": "markdown", "pdf": "pdf"}


@record
class Body:
    """A response, what the reader made of it and what it was judged to be."""

    response: Response
    document: Document
    judgement: Judgement
    noise: float = 0.0
    leftovers: int = 0

    @property
    def verdict(self) -> Verdict:
        return self.judgement.verdict

    @property
    def what(self) -> str:
        """The verdict in words, with whose or of what kind it is where that is known."""
        detail = self.judgement.detail
        return _SHORT[self.verdict] + (f" ({detail})" if detail else "")

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


async def read_page(link: Link, tools: FetchTools, deadline: float) -> Page:
    """The better reading of the page at `link.url`. Raises FetchError as `fetch_page` does."""
    async with TwinSearch(urls.clean(link.url), tools.network, tools.twins, deadline) as search:
        body = await _fetch_body(link.url, ACCEPT, tools, deadline)
        if body.document.kind == "markdown":
            other = await _html_of_broken(body, tools, deadline)
            return _choose(link, other or body, body if other else None)
        if body.document.kind != "html":
            return _choose(link, body, None)
        return _choose(link, body, await _twin_of(body, search, deadline))


async def page_at(link: Link, response: Response, tools: FetchTools, *, via: str) -> Page:
    """The page that a response of another client is. Raises FetchError as `fetch_page` does."""
    body = await _read(response, tools)
    best = candidate(replace(body.reading, via=via))
    return _page(link, body, body, (best,))


async def _fetch_body(url: str, accept: str, tools: FetchTools, deadline: float) -> Body:
    """The body at `url`; a stub that only names another address is followed once: a refresh, or a
    set of frames, of which the one with the content is the page."""
    body = await _asked(url, accept, tools, deadline)
    target = _refresh_target(body) or _frame_target(body)
    return body if target is None else await _asked(target, accept, tools, deadline)


async def _asked(url: str, accept: str, tools: FetchTools, deadline: float) -> Body:
    left = max(0.001, deadline - time.monotonic())
    body = await _read(await tools.network.fetch(url, accept=accept, timeout=left), tools)
    if tools.forget is not None and _is_passing(body):
        tools.forget(url, accept)
    return body


def _is_passing(body: Body) -> bool:
    """Whether it came in place of a page that is there again another time: a check for robots, or
    a half that the site sent and not our own bounds made."""
    is_half = body.verdict == "truncated" and "cut" not in body.document.signals
    return is_half or body.verdict == "challenge"


async def _read(response: Response, tools: FetchTools) -> Body:
    document = await tools.reader.read(response.body, response.content_type, response.url)
    return _judged(response, document)


def _judged(response: Response, document: Document) -> Body:
    judgement = judge(response, document)
    if judgement.verdict == "ok" and _is_frameset(response, document):
        judgement = Judgement(verdict="thin", detail="frames")
    if document.kind != "markdown":
        return Body(response=response, document=document, judgement=judgement)
    cleaned = clean(document.text)
    tidy = Document(
        text=cleaned.text,
        kind="markdown",
        title=cleaned.title or document.title,
        published=cleaned.published or document.published,
    )
    return Body(
        response=response,
        document=tidy,
        judgement=judgement,
        noise=cleaned.noise,
        leftovers=cleaned.leftovers,
    )


def _refresh_target(body: Body) -> str | None:
    if body.document.kind != "html" or len(body.document.text) > 500:
        return None
    sent = body.response.headers.get("refresh", "").encode("utf-8", "replace")
    match = _REFRESH_HEADER.match(sent) or _REFRESH.search(body.response.body[:20_000])
    if match is None or int(match[1]) > 10:
        return None
    named = match[2].decode("utf-8", "replace").replace("&amp;", "&")
    target = urls.joined(body.response.url, named)
    is_new = urls.is_http(target) and urls.key(target) != urls.key(body.response.url)
    return target if is_new else None


def _is_frameset(response: Response, document: Document) -> bool:
    """Whether a page shows others and has next to nothing of its own."""
    is_empty = document.kind == "html" and len(document.text) <= 500
    return is_empty and _FRAMESET.search(response.body[:_FRAMES_WITHIN]) is not None


def _frame_target(body: Body) -> str | None:
    """The frame of the page's own site that is named as the content, else the last one: what leads
    to the others stands on the left or on top."""
    if not _is_frameset(body.response, body.document):
        return None
    frames: list[tuple[bool, str]] = []
    for frame in _FRAME.findall(body.response.body[:_FRAMES_WITHIN]):
        found = {k.lower(): v.decode("utf-8", "replace") for k, v in _ATTRIBUTE.findall(frame)}
        source = found.get(b"src", "").replace("&amp;", "&")
        target = urls.joined(body.response.url, source) if source else ""
        if urls.is_http(target) and urls.same_site(target, body.response.url):
            called = f"{found.get(b'name', '')} {found.get(b'id', '')}"
            frames.append((_CONTENT_FRAME.search(called) is not None, target))
    return max(reversed(frames), key=lambda frame: frame[0])[1] if frames else None


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
    best = replace(candidates[0], title=candidates[0].title or body.document.title)
    page = page_of(link, best, body.response.url)
    page = replace(page, verdict=winner.verdict, candidates=candidates)
    page = as_kept(page, winner.response)
    return as_told(page, body.document)


def _refuse_unusable(body: Body) -> None:
    status, document, verdict = body.response.status, body.document, body.verdict
    if status >= 400:
        about = f": {body.what}" if verdict in ("challenge", "login") else ""
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
        raise FetchError(body.what, code=verdict, verdict=verdict)
    if not document.text.strip():
        raise FetchError(_SHORT["thin"], code="empty", verdict="thin")
