"""Finds the page's own Markdown: where it may be, whether it is worth a request, what came."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit, urlunsplit

from intelli.errors import FetchError
from intelli.fetch import absence
from intelli.fetch.cleaning import front_matter
from intelli.net import urls
from intelli.net.client import Response

if TYPE_CHECKING:
    from intelli.fetch.tools import Fetches

ACCEPT_MARKDOWN = "text/markdown, text/plain;q=0.8, */*;q=0.1"
MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown", "application/markdown"})
_PLAIN_TYPES = frozenset({"", "text/plain", "application/octet-stream", "binary/octet-stream"})
_DOCS_HOST = re.compile(
    r"^(?:docs?|developers?|dev|api|learn|help|support|guides?|wiki|handbook|manual|reference|"
    r"documentation|book|cookbook|platform)\d?\.|\.(?:readthedocs\.io|gitbook\.io|mintlify\.app|"
    r"github\.io|gitlab\.io|netlify\.app|vercel\.app|dev)$"
)
_DOCS_PATH = re.compile(
    r"/(?:docs?|documentation|guides?|reference|api|manual|handbook|tutorials?|learn|kb|help|"
    r"how-?to|getting-started|quick-?start|concepts|cookbook|wiki|sdk|cli)(?:/|$|[-.])",
    re.IGNORECASE,
)
_FILE = re.compile(r"\.(?!html?$|php$|aspx?$)[a-z][a-z0-9]{0,5}$", re.IGNORECASE)
_MARKUP = re.compile(
    rb"^\s*(?:<\?xml|<!doctype|<html|<head|<body|<div|<script|<svg|\{|\[\s*\{)", re.I
)
_LINKED_DATA = re.compile(
    rb"\s*(?:<script type=[\"']application/ld\+json[\"']>.*?</script>"
    rb"|\{\"@context\"[^\n]*(?:\n|\Z))",
    re.I | re.S,
)
_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w-]+\s*=\s*(?:\"[^\"]*\"|[^\s;,]*))*)")
_INDEX = re.compile(r"/llms(?:-full|-small|-ctx)?\.txt$", re.IGNORECASE)
"""Files about a whole site, which some pages declare as if they were the page."""
_FIRST_HEADING = re.compile(r"\A\s*(?:#+ *)?([^\n]{1,200})")
_NOTE_CHARS = 3_000
MAX_MISSES = 2
"""Guesses that may fail on a host before no more are made there."""


@dataclass(slots=True)
class TwinMemory:
    """What guesses taught us about hosts, so that a site is not asked in vain for every page."""

    misses: dict[str, int] = field(default_factory=dict)
    hits: set[str] = field(default_factory=set)

    def is_hopeless(self, host: str) -> bool:
        return host not in self.hits and self.misses.get(host, 0) >= MAX_MISSES

    def note(self, host: str, *, found: bool) -> None:
        if found:
            self.hits.add(host)
        else:
            self.misses[host] = self.misses.get(host, 0) + 1


def guesses(url: str) -> tuple[str, ...]:
    """Addresses where a page's Markdown commonly is, likeliest first; none for other files."""
    parts = urlsplit(url)
    path = parts.path or "/"
    if path.endswith("/"):
        bare = path.rstrip("/")
        paths = [f"{bare}.md", f"{path}index.md"] if bare else []
        paths.append(f"{path}index.html.md")
    elif _FILE.search(path):
        return ()
    else:
        stem = re.sub(r"\.(?:html?|php|aspx?)$", "", path, flags=re.IGNORECASE)
        paths = [f"{path}.md", f"{stem}.md"] if stem != path else [f"{path}.md"]
    return tuple(urlunsplit(parts._replace(path=path, query="", fragment="")) for path in paths)


def is_documentation(url: str) -> bool:
    """Whether the address looks like documentation, where twins are common."""
    parts = urlsplit(url)
    name = urls.host(url)
    return bool(_DOCS_HOST.search(name) or _DOCS_PATH.search(parts.path)) and not parts.query


def declared(response: Response, alternate: str | None) -> str | None:
    """The address the page itself names, in its markup or its `Link` header, on its own site."""
    named = alternate or _linked(response)
    if not (named and urls.is_http(named) and urls.same_site(named, response.url)):
        return None
    return None if _INDEX.search(urlsplit(named).path) else named


def is_markdown(response: Response, page_url: str) -> bool:
    """Whether what came is Markdown of the page's site: label and body are both looked at."""
    if response.status != 200 or not urls.same_site(response.url, page_url):
        return False
    media_type, body = response.media_type, response.body
    while match := _LINKED_DATA.match(body):
        body = body[match.end() :]
    if media_type not in MARKDOWN_TYPES | _PLAIN_TYPES or _MARKUP.match(body):
        return False
    if b"\0" in body[:2000] or not body.strip():
        return False
    return not is_note_of_absence(body[: _NOTE_CHARS + 1].decode("utf-8", "replace"))


def is_note_of_absence(markdown: str) -> bool:
    """Whether Markdown only says that there is no such page, as sites do with status 200."""
    if len(markdown) > _NOTE_CHARS or "```" in markdown:
        return False
    _, text = front_matter(markdown)
    first = _FIRST_HEADING.match(text)
    name = first[1].strip("*_# \t").lower().replace("’", "'") if first else ""
    return absence.NOT_FOUND_NAME.search(name) is not None


class TwinSearch:
    """Looks for a page's Markdown beside the request for the page itself.

    An async context manager: what still runs at its end is cancelled."""

    def __init__(self, url: str, network: Fetches, memory: TwinMemory, deadline: float) -> None:
        self._url = url
        self._network = network
        self._memory = memory
        self._deadline = deadline
        self._task: asyncio.Task[Response | None] | None = None
        self._asked = ""

    async def __aenter__(self) -> Self:
        if is_documentation(self._url) and not self._memory.is_hopeless(urls.host(self._url)):
            self.guess()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stop()

    def guess(self) -> None:
        """Start asking at the usual addresses, unless something is asked already."""
        if self._task is None and guesses(self._url):
            self._task = asyncio.create_task(self._try(guesses(self._url)))

    async def ask(self, address: str) -> None:
        """Ask at the address the page names, in place of a guess still running."""
        if self._task is not None and self._task.done() and self._task.result() is not None:
            return
        await self._stop()
        self._task = asyncio.create_task(self._try((address,)))

    async def result(self, patience: float) -> Response | None:
        """The twin, if it comes within `patience` seconds."""
        if self._task is None:
            return None
        done, _ = await asyncio.wait({self._task}, timeout=max(0.0, patience))
        return self._task.result() if done else None

    async def _try(self, addresses: tuple[str, ...]) -> Response | None:
        host = urls.host(self._url)
        for address in addresses:
            left = self._deadline - time.monotonic()
            if left <= 0:
                return None
            try:
                response = await self._network.fetch(address, accept=ACCEPT_MARKDOWN, timeout=left)
            except FetchError:
                return None
            if is_markdown(response, self._url):
                self._memory.note(host, found=True)
                return response
        self._memory.note(host, found=False)
        return None

    async def _stop(self) -> None:
        task, self._task = self._task, None
        if task is not None and not task.done():
            task.cancel()
            await asyncio.wait({task})


def _linked(response: Response) -> str | None:
    for match in _LINK.finditer(response.headers.get("link", "")):
        lowered = re.sub(r"\s*([;=])\s*", r"\1", match[2].lower().replace('"', ""))
        is_alternate = re.search(r";rel=[^;]*\balternate\b", lowered) is not None
        if is_alternate and any(f"type={kind}" in lowered for kind in MARKDOWN_TYPES):
            return urls.joined(response.url, str(match[1])) or None
    return None
