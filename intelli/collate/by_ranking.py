"""The embedded collator: the passages that answer best, word for word, each with its sources."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from intelli.collate.arrangement import Chosen, arranged
from intelli.collate.clusters import clusters
from intelli.collate.conflicts import find_conflicts
from intelli.collate.scoring import authority, scores, title
from intelli.collate.sentences import leans_back
from intelli.collate.units import Part, Unit, scraps, units
from intelli.errors import CollationFailed
from intelli.records import Query, Report, Source
from intelli.text.content import content_tokens
from intelli.text.ranking import tokens

BUDGET = 4_500
"""Characters of a summary, about: the best unit is taken even if it alone is longer."""

_ASIDE = 100
_NEARLY = 0.65
_WORTH = 0.28
_WORTH_WHILE_THIN = 0.1
_THIN = 1_500
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
        chosen = self._chosen(query, sources)
        if not chosen:
            raise CollationFailed(
                "the extracts hold nothing to quote",
                code="empty-collation",
                hint="ask in other words, or with `--fresh` for other pages",
            )
        return Report(
            summary=arranged(chosen, {source.n: title(source) for source in sources}),
            conflicts=find_conflicts(query, sources),
            assessment=_assessment(sources, chosen),
        )

    def _chosen(self, query: Query, sources: Sequence[Source]) -> list[Chosen]:
        by_number = {source.n: source for source in sources}
        asked = frozenset(content_tokens(query.text) + content_tokens(query.focus))
        pool = [_to_the_point(unit, asked) for source in sources for unit in units(source)]
        pool = pool or [unit for source in sources for unit in scraps(source)]
        worth = scores(query, pool, by_number)
        order = sorted(range(len(pool)), key=lambda n: (-worth[n], pool[n].source, n))
        candidates = []
        for first, twins in clusters([unit.text for unit in pool], order):
            same = [first, *twins]
            best = max(same, key=lambda n: (authority(by_number[pool[n].source]), worth[n]))
            numbers = tuple(sorted({pool[n].source for n in same}))
            candidates.append(Chosen(unit=pool[best], score=worth[first], sources=numbers))
        return _select(_answer_first(candidates), self._budget)


def _to_the_point(unit: Unit, asked: frozenset[str]) -> Unit:
    """Without short paragraphs at either end that say nothing of the question ("We now turn to
    …"), as long as something else remains."""
    parts = list(unit.parts)
    for end in (0, -1):
        while len(parts) > 1 and _is_aside(parts[end], asked):
            parts.pop(end)
    return replace(unit, parts=tuple(parts))


def _is_aside(part: Part, asked: frozenset[str]) -> bool:
    return (
        part.kind == "prose"
        and len(part.text) < _ASIDE
        and not part.text.endswith((":", "："))
        and asked.isdisjoint(tokens(part.text))
    )


def _answer_first(candidates: Sequence[Chosen]) -> list[Chosen]:
    """A sentence that stands by itself opens the report, if one is nearly as relevant as the best:
    no bare block, and nothing that goes on from a text the reader has not seen."""
    for n, each in enumerate(candidates):
        if each.score < _NEARLY * candidates[0].score:
            break
        part = each.unit.parts[0]
        if part.kind == "prose" and not leans_back(part.text) and not part.text.endswith(":"):
            return [each, *candidates[:n], *candidates[n + 1 :]]
    return list(candidates)


def _select(candidates: Sequence[Chosen], budget: int) -> list[Chosen]:
    """The first, then whatever adds most that is not yet said, as long as it is worth reading."""
    chosen: list[Chosen] = []
    said, shown = set[str](), set[str]()
    taken: Counter[int] = Counter()
    left = budget
    rest = {n: frozenset(tokens(each.unit.text)) for n, each in enumerate(candidates)}
    top = max((each.score for each in candidates), default=0.0)
    while rest:
        worth = {n: _worth(candidates[n], words, said, taken) for n, words in rest.items()}
        best = max(worth, key=lambda n: (worth[n], -n)) if chosen else 0
        floor = _WORTH if budget - left >= _THIN else _WORTH_WHILE_THIN
        if chosen and worth[best] <= top * floor:
            break
        said |= rest.pop(best)
        if new := _unsaid(candidates[best], shown):
            chosen.append(new)
            shown.update(part.text for part in new.unit.parts)
            taken[new.unit.source] += 1
            left -= len(new.unit.text)
        rest = {n: words for n, words in rest.items() if len(candidates[n].unit.text) <= left}
    return chosen


def _unsaid(each: Chosen, shown: set[str]) -> Chosen | None:
    """Without the paragraphs and blocks that stand in the report already."""
    parts = tuple(part for part in each.unit.parts if part.text not in shown)
    return replace(each, unit=replace(each.unit, parts=parts)) if parts else None


def _worth(each: Chosen, words: frozenset[str], said: set[str], taken: Counter[int]) -> float:
    """Its relevance, less for what was said before and for yet another unit of one source."""
    repeated = len(words & said) / max(1, len(words))
    return each.score * (1 - _NOVELTY * repeated) * _SAME_SOURCE ** taken[each.unit.source]


def _assessment(sources: Sequence[Source], chosen: Sequence[Chosen]) -> str:
    """One bullet per source: what it is, how current, and how much of the report rests on it."""
    used = Counter(n for each in chosen for n in each.sources)
    return "\n".join(_assessed(source, used[source.n]) for source in sources)


def _assessed(source: Source, used: int) -> str:
    assert source.extract is not None
    facts = [source.extract.source_type, source.extract.currency]
    passages = "passage" if used == 1 else "passages"
    kind = ", ".join(fact for fact in facts if fact)
    return f"- [{source.n}] {title(source)} — {kind}: {used or 'no'} {passages} used"
