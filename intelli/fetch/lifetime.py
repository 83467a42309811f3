"""How long an answer may be used again without asking, after its own headers (RFC 9111)."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime

LONGEST = 3600.0
"""Seconds, whatever the server allows; and for a server that says nothing."""


def lifetime(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds from `now` (of the epoch); 0 when the server must be asked each time, None for an
    answer that must not be kept. The cache is one user's own: `private` answers may be kept, and
    rules for shared caches do not count."""
    rules = _directives(headers.get("cache-control", ""))
    varies = {name.strip() for name in headers.get("vary", "").lower().split(",")}
    if "no-store" in rules or "*" in varies:
        return None
    if "no-cache" in rules or (not rules and "no-cache" in headers.get("pragma", "").lower()):
        return 0.0
    if "max-age" in rules:
        allowed = _seconds(rules["max-age"])
    elif "expires" in headers:
        sent = _moment(headers.get("date", "")) or now
        allowed = (_moment(headers["expires"]) or sent) - sent
    else:
        return LONGEST
    return min(LONGEST, max(0.0, allowed - _seconds(headers.get("age", ""))))


def _directives(value: str) -> dict[str, str]:
    parted = (part.partition("=") for part in value[:2000].lower().split(","))
    return {name.strip(): text.strip().strip('"') for name, _, text in parted if name.strip()}


def _seconds(text: str) -> float:
    """A number of seconds; what is none counts as 0, so that the server is asked."""
    return float(text[:12]) if text.isascii() and text.isdigit() else 0.0


def _moment(date: str) -> float | None:
    try:
        return parsedate_to_datetime(date[:100]).timestamp()
    except (ValueError, OverflowError, TypeError):
        return None
