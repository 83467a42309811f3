"""Parts of a sentence that bear marks of their own, each against the sources it cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from intelli.collate.alignment import align
from intelli.collate.sources import SourceText
from intelli.collate.wording import Difference, differences
from intelli.collate.words import Words

Part = tuple[int, tuple[int, ...]]
_FEWEST = 4
_JOINTS = frozenset("and but or while whereas".split())


def cites_another(
    parts: Sequence[Part], place: int, n: int, texts: Mapping[int, SourceText]
) -> bool:
    """Whether the part of the sentence around `place` bears marks, and not that of source n."""
    if len(parts) < 2:
        return False
    marks = next((marks for end, marks in parts if place < end), ())
    return n not in marks and any(m in texts for m in marks)


def part_differences(
    claim: Words, parts: Sequence[Part], texts: Mapping[int, SourceText]
) -> list[Difference]:
    """What parts say otherwise than the sentence they are taken from, in a source they cite."""
    found: list[Difference] = []
    low = 0
    for end, marks in parts if len(parts) > 1 else ():
        high = low
        while high < len(claim) and claim.folded.origin(*claim.span(high, high))[1] <= end:
            high += 1
        while low < high and claim.keys[low] in _JOINTS:
            low += 1
        if high - low >= _FEWEST:
            found += _of_part(_cut(claim, low, high), [texts[n] for n in marks if n in texts])
        low = high
    return found


def _cut(words: Words, low: int, high: int) -> Words:
    return Words(
        folded=words.folded, keys=words.keys[low:high],
        starts=words.starts[low:high], ends=words.ends[low:high],
    )  # fmt: skip


def _of_part(part: Words, sources: Sequence[SourceText]) -> list[Difference]:
    """The differences from the source that has most of the part's wording."""
    aligned = [(found, source) for source in sources if (found := align(part, source.words))]
    close = [(found, source) for found, source in aligned if found.near_verbatim]
    if not close:
        return []
    alignment, source = max(close, key=lambda each: each[0].share)
    return differences(part, source.words, alignment)
