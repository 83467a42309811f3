"""What stands in every text that a pattern matches: the key to an index of trigrams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from intelli.errors import UsageError

LONGEST = 1000
"""Characters of a pattern."""


def compiled(pattern: str, *, literal: bool, ignore_case: bool) -> re.Pattern[str]:
    """Raises UsageError for what is no regular expression."""
    if not pattern or len(pattern) > LONGEST:
        raise UsageError(
            f"a pattern has 1 to {LONGEST} characters, not {len(pattern)}", code="bad-pattern"
        )
    flags = re.MULTILINE | (re.IGNORECASE if ignore_case else 0)
    try:
        return re.compile(re.escape(pattern) if literal else pattern, flags)
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(
            f"no regular expression: {error}",
            code="bad-pattern",
            hint="--literal looks for the text as it stands",
        ) from error


def required(pattern: re.Pattern[str]) -> tuple[str, ...]:
    """Texts that stand in everything the pattern matches, in the order of the pattern.

    Found by a walk over the parsed pattern; what is optional or one of several is left out, so
    the answer may be empty, but is never wrong."""
    return tuple(_joined(_runs(parser.parse(pattern.pattern, pattern.flags))))


def _joined(runs: Iterable[str | None]) -> Iterator[str]:
    """Neighbouring characters as one text; None ends it."""
    held = ""
    for run in (*runs, None):
        if run is not None:
            held += run
        elif held:
            yield held
            held = ""


def _runs(parsed: Any) -> Iterator[str | None]:
    for code, value in parsed:
        if code is op.LITERAL:
            yield chr(value)
        elif code is op.AT:  # matches no character, but may stand where characters would meet
            yield None
        elif code is op.SUBPATTERN:
            yield from _runs(value[-1])
        elif code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield from _repeated(value)
        else:
            yield None


def _repeated(value: Any) -> Iterator[str | None]:
    fewest, _, inner = value
    yield None
    if fewest >= 1:
        yield from _runs(inner)
    yield None
