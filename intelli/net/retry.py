"""When a server says "later": how long to wait for it."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from intelli.net.messages import Response

MAX_DELAY = 10.0
"""Seconds; a longer wait is answered with the refusal itself."""
MAX_SECONDS = 1e9


def asked_delay(response: Response) -> float | None:
    """Seconds that a refusal (429, 503) asks to be waited, None when it does not say.

    `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3)."""
    value = response.headers.get("retry-after", "").strip()
    if response.status not in (429, 503) or not value:
        return None
    if value.isascii() and value.isdigit():
        return min(float(value[:20]), MAX_SECONDS)
    return _seconds_until(value[:100])


def retry_delay(response: Response) -> float | None:
    """Seconds until a refused page may be asked for again; None when that is not worth it."""
    delay = asked_delay(response)
    return delay if delay is not None and delay <= MAX_DELAY else None


def _seconds_until(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, (moment - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None
