"""What a service says instead of an answer, as errors that tell whether asking later may help."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from time import time

from intelli.errors import BackendError, FetchError
from intelli.text.snippets import one_line

RETRYABLE_STATUS = frozenset({408, 429, 500, 502, 503, 504})
_QUOTA = re.compile(
    r"rate.?(?:limit|exceeded)|quota|too many requests|out of credits|throttl|usage limit"
    r"|limit.(?:reached|exceeded)|insufficient (?:credits?|balance)",
    re.IGNORECASE,
)
_BOT_CHECK = re.compile(
    r"security checkpoint|<title>just a moment|challenge-form|cf-chl|g-recaptcha|h-captcha"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|verifying your browser",
    re.IGNORECASE,
)
_WEB_PAGE = re.compile(r"\s*<(?!\?xml|feed)", re.IGNORECASE)
_SAYING = ("error", "errors", "detail", "error_message", "message", "info", "msg", "code")
"""Where services put what they say, the likeliest first."""
_DEEPEST = 4
_LOOKED_AT = 2000
_MITIGATED = ("cf-mitigated", "x-vercel-mitigated")
"""Headers by which Cloudflare and Vercel say `challenge`."""


class RefusedError(BackendError):
    """The service refused for now; `retry_after` is its hint in seconds, if it gave one."""

    def __init__(self, message: str, *, code: str, retry_after: float | None = None) -> None:
        super().__init__(message, code=code, retryable=True)
        self.retry_after = retry_after


def is_refusal(text: str) -> bool:
    """Whether a text says that a quota is used up; servers say so inside ordinary answers too."""
    return bool(_QUOTA.search(text[:500]))


def is_bot_check(headers: Mapping[str, str], body: str) -> bool:
    """Whether an answer asks for a person in place of what was wanted."""
    mitigated = any(headers.get(name, "").lower() == "challenge" for name in _MITIGATED)
    return mitigated or bool(_BOT_CHECK.search(body[:5000]))


def bot_check(status: int) -> RefusedError:
    """The error for an answer that `is_bot_check`."""
    return RefusedError(f"it asked for a bot check (HTTP {status})", code="challenge")


def no_answer(status: int, headers: Mapping[str, str], body: str, wanted: str) -> BackendError:
    """The error for a body that is not what was `wanted`, as `JSON`: `challenge` for a bot check,
    `rate-limit` for words about a quota, else `bad-answer`."""
    if is_bot_check(headers, body):
        return bot_check(status)
    if _WEB_PAGE.match(body):
        return BackendError(f"it answered a web page in place of {wanted}", code="bad-answer")
    if is_refusal(body):
        return RefusedError(short(body), code="rate-limit")
    return RefusedError(f"the answer broke off or is no {wanted}", code="bad-answer")


def said(data: object) -> str:
    """The message inside a JSON error of the usual shapes, "" when there is none."""
    for _ in range(_DEEPEST):
        if isinstance(data, list):
            data = data[0] if data else None
        if isinstance(data, dict):
            data = next((data[name] for name in _SAYING if data.get(name)), None)
    return short(data) if isinstance(data, str) else ""


def patience(data: object) -> str:
    """The seconds to wait that a JSON error names, as text like a header's, "" for none."""
    inner = data.get("error") if isinstance(data, dict) else None
    for place in (inner, data):
        for name in ("retry_after_seconds", "retryAfter", "retry_after"):
            found = place.get(name) if isinstance(place, dict) else None
            if isinstance(found, int | float) and not isinstance(found, bool) and 0 <= found < 1e9:
                return str(round(found))
    return ""


def error_of(status: int, headers: Mapping[str, str], text: str) -> BackendError:
    """The error behind an HTTP status other than 200: RefusedError where asking later may help,
    code `rate-limit` for 429 and for words about a quota. `text` is what the service says about
    it, "" for nothing."""
    if is_bot_check(headers, ""):
        return bot_check(status)
    message = f"HTTP {status}" + (f": {text}" if text else "")
    is_quota = status == 429 or (status not in (401, 402) and is_refusal(text))
    if status in RETRYABLE_STATUS or is_quota:
        code = "rate-limit" if is_quota else f"http-{status}"
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
        moment = parsedate_to_datetime(value)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, moment.timestamp() - time())
    except (ValueError, TypeError, OverflowError):
        return None


def short(text: str) -> str:
    """One line of at most 200 characters, none of which a terminal would obey."""
    return one_line(text[:_LOOKED_AT])[:200]
