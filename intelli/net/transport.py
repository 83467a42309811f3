"""httpx2 beneath our rules: connects only to addresses a resolver gave, errors get our codes."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager
from functools import cache
from typing import Any, Literal

import httpcore2
import httpx2

from intelli.errors import FetchError
from intelli.net import proxy as proxies
from intelli.net.proxy import Proxies, Proxy
from intelli.net.resolver import Resolver, no_check

Kind = Literal["page", "service"]
Connect = Callable[[str, int, float | None], Awaitable[httpcore2.AsyncNetworkStream]]
ATTEMPT_SECONDS = 3.0
"""What an address gets to answer in while the host has another one."""
NO_TIMEOUTS = {"timeout": dict.fromkeys(("connect", "read", "write", "pool"))}
"""Every exchange runs under one total deadline instead."""


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Opens connections to checked addresses; the host's name stays with TLS and HTTP.

    `proxy_of` names the proxy of a host and port, if there is one. It is asked for the address
    that was checked here, and for the name itself only with `by_name`."""

    def __init__(
        self,
        resolver: Resolver,
        connect: Connect,
        proxy_of: Callable[[str, int], Proxy | None],
        *,
        by_name: bool,
    ) -> None:
        self._resolver = resolver
        self._connect = connect
        self._proxy_of = proxy_of
        self._by_name = by_name
        self._proxy_addresses = Resolver(no_check)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        proxy = self._proxy_of(host, port)
        if proxy is None:
            return await self._first(self._resolver, host, port)
        target = host
        if not self._by_name:
            target = str((await self._resolver.addresses(host, port))[0])
        try:
            stream = await self._first(self._proxy_addresses, proxy.host, proxy.port)
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout, FetchError) as error:
            raise proxies.refused(proxy, "cannot be reached") from error
        async with AsyncExitStack() as undo:
            undo.push_async_callback(stream.aclose)
            await proxies.open_tunnel(stream, proxy, proxies.addressed(target, port))
            undo.pop_all()
        return stream

    async def _first(
        self, resolver: Resolver, host: str, port: int
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to the first address of a host that answers."""
        *others, last = await resolver.addresses(host, port)
        for address in others:
            try:
                return await self._connect(str(address), port, ATTEMPT_SECONDS)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout, OSError):
                continue
        return await self._connect(str(last), port, None)


class PinnedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over a `PinnedBackend`, for one scheme. HTTP/1.1 alone: httpcore2 does not
    reset an HTTP/2 stream that it stops reading, after which the host hangs.
    """

    def __init__(
        self, kind: Kind, scheme: str, resolver: Resolver, connect: Connect, routes: Proxies
    ) -> None:
        # httpx2 takes no network backend, its connection pool does.
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls_context() if scheme == "https" else None,
            max_connections=100,
            max_keepalive_connections=20,
            keepalive_expiry=15.0,
            network_backend=PinnedBackend(
                resolver,
                connect,
                lambda host, port: routes.of(scheme, host, port),
                # A service is where its user said, and the proxy may be all that knows where.
                by_name=kind == "service",
            ),
        )


@cache
def tls_context() -> ssl.SSLContext:
    """One context for all connections: reading the certificates takes tens of milliseconds.

    The system's certificates, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name. Raises
    FetchError `tls` where they cannot be read."""
    try:
        return httpx2.create_ssl_context()
    except OSError as error:  # ssl.SSLError is one
        message = f"no certificates to check sites with: {_reason(error)}"
        hint = "see what SSL_CERT_FILE and SSL_CERT_DIR name"
        raise FetchError(message, code="tls", hint=hint) from error


@contextmanager
def named_errors(host: str) -> Iterator[None]:
    """Turns what httpx2 raises into FetchError: `tls`, `timeout`, `connection`, `bad-url`."""
    try:
        yield
    except httpx2.TimeoutException as error:
        raise FetchError(f"{host} did not answer", code="timeout", retryable=True) from error
    except httpx2.InvalidURL as error:
        raise FetchError(f"no valid URL: {error}", code="bad-url") from error
    except (httpx2.TransportError, OSError) as error:
        if _is_tls(error):
            message = f"no secure connection to {host}: {_reason(error)}"
            raise FetchError(message, code="tls") from error
        message = f"the connection to {host} failed: {_reason(error)}"
        raise FetchError(message, code="connection", retryable=True) from error


def _is_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
