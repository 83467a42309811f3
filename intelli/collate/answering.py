"""What of the pool answers the question: units cut to the point, the one to open with, gaps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from intelli.collate.arrangement import Chosen
from intelli.collate.scoring import authority, words_of
from intelli.collate.sentences import leans_back
from intelli.collate.units import Part, Unit
from intelli.records import Query, Source
from intelli.text.asking import Asked, asked
from intelli.text.ranking import tokens

_ASIDE = 100
_BESIDE = 0.35
_OFFICIAL = 0.95
_AS_RELEVANT = 0.5
_AS_MUCH = 0.8
_SAYS = 1.1
_BARE_LIST = 0.7
_ITEMS = ("list", "table")
_LONG_LIST = 8
_MISSING_SHARE = 0.4
_FEW_WORDS = 3
_ORDERED = re.compile(r"[ \t]*\d{1,3}[.)][ \t]")
_EXCEPTION = re.compile(r"(?:If|When|In case|Should|Note|Unless|Otherwise)\b")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ANSWERS = re.compile(r"\d|`")


def to_the_point(pool: Sequence[Unit], query: Query) -> list[Unit]:
    """The units without what leads off the question: short paragraphs at either end that say
    nothing of it, and what is worded like the part about the figure asked for but names others."""
    about = frozenset[str]()
    exact, telling = frozenset[str](), frozenset[str]()
    for one in (asked(text) for text in (query.text, query.focus) if text):
        about |= one.strong | one.weak
        exact |= one.exact
        telling |= one.strong
    trimmed = [_short_of_items(_without_asides(unit, about), telling) for unit in pool]
    return _without_siblings(trimmed, exact) if exact else trimmed


def _without_asides(unit: Unit, about: frozenset[str]) -> Unit:
    parts = list(unit.parts)
    for end in (0, -1):
        while len(parts) > 1 and _is_aside(parts[end], about):
            parts.pop(end)
    return replace(unit, parts=tuple(parts))


def _is_aside(part: Part, about: frozenset[str]) -> bool:
    return (
        part.kind == "prose"
        and len(part.text) < _ASIDE
        and not part.text.endswith((":", "："))
        and about.isdisjoint(tokens(part.text))
    )


def _short_of_items(unit: Unit, telling: frozenset[str]) -> Unit:
    """Of a long list or table the few items that speak of the question, where its headings do not
    speak of it for all of them."""
    wanted = telling - frozenset(tokens("\n".join(unit.heading)))
    parts = [_few_items(part, wanted) if part.kind in _ITEMS else part for part in unit.parts]
    return replace(unit, parts=tuple(parts))


def _few_items(part: Part, wanted: frozenset[str]) -> Part:
    lines = part.text.split("\n")
    head, items = (lines[:2], lines[2:]) if part.kind == "table" else ([], lines)
    flat = not any(line.startswith((" ", "\t", "`")) or _ORDERED.match(line) for line in items)
    speaking = [line for line in items if not wanted.isdisjoint(tokens(line))]
    if not flat or len(items) < _LONG_LIST or not 0 < len(speaking) <= len(items) / 3:
        return part
    return replace(part, text="\n".join([*head, *speaking]))


def _without_siblings(pool: Sequence[Unit], exact: frozenset[str]) -> list[Unit]:
    """Of paragraphs, items and rows alike but for their figures, those with the one asked for."""
    lines = {line for unit in pool for part in unit.parts for line in part.text.split("\n")}
    wanted = {_NUMBER.sub("#", line) for line in lines if _holds(line, exact)}
    found = []
    for unit in pool:
        parts = [kept for part in unit.parts if (kept := _only(part, wanted, exact)) is not None]
        if parts:
            found.append(replace(unit, parts=tuple(parts)))
    return found


def _only(part: Part, wanted: set[str], exact: frozenset[str]) -> Part | None:
    if part.kind == "code":
        return part
    lines = part.text.split("\n")
    kept = [
        line
        for line in lines
        if _NUMBER.sub("#", line) not in wanted or _holds(line, exact) or not _NUMBER.search(line)
    ]
    if not any(re.search(r"\w", line) for line in kept):
        return None
    return part if len(kept) == len(lines) else replace(part, text="\n".join(kept))


def _holds(line: str, exact: frozenset[str]) -> bool:
    return bool(_NUMBER.search(line)) and not exact.isdisjoint(tokens(line))


def answer_first(
    candidates: Sequence[Chosen], covered: Sequence[float], sources: Mapping[int, Source]
) -> list[Chosen]:
    """The candidates (best first) with the one to open the report in front.

    It stands by itself, holds as much of the question as the best, and is from official pages if
    these say it at all; steps go before the note on what to do when one fails. `covered` is the
    share of the question that each candidate holds.
    """
    if not candidates:
        return []
    first = _opening(candidates, covered, sources)
    first = _steps_before(candidates, first)
    return [candidates[first], *candidates[:first], *candidates[first + 1 :]]


def _opening(
    candidates: Sequence[Chosen], covered: Sequence[float], sources: Mapping[int, Source]
) -> int:
    top = candidates[0].score
    near = [
        n
        for n, each in enumerate(candidates)
        if each.score >= _AS_RELEVANT * top and _stands_alone(each.unit.parts[0])
    ]
    most = max((covered[n] for n in near), default=0.0)

    def rank(n: int) -> tuple[bool, float]:
        each = candidates[n]
        answers = covered[n] >= _AS_MUCH * most
        official = max(authority(sources[s]) for s in each.sources) >= _OFFICIAL
        weight = each.score * covered[n] * (_SAYS if _ANSWERS.search(each.unit.text) else 1.0)
        if each.unit.parts[0].kind == "list" and not _ORDERED.match(each.unit.text):
            weight *= _BARE_LIST
        return official and answers, weight

    return max(near, key=rank, default=0)


def _stands_alone(part: Part) -> bool:
    """No bare block, and nothing that goes on from a text the reader has not seen."""
    return part.kind in ("prose", "list") and not leans_back(part.text)


def _steps_before(candidates: Sequence[Chosen], first: int) -> int:
    chosen = candidates[first]
    if not _EXCEPTION.match(chosen.unit.parts[0].text):
        return first
    for n, each in enumerate(candidates):
        same = (each.unit.source, each.unit.heading) == (chosen.unit.source, chosen.unit.heading)
        steps = any(p.kind == "list" and _ORDERED.match(p.text) for p in each.unit.parts)
        near = each.score >= _BESIDE * chosen.score and each.unit.order < chosen.unit.order
        if same and steps and near:
            return n
    return first


def gaps(query: Query, pool: Sequence[Unit], sources: Mapping[int, Source]) -> tuple[str, ...]:
    """A warning that names the words of the question that no passage holds, if they are many."""
    present = frozenset(term for words in words_of(pool, sources) for term in words)
    missing = _missing(asked(query.text), present)
    return (f"no passage speaks of: {', '.join(missing)}",) if missing else ()


def _missing(question: Asked, present: frozenset[str]) -> tuple[str, ...]:
    missing = question.missing(present)
    few = len(question.strong) <= _FEW_WORDS
    enough = few or len(missing) >= _MISSING_SHARE * len(question.strong)
    return missing if question.english and enough else ()
