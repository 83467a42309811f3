"""What a near-verbatim claim says otherwise than its source: a `not`, an opposite, a figure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from intelli.collate.alignment import Alignment, Gap
from intelli.collate.lexicon import (
    NEGATIONS,
    NUMBER_WORDS,
    OPPOSITES,
    STOP_WORDS,
    SYNONYMS,
    UNITS,
)
from intelli.collate.words import Words

_EDGE = 2
_SHORT = 4
_SAME_BUT_FIGURES = 0.9
FULL_STOP = re.compile(r"[.;!?](?:\W|$)")
_STOP = re.compile(r"[.;!?](?:\W|$)|[:,]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """`written` is the claim's wording; `start:end` its place in the folded claim."""

    written: str
    start: int
    end: int

    def covers(self, needle: str) -> bool:
        """Whether a detail of the claim is what differs."""
        return self.written.lower() in (needle.lower(), *needle.lower().split())


def replaced(claim: Words, source: Words, alignment: Alignment) -> list[tuple[int, int]]:
    """Word ranges of the claim in whose place the source has other words."""
    gaps = [*alignment.gaps, *_edges(claim, source, alignment)]
    return [
        gap.claim for gap in gaps if gap.claim[0] < gap.claim[1] and gap.source[0] < gap.source[1]
    ]


def differences(claim: Words, source: Words, alignment: Alignment) -> list[Difference]:
    """Differences of meaning between a claim and the source stretch it lies on."""
    edges = _edges(claim, source, alignment)
    swapped = [_swapped(claim, source, gap) for gap in alignment.gaps]
    swapped += [_swapped(claim, source, gap, edge=True) for gap in edges]
    if not any(_moved(claim, source, gap) for gap in alignment.gaps):
        swapped += [_figure_for_figure(claim, source, gap) for gap in (*alignment.gaps, *edges)]
    found = [*_negations(claim, source, alignment), *(each for each in swapped if each)]
    return list(dict.fromkeys(found))


def _moved(claim: Words, source: Words, gap: Gap) -> bool:
    """Whether a telling word only stands elsewhere in the source's sentence: its parts are then in
    another order, and so may its figures be."""
    around = _around(source, gap)
    return any(
        claim.keys[k] in around - STOP_WORDS and _kind(claim, k) != "figure"
        for k in range(*gap.claim)
    )


def _figure_for_figure(claim: Words, source: Words, gap: Gap) -> Difference | None:
    """A figure in the place of another, even if it stands elsewhere in the same sentence."""
    if gap.claim[1] - gap.claim[0] != gap.source[1] - gap.source[0]:
        return None
    for k, j in zip(range(*gap.claim), range(*gap.source), strict=True):
        if _kind(claim, k) == _kind(source, j) == "figure":
            ours, theirs = claim.keys[k], source.keys[j]
            if not _same(ours, theirs) and ours in _around(source, gap):
                return _difference(claim, k, k)
    return None


def rearranged(claim: Words, source: Words, alignment: Alignment) -> list[Difference]:
    """Figures of a claim that is its source's sentence but for figures in one another's place."""
    gaps = [*alignment.gaps, *_edges(claim, source, alignment)]
    found = [each for gap in gaps if (each := _figure_for_figure(claim, source, gap))]
    same = (alignment.matched + len(found)) / len(claim)
    inside = (alignment.matched + len(found)) / (alignment.last - alignment.first)
    return found if len(found) > 1 and min(same, inside) >= _SAME_BUT_FIGURES else []


def turned_round(claim: Words, source: Words) -> tuple[list[Difference], bool]:
    """`from 4 to 5` where the source says `from 5 to 4`; and whether it also says `from 4 to 5`."""
    ours = _ranges(claim)
    theirs = {(a, b) for a, b, _ in _ranges(source)} if ours else set()
    found = [(a, b, k) for a, b, k in ours if {(a, b), (b, a)} & theirs and a != b]
    wrong = [_difference(claim, k, k) for a, b, k in found if (a, b) not in theirs]
    return wrong, any((a, b) in theirs for a, b, _ in found)


def _ranges(words: Words) -> list[tuple[str, str, int]]:
    """Figures of `from 5 s to 4 s`, and where the first stands."""
    keys, found = words.keys, []
    for k in words.places.get("from", ()):
        to = next((j for j in (k + 2, k + 3) if keys[j : j + 1] == ["to"]), 0)
        if to and to + 1 < len(keys) and _kind(words, k + 1) == _kind(words, to + 1) == "figure":
            found.append((keys[k + 1], keys[to + 1], k + 1))
    return found


def _edges(claim: Words, source: Words, alignment: Alignment) -> list[Gap]:
    """The words right before and behind the stretch, where a figure may have been swapped."""
    after = min(len(claim) - alignment.claim_last, _EDGE)
    if sentence_ends(source, alignment.last, alignment.last + after, FULL_STOP):
        after = 1
    before = min(alignment.claim_first, _EDGE)
    behind = min(alignment.last + after, len(source))
    ahead = max(alignment.first - before, 0)
    gaps = []
    if after and not sentence_ends(source, alignment.last - 1, behind, FULL_STOP):
        gaps.append(
            Gap(
                claim=(alignment.claim_last, alignment.claim_last + after),
                source=(alignment.last, behind),
            )
        )
    if before and not sentence_ends(source, ahead, alignment.first + 1, FULL_STOP):
        gaps.append(
            Gap(
                claim=(alignment.claim_first - before, alignment.claim_first),
                source=(ahead, alignment.first),
            )
        )
    return gaps


def sentence_ends(words: Words, first: int, last: int, stop: re.Pattern[str] | None = None) -> bool:
    """Whether a line, sentence or part of one (`stop` says what counts) ends between the words
    `first` and `last`, the last excluded."""
    for k in range(first, min(last, len(words)) - 1):
        low, high = words.ends[k], words.starts[k + 1]
        if low < high and (stop or _STOP).search(words.folded.lower, low, high):
            return True
        if words.folded.broken(low, high):
            return True
    return False


def denied(claim: Words, source: Words, alignment: Alignment) -> bool:
    """Whether only one of the two denies what both say."""
    return bool(_negations(claim, source, alignment))


def _negations(claim: Words, source: Words, alignment: Alignment) -> list[Difference]:
    ours = negative(claim, alignment.claim_first, alignment.claim_last)
    theirs = negative(source, alignment.first, alignment.last)
    ours = _with_edge(claim, ours, alignment.claim_first)
    theirs = _with_edge(source, theirs, alignment.first)
    if len(ours) > len(theirs):
        matched = _matched(alignment)
        added = [k for k in ours if k not in matched] or ours
        return [_difference(claim, added[0], added[0])]
    if len(ours) < len(theirs):
        return _dropped(claim, alignment, theirs)
    return []


def negative(words: Words, first: int, last: int) -> list[int]:
    """Positions of negations; `not only` denies nothing."""
    keys = words.keys
    return [
        k
        for k in range(first, last)
        if keys[k] in NEGATIONS and not (keys[k] == "not" and keys[k + 1 : k + 2] == ["only"])
    ]


def _with_edge(words: Words, found: list[int], first: int) -> list[int]:
    """Also the negation right before the stretch, in the same sentence."""
    for k in range(first - 1, max(-1, first - 1 - _EDGE), -1):
        if sentence_ends(words, k, k + 2):
            break
        if words.keys[k] in NEGATIONS:
            return [k, *found]
    return found


def _matched(alignment: Alignment) -> set[int]:
    inside = set(range(alignment.claim_first, alignment.claim_last))
    for gap in alignment.gaps:
        inside -= set(range(*gap.claim))
    return inside


def _dropped(claim: Words, alignment: Alignment, theirs: list[int]) -> list[Difference]:
    """The claim's words around the place where it leaves out a negation of the source."""
    if any(k < alignment.first for k in theirs):
        return [_difference(claim, alignment.claim_first, alignment.claim_first)]
    for gap in alignment.gaps:
        short = gap.source[1] - gap.source[0] <= _SHORT
        if short and any(gap.source[0] <= k < gap.source[1] for k in theirs):
            last = min(gap.claim[1], len(claim) - 1)
            return [_difference(claim, max(0, gap.claim[0] - 1), last)]
    return []


def _difference(claim: Words, first: int, last: int) -> Difference:
    start, end = claim.span(first, last)
    return Difference(written=claim.folded.text[start:end], start=start, end=end)


def _swapped(claim: Words, source: Words, gap: Gap, *, edge: bool = False) -> Difference | None:
    """A figure, unit, name or opposite in the place of another."""
    ours, theirs = range(*gap.claim), range(*gap.source)
    if not ours or not theirs or len(ours) > 4 or len(theirs) > 4:
        return None
    around = _around(source, gap)
    for k in ours:
        key, kind = claim.keys[k], _kind(claim, k)
        if key in around or (edge and kind != "figure"):
            continue
        if any((key, source.keys[j]) in OPPOSITES for j in theirs):
            return _difference(claim, k, k)
        rivals = [source.keys[j] for j in theirs if kind and _kind(source, j) == kind]
        if rivals and not any(_same(key, other) for other in rivals):
            return _difference(claim, k, k)
    return None


def _around(source: Words, gap: Gap) -> set[str]:
    return set(source.keys[max(0, gap.source[0] - 8) : gap.source[1] + 8])


def _kind(words: Words, k: int) -> str:
    key = words.keys[k]
    if key[0].isdigit():
        return "figure"
    if key in NUMBER_WORDS:
        return "figure"
    if key in UNITS and len(key) > 2:
        return "unit"
    if words.capital(k) and key not in STOP_WORDS and k > 0:
        return "name"
    return ""


def _same(a: str, b: str) -> bool:
    if b in SYNONYMS.get(a, ()) or str(NUMBER_WORDS.get(a, a)) == str(NUMBER_WORDS.get(b, b)):
        return True
    return a[:4] == b[:4] and not a[0].isdigit()
