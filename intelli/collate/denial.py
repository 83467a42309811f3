"""A short claim whose words a source has in sentences that all say the opposite of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intelli.collate.lexicon import NEGATIONS, STOP_WORDS
from intelli.collate.wording import FULL_STOP, Difference, negative, sentence_ends
from intelli.collate.words import Words

_FEWEST, _MOST = 2, 8
_TRIED = 20
_REACH = 40
_BEFORE = 3


def denied(claim: Words, sources: Sequence[Words]) -> list[Difference]:
    """The first telling word of a claim, where each sentence of the sources that has all of its
    telling words denies what the claim says, or the other way round."""
    keys = [key for key in claim.keys if key not in STOP_WORDS and key not in NEGATIONS]
    if not _FEWEST <= len(set(keys)) <= _MOST:
        return []
    denies = len(negative(claim, 0, len(claim))) % 2
    found = [said for source in sources for said in _denials(frozenset(keys), source)]
    if not found or denies in found:
        return []
    first = claim.keys.index(keys[0])
    start, end = claim.span(first, first)
    return [Difference(written=claim.folded.text[start:end], start=start, end=end)]


def _denials(telling: frozenset[str], source: Words) -> Iterator[int]:
    """For each sentence with all the words whether it denies, 1, or not, 0."""
    if any(key not in source.places for key in telling):
        return
    rarest = min((source.places[key] for key in telling), key=len)
    for place in rarest[:_TRIED]:
        first, last = _sentence(source, place)
        at = [k for k in range(first, last) if source.keys[k] in telling]
        if telling <= {source.keys[k] for k in at}:
            negations = negative(source, max(first, at[0] - _BEFORE), at[-1] + 1)
            yield sum(source.keys[k + 1 : k + 2] != ["until"] for k in negations) % 2


def _sentence(words: Words, place: int) -> tuple[int, int]:
    first, last = place, place + 1
    while (
        first
        and place - first < _REACH
        and not sentence_ends(words, first - 1, first + 1, FULL_STOP)
    ):
        first -= 1
    while last < len(words) and last - place < _REACH:
        if sentence_ends(words, last - 1, last + 1, FULL_STOP):
            break
        last += 1
    return first, last
