"""How good a unit is for the report: relevance, shape and the authority of its source."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from intelli.collate.units import Unit
from intelli.records import Query, Source, SourceType
from intelli.text.content import content_tokens
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
    documents = [
        tokens("\n".join((title(sources[unit.source]), *unit.heading, unit.text))) for unit in pool
    ]
    raw = relevance(query, documents)
    if not any(raw):
        raw = [1.0 / (1 + unit.order) for unit in pool]
    covered = _coverage(query, documents)
    found = []
    for n, unit in enumerate(pool):
        beside = [
            raw[m] for m in (n - 1, n + 1) if 0 <= m < len(pool) and pool[m].source == unit.source
        ]
        score = raw[n] + _NEIGHBOUR_WEIGHT * sum(beside)
        score *= covered[n] * _shape(unit) * authority(sources[unit.source])
        found.append(score)
    return found


def _coverage(query: Query, documents: Sequence[Sequence[str]]) -> list[float]:
    """How much of the question, or of its focus, a document speaks of, beside the best: 0 to 1.
    A passage with one of the words ten times answers less than one with all of them."""
    wanted = [frozenset(content_tokens(text)) for text in (query.text, query.focus) if text]
    shares = [
        max((len(terms.intersection(words)) / len(terms) for terms in wanted if terms), default=1.0)
        for words in documents
    ]
    best = max(shares, default=0.0) or 1.0
    return [_COVERS_NOTHING + (1 - _COVERS_NOTHING) * share / best for share in shares]


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
