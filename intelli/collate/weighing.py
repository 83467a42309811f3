"""Which side of a conflict to prefer, and whether two conflicts are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intelli.collate.lexicon import STOP_WORDS
from intelli.collate.words import keys_of
from intelli.records import SOURCE_TYPES, Conflict, Source
from intelli.text.folding import fold_plain

_ALIKE = 0.5


def weighed(conflict: Conflict, sources: Sequence[Source]) -> Conflict:
    """The conflict with the side to prefer and why: the one whose best source has the type of the
    highest authority, of several such the one with the newest page, where all are dated."""
    by_number = {source.n: source for source in sources}
    sides = [[by_number[n] for n in side.sources if n in by_number] for side in conflict.positions]
    if len(sides) < 2 or not all(sides):
        return conflict
    ranks = [min(map(_rank, side)) for side in sides]
    best = [k for k, rank in enumerate(ranks) if rank == min(ranks)]
    if len(best) == 1:
        return replace(conflict, preferred=best[0], reason="higher authority")
    days = {k: max(map(_day, sides[k])) for k in best}
    newest = [k for k in best if days[k] == max(days.values())]
    if len(newest) > 1 or not all(days.values()):
        return conflict
    return replace(conflict, preferred=newest[0], reason="newer")


def is_same(one: Conflict, other: Conflict) -> bool:
    """Whether two notes of a conflict, between the same sources, are mostly of the same words."""
    shared = _sources(one) & _sources(other)
    ours, theirs = _words(one), _words(other)
    fewest = min(len(ours), len(theirs))
    return len(shared) > 1 and len(ours & theirs) >= _ALIKE * fewest


def _rank(source: Source) -> int:
    return SOURCE_TYPES.index(source.extract.source_type) if source.extract else len(SOURCE_TYPES)


def _day(source: Source) -> str:
    page = source.page
    return ((page.modified or page.published or "") if page else "")[:10]


def _sources(conflict: Conflict) -> set[int]:
    return {n for side in conflict.positions for n in side.sources}


def _words(conflict: Conflict) -> set[str]:
    text = " ".join([conflict.topic, *(side.statement for side in conflict.positions)])
    return set(keys_of(fold_plain(text))) - STOP_WORDS
