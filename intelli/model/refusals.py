"""What a model's server refuses and why: by its status, or by an error inside a 200."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from intelli.errors import ModelError
from intelli.model.retry import RetryableError

RETRYABLE_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
PARAMETER_STATUS = frozenset({400, 404, 422, 501})
"""Statuses with which servers refuse a field of the request."""
LONGEST = 20_000
"""Characters of a refusal that are read."""
_STATUS_WORDS = (
    ("insufficient_quota", 402),
    ("rate", 429),
    ("overload", 529),
    ("timeout", 504),
    ("unavailable", 503),
    ("server", 502),
    ("auth", 401),
    ("api_key", 401),
    ("permission", 403),
    ("not_found", 404),
    ("invalid", 400),
    ("context_length", 400),
)
"""The status that a name of an error stands for; the first that is part of it counts."""
_PASSING = (
    (re.compile(r"rate.?limit|too many requests", re.I), 429),
    (re.compile(r"overloaded|temporarily unavailable|over capacity", re.I), 503),
    (re.compile(r"timed? ?out|connection reset|server error", re.I), 502),
)
"""What an error without a code says when it will pass."""
_SPENT = re.compile(r"insufficient_quota|exceeded your current quota|credit balance", re.I)
_TOO_LARGE = re.compile(
    r"context.?length|context.?window|maximum context|prompt is too long|input is too long"
    r"|too many (?:input )?tokens|request too large|exceeds? the (?:maximum|max|token) "
    r"|reduce the length|request entity too large|payload too large|available context size",
    re.I,
)
_LONGEST_ANSWER = re.compile(
    r"(?:max_(?:\w{1,12}_)?tokens|maxOutputTokens)\W{1,3}[^.]{0,60}?(?:less than or equal to"
    r"|at most|<=|between \d{1,7} and|range\D{0,40}1\D{1,20})\W{0,3}(\d{2,7})"
    r"|at most (\d{2,7}) (?:completion|output|new) tokens"
    r"|> (\d{2,7}), which is the maximum",
    re.I,
)
"""How servers say that an answer of this model may not be as long as was asked for."""
_LIMIT = re.compile(
    r"(?:limit|maximum context length|maximum|tokens >|context size)(?: is| of|:)? *\(?"
    r"(\d[\d,]{0,12})",
    re.I,
)
_REQUESTED = re.compile(
    r"(?:requested|resulted in|you sent|prompt is|too long|input is|got)(?: about)?:? *"
    r"(\d[\d,]{0,12})",
    re.I,
)
_UNSUPPORTED = re.compile(
    r"(?:un|not )support|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed"
    r"|invalid (?:parameter|argument|field)|no longer accepted|deprecated|cannot be disabled"
    r"|is mandatory|extra (?:inputs|fields)|incompatible",
    re.I,
)
_WAIT = re.compile(
    r"(?:try again|retry|wait)[a-z ]{0,24}?(?:in|after|for|another)? *(\d{1,6}(?:\.\d{1,6})?) *"
    r"(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?)\b",
    re.I,
)
_HINTS = {
    401: "check the key named by `models.*.api_key_env`",
    402: "the account has no credit left",
    404: "check `models.*.model` and `models.*.api_base`",
}


class RefusedError(ModelError):
    """A server's refusal: its `status`, all its `words`, and the field it names, if it does."""

    def __init__(self, message: str, *, status: int, words: str, field: str = "") -> None:
        super().__init__(message, code=f"model-{status}", hint=_HINTS.get(status, ""))
        self.status = status
        self.words = words
        self.field = field

    def fields(self, sent: Collection[str]) -> frozenset[str]:
        """Those of the fields `sent` that the server does not take from this model."""
        if self.status not in PARAMETER_STATUS or not _UNSUPPORTED.search(self.words):
            return frozenset()
        if self.field in sent:
            return frozenset({self.field})
        return frozenset(name for name in sent if _names(self.words, name))


class TooLargeError(RefusedError):
    """The request is larger than the model, or its limit of tokens a minute, can take; `limit` and
    `requested` are tokens, answer included, None where the server does not say. `longest_answer` is
    the limit of the answer alone, where that is what was too much."""

    def __init__(self, message: str, *, status: int, words: str) -> None:
        super().__init__(message, status=status, words=words)
        self.code = "model-too-large"
        self.hint = "use a model with a larger context, or lower `extract.max_chars`"

    @property
    def limit(self) -> int | None:
        return _figure(_LIMIT, self.words)

    @property
    def longest_answer(self) -> int | None:
        """One less than the figure: some name the first that is too many."""
        match = _LONGEST_ANSWER.search(self.words[:2000])
        return int(match[match.lastindex or 0]) - 1 if match else None

    @property
    def requested(self) -> int | None:
        return _figure(_REQUESTED, self.words)


def refusal(problem: object, status: int, retry_after: float | None = None) -> ModelError:
    """The error a server reports; a RetryableError where it will pass.

    402 passes only where the server says when (OpenRouter's in-flight budget); what is too large
    for a limit of tokens a minute never does.
    """
    details = _mapping(problem)
    plain = problem if isinstance(problem, str) else ""
    words = str(details.get("message") or details.get("detail") or plain or "no message")[:LONGEST]
    names = " ".join(str(details.get(key) or "") for key in ("code", "type", "error_type"))
    status = _status(details, names, words, status)
    message = f"the model's server answered {status}: {' '.join(words.split())[:300]}"
    said = f"{names} {words} {_upstream(details)}"
    if _is_too_large(status, said):
        return TooLargeError(message, status=status, words=said)
    field = str(details.get("param") or "").partition(".")[0]
    error = RefusedError(message, status=status, words=said, field=field)
    retry_after = wait_of(words) if retry_after is None else retry_after
    passes = status in RETRYABLE_STATUS or (status == 402 and retry_after is not None)
    if status == 429 and _SPENT.search(said):
        error.hint = _HINTS[402]
        passes = False
    return RetryableError(error, retry_after) if passes else error


def _is_too_large(status: int, said: str) -> bool:
    """A limit of tokens a minute that is larger than the request passes, one that is smaller does
    not."""
    if status == 429:
        limit, requested = _figure(_LIMIT, said), _figure(_REQUESTED, said)
        never_fits = limit is not None and requested is not None and requested > limit
        return never_fits or "request too large" in said.casefold()
    if status in (400, 422):
        return bool(_TOO_LARGE.search(said) or _LONGEST_ANSWER.search(said[:2000]))
    return status == 413


def refusal_of(body: str, status: int, retry_after: float | None) -> ModelError:
    """The same for the body of an answer that is not 200."""
    text = body[:LONGEST]
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    problem = data.get("error") if isinstance(data, dict) else None
    return refusal(problem or " ".join(text.split()), status, retry_after)


def wait_of(words: str) -> float | None:
    """Seconds after which a server says in words that it may be asked again."""
    match = _WAIT.search(words[:2000])
    if match is None:
        return None
    unit = match[2].lower()
    scale = 0.001 if unit.startswith(("ms", "milli")) else 60.0 if unit.startswith("m") else 1.0
    return float(match[1]) * scale


def _upstream(details: Mapping[str, Any]) -> str:
    """What the provider behind OpenRouter said, which its own words may leave out."""
    raw = _mapping(details.get("metadata")).get("raw")
    return raw[:LONGEST] if isinstance(raw, str) else ""


def _status(details: Mapping[str, Any], names: str, words: str, status: int) -> int:
    """The HTTP status that an error stands for, wherever the server says it."""
    for key in ("code", "status", "status_code"):
        code = details.get(key)
        number = (
            int(code) if isinstance(code, str) and code.isdecimal() and len(code) == 3 else code
        )
        if isinstance(number, int) and not isinstance(number, bool) and 400 <= number < 600:
            return number
    if status != 200:
        return status
    flat = names.casefold()
    named = next((known for part, known in _STATUS_WORDS if part in flat), None)
    said = next((known for pattern, known in _PASSING if pattern.search(words)), None)
    return named or said or status


def _names(words: str, name: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", words, re.I) is not None


def _figure(pattern: re.Pattern[str], words: str) -> int | None:
    match = pattern.search(words[:2000])
    return int(match[1].replace(",", "")) if match else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
