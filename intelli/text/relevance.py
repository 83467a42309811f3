"""How well texts answer a question: BM25 over its words, and over those of its focus for more."""

from __future__ import annotations

from collections.abc import Sequence

from intelli.records import Query, record
from intelli.text.content import content_tokens
from intelli.text.ranking import BM25

_FOCUS_WEIGHT = 1.5


@record
class Graded:
    """`scores` are one per document, 0.0 for none in common; `ceiling` is what one that says every
    word of the question again and again would have."""

    scores: list[float]
    ceiling: float


def relevance(query: Query, documents: Sequence[Sequence[str]]) -> list[float]:
    """One score per document (lists of terms as `ranking.tokens` gives them)."""
    return graded(query, documents).scores


def graded(query: Query, documents: Sequence[Sequence[str]]) -> Graded:
    """The scores and what they could have been. Divided by the number of terms, so that a long
    question does not drown its focus."""
    total, ceiling = [0.0] * len(documents), 0.0
    bm25 = BM25(documents)
    for text, weight in ((query.text, 1.0), (query.focus, _FOCUS_WEIGHT)):
        terms = content_tokens(text)
        share = weight / max(1, len(terms))
        for n, score in enumerate(bm25.scores(terms)):
            total[n] += share * score
        ceiling += share * bm25.ceiling(terms)
    return Graded(scores=total, ceiling=ceiling)
