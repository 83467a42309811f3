"""Chooses between two readings of one page by what each has, lacks and got wrong.

Length is no merit of its own: a candidate gains by having what the other one has, and loses by
what it lacks and by the leftovers of the tools that made it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from intelli.fetch.measures import Measures, measure, missing_code, recall
from intelli.records import Candidate, Verdict, record

WEIGHTS: Mapping[str, float] = {
    "completeness": 1.0,
    "missing-code": -1.2,
    "missing-tables": -0.3,
    "missing-headings": -0.1,
    "directives": -0.12,
    "markup": -0.04,
    "repeats": -1.0,
    "chrome": -0.03,
    "links": -0.3,
    "noise": -0.6,
    "leftovers": -0.04,
    "unlike": -1.5,
    "own": 0.06,
    "verdict": -2.0,
    "empty": -3.0,
}
"""What one unit of each measure is worth; fitted on labelled pairs (`bench/pairs.py`)."""

LIMITS: Mapping[str, float] = {"directives": 6, "markup": 12, "chrome": 10, "leftovers": 8}
"""Counts beyond these say nothing more."""

MIN_OVERLAP = 0.25
"""Share of their word sequences that two readings have in common, or they are of two pages."""


@record
class Reading:
    """A candidate before it is scored. `noise` is the share that was there for machines,
    `leftovers` the number of components and directives that were spelt out, `verdict` that of
    the body it was read from."""

    via: str
    text: str
    title: str = ""
    noise: float = 0.0
    leftovers: int = 0
    verdict: Verdict = "ok"


def candidate(reading: Reading) -> Candidate:
    """The only reading of a page, with what is known of it alone."""
    return _scored(reading, _own(reading, measure(reading.text)))


def looks_unfinished(reading: Reading) -> bool:
    """Whether Markdown that a server offered may be less than its page: hardly any text, much
    that only a site generator understands, or leftovers of one."""
    alone = candidate(reading)
    return len(reading.text) < 150 or reading.noise > 0.3 or alone.score < 0.6


def compare(page: Reading, twin: Reading) -> tuple[Candidate, Candidate]:
    """Both readings scored against each other; the higher score is the one to keep."""
    of_page, of_twin = measure(page.text), measure(twin.text)
    page_facts = _own(page, of_page)
    twin_facts = _own(twin, of_twin) | {"own": 1.0}
    if page.verdict == "ok":
        page_facts |= _against(of_page, of_twin)
        twin_facts |= _against(of_twin, of_page)
        twin_facts["unlike"] = float(_overlap(of_twin, of_page) < MIN_OVERLAP)
    return _scored(page, page_facts), _scored(twin, twin_facts)


def _own(reading: Reading, measures: Measures) -> dict[str, float]:
    return {
        "completeness": 1.0,
        "directives": measures.directives,
        "markup": measures.tags,
        "chrome": measures.chrome,
        "noise": reading.noise,
        "leftovers": reading.leftovers,
        "verdict": float(reading.verdict != "ok"),
        "empty": float(not measures.words),
    }


def _against(mine: Measures, other: Measures) -> dict[str, float]:
    return {
        "completeness": recall(mine.words, other.words),
        "missing-code": missing_code(mine, other),
        "missing-tables": _lost(mine.tables, other.tables),
        "missing-headings": _lost(mine.headings, other.headings),
        "links": max(0.0, mine.link_share - other.link_share - 0.1),
        "repeats": max(0.0, mine.repeated_share - other.repeated_share),
    }


def _lost(mine: int, others: int) -> float:
    return max(0, others - mine) / max(1, others)


def _overlap(twin: Measures, page: Measures) -> float:
    """Shared word sequences, as a share of the shorter text: a part of a page is like it."""
    shorter = min(len(twin.shingles), len(page.shingles))
    return len(twin.shingles & page.shingles) / max(1, shorter)


def _scored(reading: Reading, facts: Mapping[str, float]) -> Candidate:
    reasons = {
        name: round(WEIGHTS[name] * min(value, LIMITS.get(name, value)), 4)
        for name, value in facts.items()
        if value
    }
    unscored = Candidate(via=reading.via, text=reading.text, title=reading.title)
    return replace(unscored, score=round(sum(reasons.values()), 4), reasons=reasons)
