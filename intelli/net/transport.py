"""httpx2 beneath our rules: connects only to addresses a resolver gave, errors get our codes."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpcore2
import httpx2

from intelli.errors import FetchError
from intelli.net.resolver import Resolver
from intelli.net.sockets import open_stream

Connect = Callable[[str, int, float | None], Awaitable[httpcore2.AsyncNetworkStream]]
ATTEMPT_SECONDS = 3.0
"""What an address gets to answer in while the host has another one."""
NO_TIMEOUTS = {"timeout": dict.fromkeys(("connect", "read", "write", "pool"))}
"""Every exchange runs under one total deadline instead."""


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Opens connections to checked addresses; the host's name stays with TLS and HTTP."""

    def __init__(self, resolver: Resolver, connect: Connect) -> None:
        self._resolver = resolver
        self._connect = connect

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        *others, last = await self._resolver.addresses(host, port)
        for address in others:
            try:
                return await self._connect(str(address), port, ATTEMPT_SECONDS)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout, OSError):
                continue
        return await self._connect(str(last), port, timeout)


class PinnedTransport(httpx2.AsyncHTTPTransport):
    """httpx2's transport over a `PinnedBackend`; proxies of the environment are ignored."""

    def __init__(self, resolver: Resolver, connect: Connect = open_stream) -> None:
        # httpx2 takes no network backend, its connection pool does.
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls_context(),
            max_connections=100,
            max_keepalive_connections=20,
            keepalive_expiry=15.0,
            network_backend=PinnedBackend(resolver, connect),
        )


@cache
def tls_context() -> ssl.SSLContext:
    """One context for all connections: reading the certificates takes tens of milliseconds.

    The system's certificates, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name."""
    return httpx2.create_ssl_context()


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
