"""Manners towards a host: few requests at once, a gap between them, quiet when it asks for it."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from intelli.errors import FetchError
from intelli.net.retry import MAX_DELAY

PER_HOST = 2
"""Requests at once to one public host."""
GAP = 0.1
"""Seconds between the starts of two requests to one public host."""
UNSAID_PAUSE = 2.0
"""Seconds of quiet for a host that said 429 and not for how long."""


@dataclass(slots=True)
class _Host:
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(PER_HOST))
    is_public: bool = False
    next_start: float = 0.0
    quiet_until: float = 0.0


class Hosts:
    """What a run knows of each origin (scheme, name and port); times on the monotonic clock.

    Private hosts are the user's own: they are asked as often and as many times at once as wanted,
    and kept waiting for no longer than a page would wait itself."""

    def __init__(self) -> None:
        self._hosts: defaultdict[str, _Host] = defaultdict(_Host)

    @asynccontextmanager
    async def turn(self, origin: str, *, is_public: bool, end: float) -> AsyncIterator[None]:
        """Waits until `origin` may be asked once more.

        Raises FetchError `http-429` when that is not before `end`."""
        host = self._hosts[origin]
        host.is_public = is_public
        await _quiet(origin, host, end)
        if not is_public:
            yield
            return
        async with host.slots:
            await _quiet(origin, host, end)
            now = time.monotonic()
            start = max(now, host.next_start)
            host.next_start = start + GAP
            await asyncio.sleep(start - now)
            yield

    def pause(self, origin: str, seconds: float | None) -> None:
        """Leave `origin` alone for as long as it said, None for an answer that did not say."""
        asked = UNSAID_PAUSE if seconds is None else seconds
        host = self._hosts[origin]
        until = time.monotonic() + (asked if host.is_public else min(asked, MAX_DELAY))
        host.quiet_until = max(host.quiet_until, until)


async def _quiet(origin: str, host: _Host, end: float) -> None:
    while (left := host.quiet_until - time.monotonic()) > 0:
        if host.quiet_until >= end:
            raise FetchError(
                f"{origin} answered 429 and wants no request for {left:.0f} s more",
                code="http-429",
                retryable=True,
            )
        await asyncio.sleep(left)
