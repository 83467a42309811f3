"""Finds earlier sessions whose questions are close to this one, by the words they share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from intelli.records import Query, Related
from intelli.store.questions import Questions
from intelli.store.summary import Summary
from intelli.text.content import content_tokens

ENOUGH = 0.3
"""Closeness (0 to 1) from which a session is worth showing."""
PERHAPS = 0.1
"""Closeness from which it is worth the look of a judge."""

_PAIR = 2
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class _Candidate:
    session: str
    query: str
    timestamp: str
    terms: frozenset[str]


def related(
    query: Query, earlier: Questions, limit: int = 5, *, enough: float = ENOUGH
) -> tuple[Related, ...]:
    """At most `limit` earlier sessions, closest first, the newer of two equally close.

    Of sessions that asked the same, the newest counts. Rare words weigh more than common ones, and
    one shared word is enough only where it makes up the question. `why` names the shared words.
    """
    asked = frozenset(content_tokens(f"{query.text}\n{query.focus}"))
    candidates = _candidates(earlier.sessions)
    weight = _weights([asked, *(each.terms for each in candidates)], earlier)
    ranked = sorted(
        ((_closeness(asked, each.terms, weight), each) for each in candidates),
        key=lambda pair: (pair[0], pair[1].timestamp),
        reverse=True,
    )
    return tuple(
        Related(
            session=each.session,
            query=each.query,
            timestamp=each.timestamp,
            why=_why(asked & each.terms, each.query, weight),
        )
        for closeness, each in ranked[: max(0, limit)]
        if closeness >= enough
    )


def _candidates(sessions: Iterable[Summary]) -> list[_Candidate]:
    newest: dict[str, Summary] = {}
    for session in sorted(sessions, key=lambda each: each.timestamp):
        newest[" ".join(session.query.casefold().split())] = session
    return [
        _Candidate(each.name, each.query, each.timestamp, frozenset(content_tokens(each.query)))
        for each in newest.values()
    ]


def _weights(questions: Sequence[frozenset[str]], earlier: Questions) -> Mapping[str, float]:
    """Inverse document frequency over all questions, the current one included."""
    counts = Counter(term for terms in questions for term in terms)
    total = max(len(questions), earlier.total)
    return {
        term: math.log(1 + total / max(count, earlier.frequency.get(term, 0)))
        for term, count in counts.items()
    }


def _closeness(asked: frozenset[str], terms: frozenset[str], weight: Mapping[str, float]) -> float:
    """Between 0 and 1: the weight of what is shared, beside the mean weight of both questions."""
    shared = asked & terms
    if not shared or (len(shared) < _PAIR and len(shared) < min(len(asked), len(terms))):
        return 0.0
    return _sum(shared, weight) / math.sqrt(_sum(asked, weight) * _sum(terms, weight))


def _sum(terms: Iterable[str], weight: Mapping[str, float]) -> float:
    return sum(weight[term] for term in terms)


def _why(shared: frozenset[str], question: str, weight: Mapping[str, float]) -> str:
    """The shared words as the earlier question spells them, the weightiest first."""
    spelled: dict[str, str] = {}
    for word in question.split():
        bare = word.strip(".,;:!?\"'()[]{}«»„“”‘’¿¡？。，、")
        for term in content_tokens(bare):
            if term in shared:
                spelled.setdefault(term, bare)
    best = sorted(shared, key=lambda term: (-weight[term], term))
    words = list(dict.fromkeys(spelled.get(term, term) for term in best))
    more = ", …" if len(words) > _SHOWN else ""
    return f"shares {', '.join(words[:_SHOWN])}{more}"
