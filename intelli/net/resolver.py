"""Host names to checked addresses: looked up once, judged as a whole, pinned for a minute."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_address

from intelli.errors import FetchError
from intelli.net import guard
from intelli.net.guard import Address

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]
Check = Callable[[str, Sequence[Address]], None]
PIN_SECONDS = 60.0


class Resolver:
    """Addresses of hosts that passed `check`, which raises FetchError for those that do not."""

    def __init__(self, check: Check, lookup: Lookup | None = None) -> None:
        self._check = check
        self._lookup = lookup or system_lookup
        self._pins: dict[tuple[str, int], tuple[float, tuple[Address, ...]]] = {}

    async def addresses(self, host: str, port: int) -> tuple[Address, ...]:
        """All addresses of `host`, at least one, each allowed.

        Raises FetchError: `private-address`, `dns`, `bad-url`."""
        until, pinned = self._pins.get((host, port), (0.0, ()))
        if pinned and time.monotonic() < until:
            return pinned
        found = await self._resolve(host, port)
        self._check(host, found)
        self._pins[host, port] = (time.monotonic() + PIN_SECONDS, found)
        return found

    async def _resolve(self, host: str, port: int) -> tuple[Address, ...]:
        try:
            own = guard.literal(host)
        except ValueError as error:
            raise FetchError(f"{host} is no valid host", code="bad-url") from error
        if own is not None:
            return (own,)
        self._check(host, ())
        try:
            found = await self._lookup(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchError(f"{host} cannot be resolved", code="dns", retryable=True) from error
        if not found:
            raise FetchError(f"{host} has no address", code="dns")
        return tuple(ip_address(address.partition("%")[0]) for address in found)


def page_check(*, allow_private: bool) -> Check:
    """The rule for pages. Called with no addresses it judges the name alone."""

    def check(host: str, addresses: Sequence[Address]) -> None:
        forbidden = guard.is_metadata_name(host)
        local = guard.is_local_name(host) and not allow_private
        refused = addresses and not guard.is_allowed(addresses, allow_private=allow_private)
        if not (forbidden or local or refused):
            return
        openable = not forbidden and all(guard.classify(a) != "forbidden" for a in addresses)
        raise FetchError(
            f"{host} is not a public address",
            code="private-address",
            hint="`--allow-private` permits loopback and private addresses" if openable else "",
        )

    return check


def no_check(host: str, addresses: Sequence[Address]) -> None:
    """The rule for services the user configured: wherever they said."""


async def system_lookup(host: str, port: int) -> Sequence[str]:
    """Addresses as the operating system gives them, in its order of preference.

    In a thread of its own that dies with the process: the loop's executor would make the exit
    wait for a name server that does not answer."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def deliver(found: Sequence[str], error: Exception | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(found)

    def work() -> None:
        found: Sequence[str] = ()
        failure: Exception | None = None
        try:
            entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found = tuple(dict.fromkeys(str(entry[4][0]) for entry in entries))
        except (OSError, UnicodeError) as error:
            failure = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(deliver, found, failure)

    threading.Thread(target=work, name=f"resolve {host}", daemon=True).start()
    return await answer
