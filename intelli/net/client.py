"""The network as the rest of the program sees it: `fetch` for pages, `call` for services."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Self
from urllib.parse import urljoin, urlsplit

from intelli.errors import FetchError
from intelli.net import guard, urls
from intelli.net.body import ACCEPT_ENCODING, Decoder, decoded, is_text, too_large
from intelli.net.messages import Response, ServiceRequest, StreamedResponse
from intelli.net.resolver import Lookup, Resolver, no_check, page_check
from intelli.net.retry import retry_delay
from intelli.version import VERSION

if TYPE_CHECKING:
    import httpx2

    from intelli.net.transport import Connect, PinnedTransport

__all__ = ["Network", "Response", "ServiceRequest", "StreamedResponse"]

MAX_REDIRECTS = 5
PER_HOST = 2
"""Requests at once to one public host."""
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LANGUAGE = "en, *;q=0.5"


class Network:
    """Owns every connection of a run. Nothing is imported or opened before the first request.

    `max_bytes` is the decoded size of a page that is kept. `lookup` and `connect` replace the
    system's name resolution and TCP connections."""

    def __init__(
        self,
        *,
        allow_private: bool,
        max_bytes: int,
        offline: bool = False,
        lookup: Lookup | None = None,
        connect: Connect | None = None,
    ) -> None:
        self._max_bytes = max_bytes
        self._offline = offline
        self._connect = connect
        self._page_addresses = Resolver(page_check(allow_private=allow_private), lookup)
        self._service_addresses = Resolver(no_check, lookup)
        self._transports: dict[str, PinnedTransport] = {}
        self._slots: dict[str, asyncio.Semaphore] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close every connection; the object can be used again afterwards."""
        transports, self._transports = self._transports, {}
        for transport in transports.values():
            await transport.aclose()

    async def fetch(self, url: str, *, accept: str, timeout: float) -> Response:
        """The page at `url`, whatever its HTTP status, within `timeout` seconds in all.

        Raises FetchError: `offline`, `bad-url`, `private-address`, `dns`, `tls`, `connection`,
        `timeout`, `too-many-redirects`, `bad-encoding`, `too-large` (bodies other than text)."""
        if self._offline:
            raise FetchError("no page is requested with --offline", code="offline")
        start = urls.clean(url)
        async with _deadline(timeout, urls.host(start) or url) as end:
            response = await self._follow(start, accept)
            delay = retry_delay(response)
            if delay is None or time.monotonic() + delay >= end:
                return response
            await asyncio.sleep(delay)
            return await self._follow(start, accept)

    async def call(self, request: ServiceRequest) -> Response:
        """The answer of a service, whatever its status; redirects are not followed.

        Raises FetchError: `offline`, `bad-url`, `dns`, `tls`, `connection`, `timeout`,
        `bad-encoding`, `too-large`."""
        async with self.stream(request) as answer:
            body = b"".join([piece async for piece in answer.chunks])
        return Response(status=answer.status, url=answer.url, headers=answer.headers, body=body)

    @asynccontextmanager
    async def stream(self, request: ServiceRequest) -> AsyncIterator[StreamedResponse]:
        """`call` with the body in pieces; the deadline covers the whole `async with` block."""
        host = _valid_host(request.url)
        if self._offline and not _is_this_machine(host):
            raise FetchError(f"{host} is not called with --offline", code="offline")
        async with _deadline(request.timeout, host):
            outgoing = _request(request.method, request.url, request.headers, request.content)
            async with self._exchange("service", outgoing) as (answer, headers):
                decoder = Decoder(headers.get("content-encoding", ""))
                pieces = _pieces(answer, decoder, request.max_bytes)
                async with aclosing(pieces):
                    yield StreamedResponse(
                        status=answer.status_code, url=request.url, headers=headers, chunks=pieces
                    )

    async def _follow(self, url: str, accept: str) -> Response:
        import httpx2

        cookies = httpx2.Cookies()  # some sites redirect until the cookie they set comes back
        for _ in range(MAX_REDIRECTS + 1):
            answer = await self._hop(url, accept, cookies)
            if isinstance(answer, Response):
                return answer
            url = answer
        raise FetchError(f"more than {MAX_REDIRECTS} redirects", code="too-many-redirects")

    async def _hop(self, url: str, accept: str, cookies: httpx2.Cookies) -> Response | str:
        """The answer, or the address it redirects to."""
        host = _valid_host(url)
        parts = urlsplit(url)
        port = parts.port or urls.DEFAULT_PORTS[parts.scheme]
        addresses = await self._page_addresses.addresses(host, port)
        request = _request("GET", url, {"accept": accept, "accept-language": _LANGUAGE})
        cookies.set_cookie_header(request)
        async with (
            self._slot(host, addresses),
            self._exchange("page", request) as (answer, headers),
        ):
            cookies.extract_cookies(answer)
            location = headers.get("location")
            if answer.status_code in _REDIRECTS and location:
                return _target(url, location)
            return await self._read(url, answer, headers)

    async def _read(
        self, url: str, answer: httpx2.Response, headers: Mapping[str, str]
    ) -> Response:
        media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > self._max_bytes and not is_text(media_type, b""):
            raise too_large(self._max_bytes)
        decoder = Decoder(headers.get("content-encoding", ""))
        body = bytearray()
        try:
            async for piece in _pieces(answer, decoder, self._max_bytes):
                body += piece
            truncated = not decoder.is_complete
        except FetchError as error:
            is_cut = error.code in ("too-large", "connection") and bool(body)
            if not (is_cut and is_text(media_type, bytes(body[:8]))):
                raise
            truncated = True
        return Response(
            status=answer.status_code,
            url=url,
            headers=headers,
            body=bytes(body),
            truncated=truncated,
        )

    @asynccontextmanager
    async def _slot(self, host: str, addresses: Sequence[guard.Address]) -> AsyncIterator[None]:
        """Waits until `host` may be asked once more; private hosts are the user's own."""
        if all(guard.classify(address) != "public" for address in addresses):
            yield
            return
        async with self._slots.setdefault(host, asyncio.Semaphore(PER_HOST)):
            yield

    @asynccontextmanager
    async def _exchange(
        self, kind: str, request: httpx2.Request
    ) -> AsyncIterator[tuple[httpx2.Response, Mapping[str, str]]]:
        from intelli.net.transport import named_errors

        with named_errors(request.url.host):
            answer = await _send(self._transport(kind), request)
        answer.request = request
        try:
            yield answer, {name.lower(): value for name, value in answer.headers.items()}
        finally:
            await answer.aclose()

    def _transport(self, kind: str) -> PinnedTransport:
        # Two pools: a connection opened for a service of the user's is never one for a page.
        from intelli.net.sockets import open_stream
        from intelli.net.transport import PinnedTransport

        if kind not in self._transports:
            resolver = self._page_addresses if kind == "page" else self._service_addresses
            self._transports[kind] = PinnedTransport(resolver, self._connect or open_stream)
        return self._transports[kind]


async def _send(transport: PinnedTransport, request: httpx2.Request) -> httpx2.Response:
    import httpx2

    try:
        return await transport.handle_async_request(request)
    except (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError):
        # A server may close a kept connection at the very moment it is used again.
        if request.method != "GET":
            raise
    return await transport.handle_async_request(request)


async def _pieces(
    answer: httpx2.Response, decoder: Decoder, max_bytes: int
) -> AsyncGenerator[bytes, None]:
    from intelli.net.transport import named_errors

    with named_errors(answer.request.url.host):
        async with aclosing(answer.aiter_raw()) as raw:
            async for piece in decoded(raw, decoder, max_bytes):
                yield piece


def _request(
    method: str, url: str, headers: Mapping[str, str], content: bytes = b""
) -> httpx2.Request:
    import httpx2

    from intelli.net.transport import NO_TIMEOUTS, named_errors

    ours = {"user-agent": USER_AGENT, "accept": "*/*", "accept-encoding": ACCEPT_ENCODING}
    merged = ours | {name.lower(): value for name, value in headers.items()}
    with named_errors(url):
        return httpx2.Request(
            method, url, headers=merged, content=content or None, extensions=dict(NO_TIMEOUTS)
        )


USER_AGENT = f"intelli/{VERSION} (research assistant; reads a page when its user asks for it)"
"""What servers are told about us: name, version, purpose."""


@asynccontextmanager
async def _deadline(seconds: float, host: str) -> AsyncIterator[float]:
    """Ends what runs inside after `seconds`; yields the moment, on the monotonic clock."""
    try:
        async with asyncio.timeout(seconds):
            yield time.monotonic() + seconds
    except TimeoutError as error:
        message = f"{host} took longer than {seconds:.3g} s"
        raise FetchError(message, code="timeout", retryable=True) from error


def _valid_host(url: str) -> str:
    host = urls.host(url)
    if not host or not urls.is_http(url):
        raise FetchError(f"not a http or https address: {url[:200]}", code="bad-url")
    return host


def _target(url: str, location: str) -> str:
    try:
        target = urljoin(url, location.strip())
    except ValueError as error:
        raise FetchError("redirected to no valid address", code="bad-url") from error
    return urls.normal(target)


def _is_this_machine(host: str) -> bool:
    try:
        address = guard.literal(host)
    except ValueError:
        return False
    return guard.is_loopback(address) if address else guard.is_local_name(host)
