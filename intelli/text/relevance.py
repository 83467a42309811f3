"""How well texts answer a question: BM25 over its words, and over those of its focus for more."""

from __future__ import annotations

from collections.abc import Sequence

from intelli.records import Query
from intelli.text.content import content_tokens
from intelli.text.ranking import BM25

_FOCUS_WEIGHT = 1.5


def relevance(query: Query, documents: Sequence[Sequence[str]]) -> list[float]:
    """One score per document (lists of terms as `ranking.tokens` gives them), 0.0 for none in
    common. Divided by the number of terms, so that a long question does not drown its focus."""
    total = [0.0] * len(documents)
    bm25 = BM25(documents)
    for text, weight in ((query.text, 1.0), (query.focus, _FOCUS_WEIGHT)):
        terms = content_tokens(text)
        for n, score in enumerate(bm25.scores(terms)):
            total[n] += weight * score / max(1, len(terms))
    return total
