"""The stretch of a source that says a claim almost word for word, and where the two differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from intelli.collate.lexicon import NEGATIONS, NUMBER_WORDS, STOP_WORDS
from intelli.collate.words import Words

MAX_WORDS = 150
_COMMON = 400
_TRIED = 2
_WORTH = 0.45
_LIGHT = NEGATIONS | frozenset("do does did can will longer".split())
_MATCH, _OTHER, _GAP, _LIGHT_GAP = 4, -2, -2, -1
_FIGURE = 3  # less than a word: what a figure is said of tells more than the figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Where claim and source differ: word index ranges [first, last) on either side."""

    claim: tuple[int, int]
    source: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """How a claim lies on a source. `share` is the share of the claim's words found in order,
    `core` the same between its first and last found word, `density` the share of the covered
    source words that are the claim's, negation and its helpers aside; `first`, `last` are the
    source's word indices, last excluded."""

    share: float
    core: float
    density: float
    matched: int
    first: int
    last: int
    claim_first: int
    claim_last: int
    gaps: tuple[Gap, ...]

    @property
    def near_verbatim(self) -> bool:
        """Almost word for word: the source says this sentence and hardly anything in between."""
        return self.matched >= 4 and self.share >= 0.72 and self.core >= 0.8 and self.density >= 0.7


def align(claim: Words, source: Words) -> Alignment | None:
    """The best local alignment of a claim (its first 150 words) with a source; None when no
    stretch of the source holds half of the claim's telling words. Linear in the occurrences of
    these, plus claim length squared."""
    keys = claim.keys[:MAX_WORDS]
    best: Alignment | None = None
    for start in _likely_starts(keys, source):
        found = _aligned(keys, source, start)
        if found and (best is None or (found.share, found.density) > (best.share, best.density)):
            best = found
    return best


def _likely_starts(keys: Sequence[str], source: Words) -> list[int]:
    """Source positions around which most of the claim's words stand, by votes on diagonals."""
    width = _width(keys)
    telling = [(k, key) for k, key in enumerate(keys) if key not in STOP_WORDS]
    if len({key for _, key in telling}) < 3:
        telling = list(enumerate(keys))
    voters: dict[int, set[str]] = {}
    for k, key in telling:
        places = source.places.get(key, ())
        for place in places if len(places) <= _COMMON else ():
            diagonal = (place - k) // width
            voters.setdefault(diagonal, set()).add(key)
            voters.setdefault(diagonal + 1, set()).add(key)
    wanted = _WORTH * len({key for _, key in telling})
    ranked = sorted(voters, key=lambda bucket: -len(voters[bucket]))
    chosen: list[int] = []
    for bucket in ranked:
        if len(voters[bucket]) < wanted or len(chosen) == _TRIED:
            break
        if all(abs(bucket - other) > 1 for other in chosen):
            chosen.append(bucket)
    return [max(0, (bucket - 1) * width) for bucket in chosen]


def _width(keys: Sequence[str]) -> int:
    return max(8, len(keys) // 4)


def _aligned(keys: Sequence[str], source: Words, start: int) -> Alignment | None:
    low = max(0, start - 2)
    window = source.keys[low : start + len(keys) + 3 * _width(keys)]
    pairs = _local_pairs(keys, window)
    if not pairs:
        return None
    claim_first, first = pairs[0]
    claim_last, last = pairs[-1][0] + 1, pairs[-1][1] + 1
    gaps = tuple(
        Gap(claim=(a[0] + 1, b[0]), source=(low + a[1] + 1, low + b[1]))
        for a, b in pairwise(pairs)
        if b[0] - a[0] > 1 or b[1] - a[1] > 1
    )
    ours = {i for i, _ in pairs}
    theirs = {j for _, j in pairs}
    light = _light_between(keys, ours, claim_first, claim_last)
    return Alignment(
        share=len(pairs) / (len(keys) - light),
        core=len(pairs) / (claim_last - claim_first - light),
        density=len(pairs) / (last - first - _light_between(window, theirs, first, last)),
        matched=len(pairs),
        first=low + first,
        last=low + last,
        claim_first=claim_first,
        claim_last=claim_last,
        gaps=gaps,
    )


def _light_between(keys: Sequence[str], matched: set[int], first: int, last: int) -> int:
    """How many words in between only deny: they are weighed apart, not as distance."""
    return sum(keys[k] in _LIGHT and k not in matched for k in range(first, last))


def _local_pairs(keys: Sequence[str], window: Sequence[str]) -> list[tuple[int, int]]:
    """Matched index pairs of the best local alignment (Smith and Waterman, 1981)."""
    width = len(window) + 1
    above = [0] * width
    moves: list[bytearray] = []
    best, at = 0, (0, 0)
    for i, key in enumerate(keys):
        row, move, left = [0] * width, bytearray(width), 0
        skip = _LIGHT_GAP if key in _LIGHT else _GAP
        match = _FIGURE if key[0].isdigit() or key in NUMBER_WORDS else _MATCH
        for j, other in enumerate(window, start=1):
            same = key == other
            score, step = above[j - 1] + (match if same else _OTHER), 1
            if above[j] + skip > score:
                score, step = above[j] + skip, 2
            passed = left + (_LIGHT_GAP if other in _LIGHT else _GAP)
            if passed > score:
                score, step = passed, 3
            if score <= 0:
                score, step = 0, 0
            row[j] = left = score
            move[j] = step
            if same and score > best:
                best, at = score, (i, j)
        above = row
        moves.append(move)
    return _traced(keys, window, moves, at) if best else []


def _traced(
    keys: Sequence[str], window: Sequence[str], moves: Sequence[bytearray], at: tuple[int, int]
) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    i, j = at
    while i >= 0 and j > 0 and moves[i][j]:
        step = moves[i][j]
        if step == 1 and keys[i] == window[j - 1]:
            pairs.append((i, j - 1))
        i -= step in (1, 2)
        j -= step in (1, 3)
    return pairs[::-1]
