"""What a service says instead of an answer, as errors that tell whether asking later may help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time

from intelli.errors import BackendError, FetchError

RETRYABLE_STATUS = frozenset({408, 429, 500, 502, 503, 504})
_QUOTA = re.compile(r"rate.?limit|quota|too many requests|out of credits", re.IGNORECASE)


class RefusedError(BackendError):
    """The service refused for now; `retry_after` is its hint in seconds, if it gave one."""

    def __init__(self, message: str, *, code: str, retry_after: float | None = None) -> None:
        super().__init__(message, code=code, retryable=True)
        self.retry_after = retry_after


def is_refusal(text: str) -> bool:
    """Whether a text says that a quota is used up; servers say so inside ordinary answers too."""
    return bool(_QUOTA.search(text[:500]))


def error_of(status: int, headers: Mapping[str, str], text: str) -> BackendError:
    """The error behind an HTTP status other than 200: RefusedError where asking later may help,
    code `rate-limit` for 429. `text` is what the service says about it, "" for nothing."""
    message = f"HTTP {status}" + (f": {text}" if text else "")
    if status in RETRYABLE_STATUS:
        code = "rate-limit" if status == 429 else f"http-{status}"
        return RefusedError(message, code=code, retry_after=seconds(headers.get("retry-after", "")))
    hint = "check the key" if status in (401, 402, 403) else ""
    return BackendError(message, code=f"http-{status}", hint=hint)


def unreachable(error: FetchError) -> BackendError:
    """A failure of the network as one of the backend."""
    return BackendError(
        error.message, code=error.code, hint=error.hint, retryable=error.code != "offline"
    )


def seconds(value: str) -> float | None:
    """Seconds from a Retry-After header, which holds seconds or a date (RFC 9110, 10.2.3)."""
    try:
        if value.strip().isascii() and value.strip().isdigit():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (ValueError, TypeError, OverflowError):
        return None


def short(text: str) -> str:
    """One line of at most 200 characters."""
    return " ".join(text.split())[:200]
