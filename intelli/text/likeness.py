"""Whether two texts are one in two places: mirrored pages, with other furniture around."""

from __future__ import annotations

import re

from intelli.records import record

_WIDE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_WIDE}]|[^\W_{_WIDE}]+")
_LINK = re.compile(r"\]\([^()\s]*\)|https?://\S+")
_DIGITS = re.compile(r"\d+")
_FIGURE = re.compile(r"\d").search
_SHINGLE = 5
_FEWEST = 40
"""Shingles below which a text says too little to be called a copy."""

_MOST_WORDS = 40_000
_SAME = 0.96
_SIZE = 0.6
_FURNITURE = 8
"""Lines of fewer words and no figure are headings, links, buttons: what differs in mirrors."""


@record
class Print:
    """The runs of five words that a text has; those with a figure by their words with the figures
    blanked, each with the figures that stand there."""

    shingles: frozenset[int]
    figures: dict[int, frozenset[str]]


def print_of(text: str) -> Print:
    """Of the first 40,000 words outside short lines; linear in the text."""
    words = _words(text)
    blanked = [_DIGITS.sub("#", word) if _FIGURE(word) else word for word in words]
    keys = [hash(run) for run in zip(*(blanked[n:] for n in range(_SHINGLE)), strict=False)]
    figures: dict[int, set[str]] = {}
    for at in (
        n for n, (word, blank) in enumerate(zip(words, blanked, strict=True)) if word != blank
    ):
        for n in range(max(0, at - _SHINGLE + 1), min(at + 1, len(keys))):
            figures.setdefault(keys[n], set()).add(" ".join(words[n : n + _SHINGLE]))
    return Print(
        shingles=frozenset(keys),
        figures={key: frozenset(found) for key, found in figures.items()},
    )


def _words(text: str) -> list[str]:
    words: list[str] = []
    for line in _LINK.sub(" ", text).lower().splitlines():
        found = _WORD.findall(line)
        if len(found) >= _FURNITURE or _FIGURE(line):
            words += found
        if len(words) >= _MOST_WORDS:
            break
    return words[:_MOST_WORDS]


def is_copy(one: Print, other: Print) -> bool:
    """Whether nearly all of the shorter text stands in the longer, which is not much longer, and no
    figure differs in words that are the same: versions of a document are not copies."""
    small, big = sorted((one.shingles, other.shingles), key=len)
    if len(small) < _FEWEST or len(small) < _SIZE * len(big):
        return False
    if len(small & big) < _SAME * len(small):
        return False
    shared = one.figures.keys() & other.figures.keys()
    return all(one.figures[key] == other.figures[key] for key in shared)
