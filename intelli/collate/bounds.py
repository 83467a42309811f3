"""Which way a figure points: below zero or falling, a least or a most."""

from __future__ import annotations

import re
from typing import NamedTuple

from intelli.collate.figures import Figure
from intelli.collate.rates import Denominator, period_before

_NEGATIVE = re.compile(r"(?:(?<![\d\s])\s|[(\[|=:,]|^)-[$€£]?$|\b(?:minus|negative)\s$")
_BELOW_ZERO = re.compile(r"[^.;]{0,20}\bbelow (?:zero|freezing)\b")
_FALLING = re.compile(
    r"\b(?:f[ae]ll|declin|dr[oi]p|decreas|los[est]|shr[aiu]n|lower|reduc|below|deficit|cut|down|slump|"
    r"minus|negative|contract|slid|sank|weak|worse|less)"
)
_LEAST = re.compile(
    r"(?:[≥>]=?|\bat least|\bno (?:less|fewer|lower) than|\bnot (?:less|fewer) than"
    r"|(?<!\bno )(?<!\bnot )\b(?:more|greater|higher) than|\bminimum of)\s?[$€£]?$"
)
_MOST = re.compile(
    r"(?:[≤<]=?|\bat most|\bno (?:more|greater|higher) than|\bnot (?:more|greater) than"
    r"|(?<!\bno )(?<!\bnot )\b(?:less|fewer|lower) than|\bmaximum of|\bup to)\s?[$€£]?$"
)
_NEAR = 60
_BEFORE = 24


class Direction(NamedTuple):
    """`sign` is -1 for a figure below zero, 1 for another, 0 where the words around say that it
    falls (a loss of 5 is -5); `bound` 1 for a least (`at least 5`), -1 for a most, else 0; `period`
    what is named before the figure: `an hourly limit of 100`."""

    sign: int = 1
    bound: int = 0
    period: tuple[Denominator, ...] = ()

    def agrees(self, other: Direction) -> bool:
        """Whether both can point the same way."""
        return {self.sign, other.sign} != {-1, 1} and self.bound * other.bound >= 0


PLAIN = Direction()


def direction(text: str, figure: Figure) -> Direction:
    """Which way a figure of a folded lower-case text points."""
    start, end = figure.start, max(figure.end, figure.unit_end)
    before = text[max(0, start - _NEAR) : start]
    close = before[-_BEFORE:]
    if _NEGATIVE.search(before) or _BELOW_ZERO.match(text, end):
        sign = -1
    else:
        sign = 0 if _FALLING.search(before + text[end : end + _NEAR]) else 1
    bound = 1 if _LEAST.search(close) else -1 if _MOST.search(close) else 0
    return Direction(sign, bound, period_before(text, start))
