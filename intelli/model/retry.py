"""Retrying calls to models: the one place that does, with full jitter and the server's own hint."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from email.utils import parsedate_to_datetime
from time import time
from typing import TypeVar

from intelli.errors import ModelError
from intelli.events import Emit, Retrying

T = TypeVar("T")
BASE_DELAY = 1.0
MAX_DELAY = 20.0
"""Seconds. A server's Retry-After is cut to this too, so that a hostile one stalls nothing."""


class RetryableError(ModelError):
    """One attempt failed; `retry_after` is the server's hint in seconds, if it gave one."""

    def __init__(self, cause: ModelError, retry_after: float | None = None) -> None:
        super().__init__(cause.message, code=cause.code, hint=cause.hint, retryable=True)
        self.retry_after = retry_after
        self.spend = cause.spend


async def with_retries(
    attempt: Callable[[], Awaitable[T]], *, attempts: int, what: str, emit: Emit
) -> T:
    """The first success of at most `attempts` tries; otherwise the last error."""
    for tried in range(1, attempts + 1):
        try:
            return await attempt()
        except RetryableError as error:
            if tried == attempts:
                raise
            delay = delay_before(tried, error.retry_after)
            emit(Retrying(what=what, attempt=tried + 1, delay=delay, reason=error.message))
            await asyncio.sleep(delay)
    raise AssertionError("attempts is at least 1")


def delay_before(tried: int, retry_after: float | None) -> float:
    """Seconds to wait after `tried` attempts. The hint is a floor and the jitter goes on top of
    it, so that parallel callers that were refused together do not return together."""
    step = min(MAX_DELAY, BASE_DELAY * 2 ** (tried - 1))
    if retry_after is None:
        return random.uniform(0, step)
    hint = min(MAX_DELAY, retry_after)
    return hint + random.uniform(0, min(MAX_DELAY / 2, max(step, hint / 2)))


def parse_retry_after(value: str | None) -> float | None:
    """Seconds from a Retry-After header, which holds seconds or a date; None for garbage."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if seconds == seconds else None  # noqa: PLR0124 - not a number
