"""How a page is asked for: hop by hop, each checked and in turn, once more when that may help."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from intelli.errors import FetchError
from intelli.net import guard, urls
from intelli.net.cookies import Cookies
from intelli.net.hosts import Hosts
from intelli.net.messages import Known, Response
from intelli.net.resolver import Resolver
from intelli.net.retry import asked_delay, retry_delay
from intelli.net.robots import Robots
from intelli.net.wires import REDIRECTS, Answer, Hop, PageClient, valid
from intelli.records import record

MAX_REDIRECTS = 5


@record
class Wanted:
    """A page to get: `end` is the moment to have it by, on the monotonic clock; the address of
    `known` is the one hop at which it is shown what we have."""

    url: str
    accept: str
    end: float
    known: Known | None = None

    def headers(self) -> Mapping[str, str]:
        known = self.known.headers if self.known and self.known.url == self.url else {}
        return {"accept": self.accept, **known}


class Pages:
    """Fetches pages with a plain client, and as `impersonate` says with `browser`, None where
    there is none. Remembers cookies, turns and rules of hosts for as long as it lives."""

    def __init__(
        self,
        plain: PageClient,
        browser: PageClient | None,
        resolver: Resolver,
        *,
        impersonate: str,
        robots: bool,
    ) -> None:
        self._plain = plain
        self._browser = browser if impersonate != "off" else None
        self._resolver = resolver
        self._always = impersonate == "always"
        self._refusing: set[str] = set()
        self._cookies = Cookies()
        self._hosts = Hosts()
        self._robots = Robots(self._read_robots) if robots else None

    async def fetch(self, wanted: Wanted) -> Response:
        """The page, whatever its status; a site that refuses the plain client and not the browser
        is asked by the browser from then on."""
        origin = _origin(wanted.url)
        if self._browser and (self._always or origin in self._refusing):
            return await self._patiently(self._browser, wanted)
        response = await self._patiently(self._plain, wanted)
        if self._browser is None or not is_refusal(response):
            return response
        try:
            other = await self._patiently(self._browser, wanted)
        except FetchError:
            return response
        if is_refusal(other):
            return response
        self._refusing.add(origin)
        return other

    async def _patiently(self, client: PageClient, wanted: Wanted) -> Response:
        """Asks once more when the server says how soon, and that is in time."""
        response = await self._follow(client, wanted)
        if response.status == 429:
            self._hosts.pause(_origin(response.url), asked_delay(response))
        delay = retry_delay(response)
        if delay is None or time.monotonic() + delay >= wanted.end:
            return response
        await asyncio.sleep(delay)
        return await self._follow(client, wanted)

    async def _follow(self, client: PageClient, wanted: Wanted, *, checks: bool = True) -> Response:
        for _ in range(MAX_REDIRECTS + 1):
            if self._robots and checks:
                await self._robots.check(wanted.url)
            answer = await self._hop(client, wanted)
            response = answer.response
            location = response.headers.get("location")
            if response.status not in REDIRECTS or not location:
                return response
            wanted = replace(wanted, url=_target(wanted.url, location))
        raise FetchError(f"more than {MAX_REDIRECTS} redirects", code="too-many-redirects")

    async def _hop(self, client: PageClient, wanted: Wanted) -> Answer:
        url = wanted.url
        host, port = valid(url)
        addresses = await self._resolver.addresses(host, port)
        if guard.is_bad_port(port):
            message = f"no connection to {host}: port {port} is that of another service"
            raise FetchError(message, code="connection")
        is_public = any(guard.classify(address) == "public" for address in addresses)
        async with self._hosts.turn(_origin(url), is_public=is_public, end=wanted.end):
            cookie = self._cookies.header(url)
            headers = {**wanted.headers(), **({"cookie": cookie} if cookie else {})}
            hop = Hop(url=url, host=host, port=port, addresses=addresses, headers=headers)
            answer = await client.get(hop)
        self._cookies.keep(url, answer.cookies)
        return answer

    async def _read_robots(self, url: str, patience: float) -> Response:
        wanted = Wanted(url=url, accept="text/plain, */*;q=0.1", end=time.monotonic() + patience)
        try:
            async with asyncio.timeout(patience):
                return await self._follow(self._plain, wanted, checks=False)
        except TimeoutError as error:
            raise FetchError(f"{url} did not come", code="timeout") from error


def is_refusal(response: Response) -> bool:
    """Whether a site turned the client away for what it is, and not for how often it asked."""
    headers = response.headers
    if headers.get("cf-mitigated") == "challenge" or headers.get("x-amzn-waf-action"):
        return True
    is_page = response.media_type in ("", "text/html", "application/xhtml+xml", "text/plain")
    if response.status == 403:
        return is_page
    return response.status in (429, 503) and is_page and not headers.get("retry-after")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _target(url: str, location: str) -> str:
    try:
        target = urljoin(url, location.strip())
    except ValueError as error:
        raise FetchError("redirected to no valid address", code="bad-url") from error
    return urls.normal(target)
