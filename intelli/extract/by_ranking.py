"""The embedded extractor: keeps the passages that rank best, word for word, with their headings."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from itertools import pairwise

from intelli.extract.boilerplate import without_furniture
from intelli.extract.currency import currency
from intelli.extract.mending import mended
from intelli.extract.selection import Relevance, Room, choose, lead, paths
from intelli.extract.source_type import source_type
from intelli.records import Extract, Page, Query
from intelli.text.passages import Passage, split

BUDGET = 5_000
"""Characters of an extract, headings included."""

GAP = "…"
"""The line that stands where something was left out."""

_TARGET = 600


class RankingExtractor:
    """Needs no model, no key and no network; the same page and question give the same extract."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget

    async def extract(self, page: Page, query: Query) -> Extract:
        """Quote what answers `query` in the order of the page, at most `budget` characters.

        A page within the budget is kept whole but for boilerplate. `text` is empty when the page
        holds no term of the question that carries meaning. Never raises on odd text.
        """
        return await asyncio.to_thread(self._extract, page, query)

    def _extract(self, page: Page, query: Query) -> Extract:
        passages = without_furniture(mended(page.text, split(page.text, _TARGET)))
        kept = [passages[n] for n in self._kept(page, query, passages)]
        return Extract(
            page=page,
            text=_quoted(kept, passages),
            source_type=source_type(page),
            currency=currency(page),
            spans=_spans(page.text, kept),
        )

    def _kept(self, page: Page, query: Query, passages: Sequence[Passage]) -> Sequence[int]:
        relevance = Relevance(query, page.title, passages)
        if relevance.asks_nothing:
            return lead(passages, self._budget)
        if not relevance.matches:
            return ()
        if Room(self._budget).take(passages):
            return range(len(passages))
        return choose(passages, relevance.scores(), self._budget)


def _quoted(kept: Sequence[Passage], passages: Sequence[Passage]) -> str:
    """The kept passages under their headings, with a mark where others were left out."""
    followers = {before.start: after for before, after in pairwise(passages)}
    parts: list[str] = []
    above: tuple[str, ...] = ()
    expected = passages[0] if passages else None
    for passage in kept:
        if passage is not expected:
            parts.append(GAP)
        new = [path for path in paths(passage) if path != above[: len(path)]]
        parts.extend("#" * min(len(path) + 1, 6) + f" {path[-1]}" for path in new)
        above = (paths(passage) or [()])[-1]
        parts.append(passage.text)
        expected = followers.get(passage.start)
    return "\n\n".join(parts)


def _spans(text: str, kept: Iterable[Passage]) -> tuple[tuple[int, int], ...]:
    """Where the kept passages stand, neighbours with nothing but space between them joined."""
    spans: list[tuple[int, int]] = []
    for passage in kept:
        if spans and not text[spans[-1][1] : passage.start].strip():
            spans[-1] = (spans[-1][0], passage.end)
        else:
            spans.append((passage.start, passage.end))
    return tuple(spans)
