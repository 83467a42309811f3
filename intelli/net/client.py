"""The network as the rest of the program sees it: `fetch` for pages, `call` for services."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Self

from intelli.errors import FetchError
from intelli.net import urls
from intelli.net.body import Decoder
from intelli.net.messages import Known, Response, ServiceRequest, StreamedResponse
from intelli.net.proxy import DIRECT, Proxies, is_this_machine
from intelli.net.resolver import Lookup, Resolver, no_check, page_check
from intelli.net.wires import USER_AGENT, Wires, outgoing, pieces, valid
from intelli.records import record

if TYPE_CHECKING:
    from intelli.net.impersonating import Browser
    from intelli.net.pages import Pages
    from intelli.net.transport import Connect

__all__ = ["USER_AGENT", "Network", "Policy", "Response", "ServiceRequest", "StreamedResponse"]


@record
class Policy:
    """How the network is used. `robots`: read no page that a robots.txt asks not to read;
    `impersonate`: when pages are asked for as a browser asks, if that is installed: `off`,
    `refused` (after a refusal of the plain client) or `always`."""

    robots: bool = False
    impersonate: str = "off"
    proxies: Proxies = DIRECT


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
        policy: Policy = Policy(),  # noqa: B008 - a frozen record
        lookup: Lookup | None = None,
        connect: Connect | None = None,
    ) -> None:
        self._offline = offline
        addresses = Resolver(page_check(allow_private=allow_private), lookup)
        self._wires = Wires(
            pages=addresses,
            services=Resolver(no_check, lookup),
            max_bytes=max_bytes,
            connect=connect,
            routes=policy.proxies,
        )
        self._addresses = addresses
        self._max_bytes = max_bytes
        self._policy = policy
        self._browser: Browser | None = None
        self._opened: Pages | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close every connection; the object can be used again afterwards."""
        await self._wires.aclose()
        if self._browser is not None:
            await self._browser.aclose()

    async def fetch(
        self, url: str, *, accept: str, timeout: float, known: Known | None = None
    ) -> Response:
        """The page at `url`, whatever its HTTP status, within `timeout` seconds in all; 304 only
        to what is `known`.

        Raises FetchError: `offline`, `bad-url`, `private-address`, `dns`, `tls`,
        `connection`, `proxy`, `timeout`, `too-many-redirects`, `bad-encoding`, `robots`,
        `http-429` (the host wants no request now), `too-large` (bodies other than text)."""
        if self._offline:
            raise FetchError("no page is requested with --offline", code="offline")
        from intelli.net.pages import Wanted

        start = urls.clean(url)
        async with _deadline(timeout, urls.host(start) or url) as end:
            return await self._pages().fetch(Wanted(url=start, accept=accept, end=end, known=known))

    async def call(self, request: ServiceRequest) -> Response:
        """The answer of a service, whatever its status; redirects are not followed.

        Raises FetchError: `offline`, `bad-url`, `dns`, `tls`, `connection`, `proxy`, `timeout`,
        `bad-encoding`, `too-large`."""
        async with self.stream(request) as answer:
            body = b"".join([piece async for piece in answer.chunks])
        return Response(status=answer.status, url=answer.url, headers=answer.headers, body=body)

    @asynccontextmanager
    async def stream(self, request: ServiceRequest) -> AsyncIterator[StreamedResponse]:
        """`call` with the body in pieces; the deadline covers the whole `async with` block."""
        host, _ = valid(request.url)
        if self._offline and not is_this_machine(host):
            raise FetchError(f"{host} is not called with --offline", code="offline")
        async with _deadline(request.timeout, host):
            sent = outgoing(request.method, request.url, request.headers, request.content)
            async with self._wires.exchange("service", sent) as (answer, headers):
                decoder = Decoder(headers.get("content-encoding", ""))
                body = pieces(answer, decoder, request.max_bytes)
                async with aclosing(body):
                    yield StreamedResponse(
                        status=answer.status_code, url=request.url, headers=headers, chunks=body
                    )

    def _pages(self) -> Pages:
        """Made for the first page: a search comes before it and needs none of this."""
        if self._opened is None:
            from intelli.net.impersonating import Browser, is_installed
            from intelli.net.pages import Pages

            policy = self._policy
            # Through a proxy curl would send names that nobody checked.
            wants = policy.impersonate != "off" and policy.proxies == DIRECT
            self._browser = Browser(self._max_bytes) if wants and is_installed() else None
            self._opened = Pages(
                self._wires,
                self._browser,
                self._addresses,
                impersonate=policy.impersonate,
                robots=policy.robots,
            )
        return self._opened


@asynccontextmanager
async def _deadline(seconds: float, host: str) -> AsyncIterator[float]:
    """Ends what runs inside after `seconds`; yields the moment, on the monotonic clock."""
    try:
        async with asyncio.timeout(seconds):
            yield time.monotonic() + seconds
    except TimeoutError as error:
        message = f"{host} took longer than {seconds:.3g} s"
        raise FetchError(message, code="timeout", retryable=True) from error
