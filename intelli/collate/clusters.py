"""Finds passages that say the same in nearly the same words, so that one stands for all."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from intelli.text.ranking import tokens

_SHINGLE = 3
_SAME = 0.75
_CONTAINED = 0.97
_DECISIVE = re.compile(
    r"\d+(?:[.,:]\d+)*|(?<=[\w,;:] )[A-Z]\w+|[不没無无非]"
    r"|\b(?:not|no|never|none|without|cannot|nor|nicht|kein\w*|nie|не|нет|без|ni|sin|pas|sans)\b|n[’']t\b"
)


@dataclass(frozen=True, slots=True)
class _Print:
    """What is compared: runs of terms, and the figures, names and negations, each of which alone
    makes another statement of the same words."""

    shingles: frozenset[tuple[str, ...]]
    decisive: Counter[str]


def clusters(texts: Sequence[str], order: Sequence[int]) -> list[tuple[int, list[int]]]:
    """`(representative, others that say the same)`, indexes into `texts`.

    `order` holds every index once, the best first: the first of a cluster represents it. A text
    that a representative contains whole is one of the others only if it is nearly as long, else it
    is dropped. Texts that differ in a figure, a name or a negation are never the same.
    """
    prints = [_print(text) for text in texts]
    holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    found: dict[int, list[int]] = {}
    for n in order:
        twin = _twin(n, prints, holders)
        if twin is None:
            found[n] = []
            for shingle in prints[n].shingles:
                holders[shingle].append(n)
        elif _is_same(prints[n], prints[twin]):
            found[twin].append(n)
    return list(found.items())


def _print(text: str) -> _Print:
    terms = tokens(text)
    width = min(_SHINGLE, max(1, len(terms)))
    runs = (tuple(terms[n : n + width]) for n in range(len(terms) - width + 1))
    return _Print(frozenset(runs), Counter(_DECISIVE.findall(text)))


def _twin(
    n: int, prints: Sequence[_Print], holders: defaultdict[tuple[str, ...], list[int]]
) -> int | None:
    """The representative that says what text `n` says, if one does."""
    shared = Counter(
        holder for shingle in prints[n].shingles for holder in holders.get(shingle, ())
    )
    for holder, count in shared.most_common(5):
        contained = count >= _CONTAINED * len(prints[n].shingles)
        says_all = not prints[n].decisive - prints[holder].decisive
        if says_all and (contained or _is_same(prints[n], prints[holder])):
            return holder
    return None


def _is_same(one: _Print, other: _Print) -> bool:
    common = len(one.shingles & other.shingles)
    return one.decisive == other.decisive and common >= _SAME * len(one.shingles | other.shingles)
