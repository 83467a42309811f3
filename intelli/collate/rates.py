"""What a figure is counted in: the denominator of a rate, or the noun behind a bare number."""

from __future__ import annotations

import re

from intelli.collate.lexicon import SCALE_WORDS, STOP_WORDS, UNITS
from intelli.collate.words import singular

Denominator = tuple[str, float]

_S, _H = ("time", 1.0), ("time", 3600.0)
RATE_UNITS: dict[str, tuple[str, float, Denominator]] = {
    "rps": ("", 1.0, _S), "qps": ("", 1.0, _S), "tps": ("", 1.0, _S), "fps": ("", 1.0, _S),
    "iops": ("", 1.0, _S), "rpm": ("", 1.0, ("time", 60.0)), "tpm": ("", 1.0, ("time", 60.0)),
    "kbps": ("data", 1e3, _S), "mbps": ("data", 1e6, _S), "gbps": ("data", 1e9, _S),
    "mph": ("length", 1609.344, _H), "kph": ("length", 1e3, _H), "kmh": ("length", 1e3, _H),
}  # fmt: skip
"""A rate in one word -> (dimension and factor of what is counted, what it is divided by)."""
BITS: dict[str, tuple[str, float]] = {
    "kbit": ("data", 1e3), "mbit": ("data", 1e6), "gbit": ("data", 1e9), "tbit": ("data", 1e12)
}  # fmt: skip
_PERIODS = ("time", "months")
_ADVERBS: dict[str, Denominator] = {
    "hourly": _H, "daily": ("time", 86400.0), "weekly": ("time", 604800.0),
    "monthly": ("months", 1.0), "yearly": ("months", 12.0), "annually": ("months", 12.0),
    "annual": ("months", 12.0),
}  # fmt: skip
_NEARBY: dict[Denominator, tuple[str, ...]] = {
    _S: ("second", "sec", "/s", "rps", "qps", "tps", "fps", "iops", "bps"),
    ("time", 60.0): ("minute", "/min", "rpm", "tpm"), _H: ("hour", "/h", "mph", "kph", "kmh"),
    ("time", 86400.0): ("day", "daily", "/d", "nightly"), ("time", 604800.0): ("week", "/w"),
    ("months", 1.0): ("month", "/mo"),
    ("months", 12.0): ("year", "annual", "/y", "per annum", "p.a."),
}  # fmt: skip
_RATE = re.compile(
    r"(?:[\s-](?!(?:per|an?|each|every|and|or|to|in|for|with|by|at|as|is|are|was|were)\b)"
    r"[a-z][a-z'-]{0,30}){0,3}?"
    r"(?:\s(?P<adverb>hourly|daily|weekly|monthly|yearly|annually)\b"
    r"|(?P<link>\s?/\s?|[\s-](?:per|an?|each|every)[\s-])(?:(?P<times>\d{1,6})\s|single\s)?"
    r"(?P<base>[a-z]{1,20})\b(?!\s(?:later|ago|earlier|old|before|after|from)\b))"
)
_BEFORE = re.compile(rf"\b({'|'.join(_ADVERBS)})\s(?:[a-z]+\s){{1,2}}(?:of|is|was|at)\s[$€£]?$")
_NOUN = re.compile(r"[\s-]([a-z][a-z'-]*)")
_PLURALS = frozenset("people men women children feet teeth mice data media staff police".split())


def denominators(text: str, unit: str, position: int) -> tuple[tuple[Denominator, ...], int]:
    """What the figure whose unit word is `unit` and ends at `position` is divided by, and where
    that ends: `per second`, `/s`, `a month`, `per user per 10 minutes`; () when by nothing."""
    fused = RATE_UNITS.get(unit)
    if fused:
        return (fused[2],), position
    found: list[Denominator] = []
    match = _RATE.match(text, position)
    while match and len(found) < 2:
        denominator = _denominator(match)
        if denominator is None:
            break
        found.append(denominator)
        position = match.end()
        match = _RATE.match(text, position)
    return tuple(found), position


def period_before(text: str, start: int) -> tuple[Denominator, ...]:
    """The period that stands before a figure: `an hourly limit of 100`, `the daily quota is 5`."""
    match = _BEFORE.search(text, max(0, start - 50), start)
    return (_ADVERBS[match.group(1)],) if match else ()


def _denominator(match: re.Match[str]) -> Denominator | None:
    if match["adverb"]:
        return _ADVERBS[match["adverb"]]
    base, link = match["base"], match["link"].strip(" -")
    dimension, factor = UNITS.get(base) or UNITS.get(singular(base)) or ("", 1.0)
    if base in ("d", "sec", "secs"):
        dimension, factor = ("time", 86400.0) if base == "d" else _S
    if dimension in _PERIODS:
        return dimension, factor * float(match["times"] or 1)
    if match["times"] or base in STOP_WORDS or base in ("cent", "m", "se", "capita"):
        return None
    if link == "per" or (link == "/" and len(base) > 1 and dimension):
        return singular(base), 1.0
    return None


def is_counted(text: str, digits: str, position: int) -> bool:
    """Whether a plural noun, and no unit, follows a bare number that ends at `position`; what
    reads as a year counts nothing."""
    if len(digits) == 4 and digits[:2] in ("18", "19", "20"):
        return False
    plural = False
    for _ in range(3):
        match = _NOUN.match(text, position)
        if not match or match.group(1) in STOP_WORDS:
            break
        word = match.group(1)
        if any(_is_unit(part) for part in word.split("-")):
            return False
        plural = plural or word in _PLURALS or singular(word) != word
        position = match.end()
    return plural


def _is_unit(word: str) -> bool:
    bare = singular(word)
    return any(each in UNITS or each in SCALE_WORDS or each in RATE_UNITS for each in (word, bare))


def same_rate(ours: tuple[Denominator, ...], theirs: tuple[Denominator, ...], around: str) -> bool:
    """Whether a claim's denominators fit those of a figure in a source, whose surroundings may
    name the period once for all figures. What the claim leaves out is no contradiction."""
    for period in (True, False):
        mine = {each for each in ours if (each[0] in _PERIODS) is period}
        other = {each for each in theirs if (each[0] in _PERIODS) is period}
        if mine and other and not mine & other:
            return False
        if period and mine and not other:
            named = {name for each in mine for name in _NEARBY.get(each, ())}
            if named and not any(name in around for name in named):
                return False
    return True
