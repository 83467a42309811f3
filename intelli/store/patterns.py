"""What stands in every text that a pattern matches: the key to an index of trigrams."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from intelli.errors import UsageError

LONGEST = 1000
"""Characters of a pattern."""
PATIENCE = 5.0
"""Seconds for a text, or for that many matches in it:"""
_AT_ONCE = 1000


class Pattern:
    """A regular expression that gives up on a text: some take years on a short one. Outside of the
    main thread, where no alarm can be heard, it goes on."""

    def __init__(self, expression: re.Pattern[str]) -> None:
        self.expression = expression

    def search(self, text: str) -> re.Match[str] | None:
        """The first match. Raises UsageError after PATIENCE seconds, like the next."""
        with _patience():
            return self.expression.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches, in the order of the text."""
        found = self.expression.finditer(text)
        while True:
            with _patience():
                some = list(islice(found, _AT_ONCE))
            yield from some
            if len(some) < _AT_ONCE:
                return


@contextmanager
def _patience() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _give_up(number: int, frame: object) -> None:
    del number, frame
    raise UsageError(
        f"the pattern takes longer than {PATIENCE:g} s on one text",
        code="slow-pattern",
        hint="repeats of repeats such as (a+)+ do; --literal looks for the text as it stands",
    )


def compiled(pattern: str, *, literal: bool, ignore_case: bool) -> Pattern:
    """Raises UsageError for what is no regular expression."""
    if not pattern or len(pattern) > LONGEST:
        raise UsageError(
            f"a pattern has 1 to {LONGEST} characters, not {len(pattern)}", code="bad-pattern"
        )
    flags = re.MULTILINE | (re.IGNORECASE if ignore_case else 0)
    try:
        return Pattern(re.compile(re.escape(pattern) if literal else pattern, flags))
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError(
            f"no regular expression: {error}",
            code="bad-pattern",
            hint="--literal looks for the text as it stands",
        ) from error


def required(pattern: Pattern) -> tuple[str, ...]:
    """Texts that stand in everything the pattern matches, in the order of the pattern.

    Found by a walk over the parsed pattern; what is optional or one of several is left out, so
    the answer may be empty, but is never wrong."""
    return tuple(_joined(_runs(parser.parse(pattern.expression.pattern, pattern.expression.flags))))


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
