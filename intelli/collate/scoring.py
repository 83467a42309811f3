"""How good a unit is for the report: relevance, shape and the authority of its source."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from intelli.collate.units import Unit
from intelli.records import Query, Source, SourceType
from intelli.text.asking import asked
from intelli.text.ranking import tokens
from intelli.text.relevance import relevance

AUTHORITY: Mapping[SourceType, float] = {
    "official-docs": 1.0,
    "reference": 0.96,
    "paper": 0.95,
    "tutorial": 0.92,
    "code": 0.88,
    "blog": 0.84,
    "other": 0.84,
    "forum": 0.78,
}
"""What relevance is multiplied with: of passages that answer about as well, authority decides."""

_NEIGHBOUR_WEIGHT = 0.15
_OPENING_BONUS = 1.2
_FULL_LENGTH = 160
_LONG = 900
_COVERS_NOTHING = 0.15
_EXACT = 3.0
_HEADED = 0.9
_BARE_CODE = 0.85
_ELSEWHERE = 0.4
_LISTED_ELSEWHERE = re.compile(
    r"(?:references|bibliography|see also|external links|further reading|footnotes|works cited"
    r"|acknowledge?ments?|licen[cs]e|authors|contributors|related (?:links|pages|topics))",
    re.IGNORECASE,
)


def authority(source: Source) -> float:
    """The weight of the kind of source, 1 for official documentation."""
    assert source.extract is not None
    return AUTHORITY[source.extract.source_type]


def title(source: Source) -> str:
    """What to call a source: the title of its page or link, else its address."""
    assert source.page is not None
    return source.page.title or source.link.title or source.page.final_url


def scores(query: Query, pool: Sequence[Unit], sources: Mapping[int, Source]) -> list[float]:
    """Relevance to the question, what stands beside it on the page included, times authority; the
    order on the page where no unit has a word of the question. `sources` are by number."""
    documents = words_of(pool, sources)
    raw = relevance(query, documents)
    if not any(raw):
        raw = [1.0 / (1 + unit.order) for unit in pool]
    covered = coverage(query, documents)
    best = max(covered, default=1.0)
    found = []
    for n, unit in enumerate(pool):
        beside = [
            raw[m] for m in (n - 1, n + 1) if 0 <= m < len(pool) and pool[m].source == unit.source
        ]
        score = raw[n] + _NEIGHBOUR_WEIGHT * sum(beside)
        score *= _COVERS_NOTHING + (1 - _COVERS_NOTHING) * covered[n] / best
        score *= 1.0 + _HEADED * _headed(query, unit, sources)
        score *= _shape(unit) * authority(sources[unit.source])
        found.append(score)
    return found


def _headed(query: Query, unit: Unit, sources: Mapping[int, Source]) -> float:
    """The share of the question in the title of the page and the headings, from a half on."""
    above = frozenset(tokens("\n".join((title(sources[unit.source]), *unit.heading))))
    strong = asked(query.text).strong
    share = len(strong & above) / max(1, len(strong))
    return share if share >= 0.5 else 0.0


def words_of(pool: Sequence[Unit], sources: Mapping[int, Source]) -> list[list[str]]:
    """The terms of every unit, of its headings and of the title of its source."""
    return [
        tokens("\n".join((title(sources[unit.source]), *unit.heading, unit.text))) for unit in pool
    ]


def coverage(query: Query, documents: Sequence[Sequence[str]]) -> list[float]:
    """How much of the question, or of its focus, a document speaks of, 0 to 1; what none of them
    speaks of is left out of account.

    Rare terms weigh more than those that most documents hold, figures and identifiers most of all,
    and words that stand in every manual (set, default) little.
    """
    held = [frozenset(words) for words in documents]
    shares = [0.0] * len(held)
    for text in (query.text, query.focus):
        weights = _weights(text, held)
        total = sum(weights.values()) or 1.0
        for n, words in enumerate(held):
            share = sum(weight for term, weight in weights.items() if term in words) / total
            shares[n] = max(shares[n], share)
    return shares if any(shares) else [1.0] * len(held)


def _weights(text: str, held: Sequence[frozenset[str]]) -> dict[str, float]:
    question = asked(text)
    weights = {}
    for term in question.strong | question.weak:
        holding = sum(term in words for words in held)
        if holding:
            rarity = 1.0 + math.log((1 + len(held)) / (1 + holding))
            exact = _EXACT if term in question.exact else 1.0
            weights[term] = question.weight(term) * rarity * exact
    return weights


def _shape(unit: Unit) -> float:
    """Scraps say little, long blocks cost much room, bare code explains nothing, and a page says
    first what it is about."""
    size = len(unit.text)
    shape = min(1.0, 0.5 + 0.5 * size / _FULL_LENGTH) * math.sqrt(min(1.0, _LONG / size))
    if unit.parts[0].kind == "code":
        shape *= _BARE_CODE
    if unit.heading and _LISTED_ELSEWHERE.fullmatch(unit.heading[-1]):
        shape *= _ELSEWHERE
    return shape * (_OPENING_BONUS if unit.order == 0 else 1.0)
