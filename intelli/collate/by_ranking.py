"""The embedded collator: the passages that answer best, word for word, each with its sources."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from intelli.collate.answering import answer_first, gaps, to_the_point
from intelli.collate.arrangement import Chosen, arranged
from intelli.collate.clusters import clusters
from intelli.collate.scoring import authority, coverage, scores, title, words_of
from intelli.collate.units import Unit, scraps, units
from intelli.errors import CollationFailed
from intelli.records import Query, Report, Source
from intelli.text.ranking import tokens

BUDGET = 4_500
"""Characters of a summary, about: the best unit is taken even if it alone is longer."""

_WORTH = 0.32
_WORTH_WHEN_ANSWERED = 0.5
_ANSWERED = 0.9
_RULE_LENGTH = 250
_NOVELTY = 0.3
_SAME_SOURCE = 0.97


class RankingCollator:
    """Needs no model, no key and no network; the same extracts give the same report."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget

    async def collate(self, query: Query, sources: Sequence[Source], answer: str) -> Report:
        """Quote what answers `query` best over all sources. `answer` is no source and not used.

        Raises CollationFailed when the extracts hold no text.
        """
        return await asyncio.to_thread(self._collate, query, sources)

    def _collate(self, query: Query, sources: Sequence[Source]) -> Report:
        by_number = {source.n: source for source in sources}
        pool = to_the_point([unit for source in sources for unit in units(source)], query)
        pool = pool or [unit for source in sources for unit in scraps(source)]
        if not pool:
            raise CollationFailed(
                "the extracts hold nothing to quote",
                code="empty-collation",
                hint="ask in other words, or with `--fresh` for other pages",
            )
        chosen = self._chosen(query, pool, by_number)
        return Report(
            summary=arranged(chosen, {source.n: title(source) for source in sources}),
            assessment=_assessment(sources, chosen),
            warnings=gaps(query, pool, by_number),
        )

    def _chosen(
        self, query: Query, pool: Sequence[Unit], sources: Mapping[int, Source]
    ) -> list[Chosen]:
        worth = scores(query, pool, sources)
        order = sorted(range(len(pool)), key=lambda n: (-worth[n], pool[n].source, n))
        candidates = []
        for first, twins in clusters([unit.text for unit in pool], order):
            same = [first, *twins]
            best = max(same, key=lambda n: (authority(sources[pool[n].source]), worth[n]))
            numbers = tuple(sorted({pool[n].source for n in same}))
            candidates.append(Chosen(unit=pool[best], score=worth[first], sources=numbers))
        covered = coverage(query, words_of([each.unit for each in candidates], sources))
        floor = _WORTH_WHEN_ANSWERED if max(covered) >= _ANSWERED else _WORTH
        return _select(answer_first(candidates, covered, sources), floor, self._budget)


def _select(candidates: Sequence[Chosen], floor: float, budget: int) -> list[Chosen]:
    """The first, then whatever adds most that is not yet said, as long as it is worth at least
    `floor` of the best; the rule that a page states right after a list goes with the list."""
    chosen: list[Chosen] = []
    said, shown = set[str](), set[str]()
    taken: Counter[int] = Counter()
    left = budget
    rest = {n: frozenset(tokens(each.unit.text)) for n, each in enumerate(candidates)}
    top = max((each.score for each in candidates), default=0.0)
    while rest:
        worth = {n: _worth(candidates[n], words, said, taken) for n, words in rest.items()}
        best = max(worth, key=lambda n: (worth[n], -n)) if chosen else 0
        if chosen and worth[best] <= top * floor:
            break
        for n in (best, *_rule_after(candidates, best, rest)):
            said |= rest.pop(n)
            if new := _unsaid(candidates[n], shown):
                chosen.append(new)
                shown.update(part.text for part in new.unit.parts)
                taken[new.unit.source] += 1
                left -= len(new.unit.text)
        rest = {n: words for n, words in rest.items() if len(candidates[n].unit.text) <= left}
    return chosen


def _rule_after(candidates: Sequence[Chosen], n: int, rest: Mapping[int, object]) -> list[int]:
    """The short paragraph right after a list under its heading, which says what holds for it."""
    unit = candidates[n].unit
    if unit.parts[-1].kind != "list":
        return []
    place = (unit.source, unit.order + 1, unit.heading)
    return [
        m
        for m in rest
        if (candidates[m].unit.source, candidates[m].unit.order, candidates[m].unit.heading)
        == place
        and candidates[m].unit.parts[0].kind == "prose"
        and len(candidates[m].unit.text) <= _RULE_LENGTH
    ]


def _unsaid(each: Chosen, shown: set[str]) -> Chosen | None:
    """Without the paragraphs and blocks that stand in the report already."""
    parts = tuple(part for part in each.unit.parts if part.text not in shown)
    return replace(each, unit=replace(each.unit, parts=parts)) if parts else None


def _worth(each: Chosen, words: frozenset[str], said: set[str], taken: Counter[int]) -> float:
    """Its relevance, less for what was said before and for yet another unit of one source."""
    repeated = len(words & said) / max(1, len(words))
    return each.score * (1 - _NOVELTY * repeated) * _SAME_SOURCE ** taken[each.unit.source]


def _assessment(sources: Sequence[Source], chosen: Sequence[Chosen]) -> str:
    """A bullet for each source that the report rests on: what it is, how current, and how much of
    the report comes from it; one for all others."""
    used = Counter(n for each in chosen for n in each.sources)
    lines = [_assessed(source, used[source.n]) for source in sources if used[source.n]]
    others = [f"[{source.n}]" for source in sources if not used[source.n]]
    return "\n".join([*lines, f"- read and not used: {' '.join(others)}"] if others else lines)


def _assessed(source: Source, used: int) -> str:
    assert source.extract is not None
    facts = [source.extract.source_type, source.extract.currency]
    passages = "passage" if used == 1 else "passages"
    kind = ", ".join(fact for fact in facts if fact)
    return f"- [{source.n}] {title(source)} — {kind}: {used} {passages} used"
