"""The plain client: one exchange at a time over pooled, pinned connections, nothing followed."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from intelli.errors import FetchError
from intelli.net import urls
from intelli.net.body import ACCEPT_ENCODING, Decoder, Meter, is_text, too_large
from intelli.net.guard import Address
from intelli.net.messages import Response
from intelli.net.proxy import DIRECT, Proxies
from intelli.net.resolver import Resolver
from intelli.version import VERSION

if TYPE_CHECKING:
    import httpx2

    from intelli.net.transport import Connect, Kind, PinnedTransport

USER_AGENT = f"intelli/{VERSION} (research assistant; reads a page when its user asks for it)"
"""What servers are told about us: name, version, purpose."""
MAX_HEADERS = 200
"""Lines of an answer's head; httpcore2 caps its size (100 kB)."""
_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
"""A name in ASCII, or an address of version 6."""
REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One GET request for a page: `addresses` of its host are checked; `headers` are added."""

    url: str
    host: str
    port: int
    addresses: Sequence[Address]
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a hop and its `Set-Cookie` lines; that of a redirect has no body."""

    response: Response
    cookies: tuple[str, ...] = ()


class PageClient(Protocol):
    """Gets a page and follows nothing."""

    async def get(self, hop: Hop) -> Answer:
        """Raises FetchError as `Network.fetch` does."""
        ...


class Wires:
    """The connections of a run. A pool for each kind and scheme: a connection opened for a service
    of the user's is never one for a page."""

    def __init__(
        self,
        *,
        pages: Resolver,
        services: Resolver,
        max_bytes: int,
        connect: Connect | None = None,
        routes: Proxies = DIRECT,
    ) -> None:
        self._resolvers = {"page": pages, "service": services}
        self._max_bytes = max_bytes
        self._connect = connect
        self._routes = routes
        self._transports: dict[tuple[Kind, str], PinnedTransport] = {}

    async def aclose(self) -> None:
        transports, self._transports = self._transports, {}
        for transport in transports.values():
            await transport.aclose()

    async def get(self, hop: Hop) -> Answer:
        """A page, as PageClient says."""
        ours = {"user-agent": USER_AGENT, "accept-language": "en, *;q=0.5"}
        request = outgoing("GET", hop.url, {**ours, **hop.headers})
        async with self.exchange("page", request) as (answer, headers):
            cookies = tuple(answer.headers.get_list("set-cookie"))
            if answer.status_code in REDIRECTS and headers.get("location"):
                empty = Response(status=answer.status_code, url=hop.url, headers=headers, body=b"")
                return Answer(response=empty, cookies=cookies)
            response = await self._read(hop.url, answer, headers)
        return Answer(response=response, cookies=cookies)

    @asynccontextmanager
    async def exchange(
        self, kind: Kind, request: httpx2.Request
    ) -> AsyncIterator[tuple[httpx2.Response, Mapping[str, str]]]:
        """The answer to `request` with its headers by lower-case name, its body not yet read."""
        from intelli.net.transport import named_errors

        with named_errors(request.url.host):
            answer = await _send(self._transport(kind, request.url.scheme), request)
        answer.request = request
        try:
            if len(answer.headers.raw) > MAX_HEADERS:
                raise FetchError(f"more than {MAX_HEADERS} header lines", code="too-large")
            yield answer, {name.lower(): value for name, value in answer.headers.items()}
        finally:
            await answer.aclose()

    async def _read(
        self, url: str, answer: httpx2.Response, headers: Mapping[str, str]
    ) -> Response:
        collector = Collector(headers, self._max_bytes)
        try:
            async for piece in pieces(answer, collector.decoder, self._max_bytes):
                collector.body += piece
        except FetchError as error:
            collector.cut(error)
        return collector.response(answer.status_code, url)

    def _transport(self, kind: Kind, scheme: str) -> PinnedTransport:
        from intelli.net.sockets import open_stream
        from intelli.net.transport import PinnedTransport

        if (kind, scheme) not in self._transports:
            self._transports[kind, scheme] = PinnedTransport(
                kind, scheme, self._resolvers[kind], self._connect or open_stream, self._routes
            )
        return self._transports[kind, scheme]


class Collector:
    """Gathers the body of a page and decides what half of one is worth.

    Raises FetchError `too-large` for a file that says it is, `bad-encoding`."""

    def __init__(self, headers: Mapping[str, str], max_bytes: int) -> None:
        self._headers = headers
        self._media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        length = headers.get("content-length", "")
        is_long = length.isdigit() and (len(length) > 15 or int(length) > max_bytes)
        if is_long and not is_text(self._media_type, b""):
            raise too_large(max_bytes)
        self.decoder = Decoder(headers.get("content-encoding", ""))
        self.body = bytearray()
        self._is_cut = False

    def cut(self, error: FetchError) -> None:
        """Keep the half that came before `error` if it is of use, else raise it."""
        is_cut = error.code in ("too-large", "connection") and bool(self.body)
        if not (is_cut and is_text(self._media_type, bytes(self.body[:8]))):
            raise error
        self._is_cut = True

    def response(self, status: int, url: str) -> Response:
        return Response(
            status=status,
            url=url,
            headers=self._headers,
            body=bytes(self.body),
            truncated=self._is_cut or not self.decoder.is_complete,
        )


def valid(url: str) -> tuple[str, int]:
    """Host and port of a page's address. Raises FetchError `bad-url`."""
    host = urls.host(url)
    if not _HOST.fullmatch(host) or not urls.is_http(url):
        raise FetchError(f"not a http or https address: {url[:200]}", code="bad-url")
    parts = urlsplit(url)
    return host, parts.port or urls.DEFAULT_PORTS[parts.scheme]


async def pieces(
    answer: httpx2.Response, decoder: Decoder, max_bytes: int
) -> AsyncGenerator[bytes, None]:
    """The decoded body as it comes, at most `max_bytes`. Raises FetchError."""
    from intelli.net.transport import named_errors

    with named_errors(answer.request.url.host):
        async with aclosing(answer.aiter_raw()) as raw:
            meter = Meter(decoder, max_bytes)
            async for data in raw:
                for piece in meter.feed(data):
                    yield piece


def outgoing(
    method: str, url: str, headers: Mapping[str, str], content: bytes = b""
) -> httpx2.Request:
    """A request with our own headers under those given. Raises FetchError `bad-url`."""
    import httpx2

    from intelli.net.transport import NO_TIMEOUTS, named_errors

    ours = {"user-agent": USER_AGENT, "accept": "*/*", "accept-encoding": ACCEPT_ENCODING}
    merged = ours | {name.lower(): value for name, value in headers.items()}
    with named_errors(url):
        return httpx2.Request(
            method, url, headers=merged, content=content or None, extensions=dict(NO_TIMEOUTS)
        )


async def _send(transport: PinnedTransport, request: httpx2.Request) -> httpx2.Response:
    import httpx2

    try:
        return await transport.handle_async_request(request)
    except (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError):
        # A server may close a kept connection at the very moment it is used again.
        if request.method != "GET":
            raise
    return await transport.handle_async_request(request)
