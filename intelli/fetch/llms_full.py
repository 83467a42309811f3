"""Collects the `llms-full.txt` of documentation sites beside a run, which never waits for it.

The file holds a site's whole documentation as Markdown (https://llmstxt.org). It is kept with the
session for later searches and shown to no model. A host is asked once a day, whatever it answered.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from intelli.errors import FetchError
from intelli.fetch import absence
from intelli.fetch.tools import Fetches
from intelli.fetch.twin import ACCEPT_MARKDOWN, is_documentation, is_markdown
from intelli.net import urls
from intelli.net.client import Response
from intelli.store.disk import read_text, write_text
from intelli.text.decoding import decode

NAME = "llms-full.txt"
MAX_HOSTS = 4
"""Hosts that are asked in one run, one after the other."""
MAX_BYTES = 10_000_000
"""Of a file, that are kept."""
LEAST_CHARS = 1_000
SECONDS = 10.0
"""For one request, in all."""
DAY = 86_400.0
KEPT_FILES = 40
"""Answers that are remembered; the oldest go."""
_PRODUCT_HOSTS = frozenset({"developers.cloudflare.com"})
_FOLDER_HOSTS = {"nextjs.org": "/docs/", "openrouter.ai": "/docs/"}
"""Hosts with a file for each product, by the first part of the path, and with one elsewhere."""
_HEADING = re.compile(r"^#{1,3} +(.+)$", re.M)

Keep = Callable[[str, str], None]
"""Takes a host and the text of its file."""


def addresses(url: str) -> tuple[str, ...]:
    """Where the site of a page may have its file, likeliest first, at the scheme and port of it."""
    parts = urlsplit(url)
    first = parts.path.split("/")[1] if parts.path.count("/") > 1 else ""
    host = urls.host(url)
    if host in _PRODUCT_HOSTS:
        folders = [f"/{first}/"] if first else []
    elif host in _FOLDER_HOSTS:
        folders = [_FOLDER_HOSTS[host]]
    else:
        folders = ["/docs/", "/"] if first == "docs" else ["/"]
    return tuple(f"{parts.scheme}://{parts.netloc}{folder}{NAME}" for folder in folders)


class Remembered:
    """What addresses answered within the last day, a file for each; an empty one says nothing."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def get(self, address: str) -> str | None:
        """The text, "" when there was none, None when nobody asked lately."""
        path = self._path(address)
        with suppress(OSError):
            if 0 <= time.time() - path.stat().st_mtime < DAY:
                return read_text(path, self._directory)
        return None

    def set(self, address: str, text: str) -> None:
        """Keep the answer; where the disk refuses, it is asked for again."""
        with suppress(OSError):
            self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_text(self._path(address), text, lasting=False)
            known = sorted(self._directory.glob("*.md"), key=lambda path: path.stat().st_mtime)
            for path in known[:-KEPT_FILES]:
                path.unlink()

    def _path(self, address: str) -> Path:
        digest = hashlib.sha256(address.encode("utf-8", "surrogatepass")).hexdigest()
        return self._directory / f"{digest[:24]}.md"


class WholeSites:
    """Asks the hosts of pages that came. `remembered` None asks each time and keeps nothing."""

    def __init__(self, network: Fetches, remembered: Remembered | None) -> None:
        self._network = network
        self._remembered = remembered
        self._waiting: deque[str] = deque()
        self._hosts: set[str] = set()
        self._there = asyncio.Event()

    def want(self, url: str) -> None:
        """A page of the run came from here: its site is asked, if it is one of documentation."""
        host = _host_of(url)
        is_new = host not in self._hosts and len(self._hosts) < MAX_HOSTS
        if is_new and urls.is_http(url) and is_documentation(url):
            self._hosts.add(host)
            self._waiting.append(url)
            self._there.set()

    @asynccontextmanager
    async def collecting(self, keep: Keep) -> AsyncIterator[None]:
        """Files that come inside are handed to `keep`; what is not there at the end is dropped."""
        task = asyncio.create_task(self._collect(keep))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def _collect(self, keep: Keep) -> None:
        while await self._there.wait():
            while self._waiting:
                url = self._waiting.popleft()
                text = await self._text(url)
                if text:
                    keep(_host_of(url), text)
            self._there.clear()

    async def _text(self, url: str) -> str:
        for address in addresses(url):
            text = await self._known(address)
            if text is None:
                text = await self._ask(address)
            if text:
                return text
        return ""

    async def _known(self, address: str) -> str | None:
        memory = self._remembered
        return await asyncio.to_thread(memory.get, address) if memory else None

    async def _ask(self, address: str) -> str:
        """The file, "" when there is none; a host that cannot be reached is not remembered."""
        try:
            response = await self._network.fetch(address, accept=ACCEPT_MARKDOWN, timeout=SECONDS)
        except FetchError:
            return ""
        text = whole_text(response, address)
        if self._remembered is not None and response.status < 500:
            await asyncio.to_thread(self._remembered.set, address, text)
        return text


def whole_text(response: Response, address: str) -> str:
    """The file as Markdown, "" for what only stands at its address: a page, an error, a stub."""
    if not is_markdown(response, address):
        return ""
    text = decode(response.body[:MAX_BYTES], response.content_type).strip()
    headings = _HEADING.findall(text[:5_000])
    is_error = any(absence.NOT_FOUND_NAME.search(name.lower()) for name in headings[:1])
    if len(text) < LEAST_CHARS or not headings or is_error:
        return ""
    if response.truncated or len(response.body) > MAX_BYTES:
        text += f"\n\n> Cut here: the file goes on, {len(text):,} characters are kept.\n"
    return text


def _host_of(url: str) -> str:
    """Host and port as one name, the default port left out."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = None
    is_default = port in (None, urls.DEFAULT_PORTS.get(parts.scheme))
    return urls.host(url) if is_default else f"{urls.host(url)}-{port}"
