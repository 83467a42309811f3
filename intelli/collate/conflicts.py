"""Where sources disagree: found by near-duplicate sentences that differ, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from intelli.collate.claims import split_claims, without_marks
from intelli.collate.conflict_notes import parse_conflicts
from intelli.collate.lexicon import STOP_WORDS
from intelli.collate.rivals import Sentence, disagreement, names_in, same_passage
from intelli.collate.subjects import answers, apart, heads, is_row, same_thing, statement, subject
from intelli.collate.weighing import is_same, weighed
from intelli.collate.words import keys_of, words_of
from intelli.records import Conflict, ConflictKind, Position, Query, Source
from intelli.text.asking import Asked, asked
from intelli.text.folding import fold, fold_plain

__all__ = ["all_conflicts", "find_conflicts", "parse_conflicts"]

_MEASURED = re.compile(
    r"\W*(?:since |until |in |on |by |at )?(?:when|how|(?:what|which) (?:year|date|day|time))\b",
    re.I,
)
_LONGEST = 60
_SHORTEST = 5
_MAX_SENTENCES = 400
_COMMON = 40
_SHARED = 0.5
_REACH = 2


def find_conflicts(query: Query, sources: Sequence[Source]) -> tuple[Conflict, ...]:
    """Sentences of different sites that say the same of the query's subject but for a figure, a
    version, a date, a name or a `not`. Precision goes first: hedged figures, ranges, rounding,
    other units of the same amount and different versions or years named as such are no conflicts.

    Sources without an extract say nothing. Each has its preferred side, as `weighed` says.
    """
    sentences = [each for source in sources for each in _beside(list(_sentences(source)))]
    topic = frozenset(key for key in keys_of(fold_plain(query.text)) if key not in STOP_WORDS)
    groups: list[_Group] = []
    question, measured = asked(query.text), bool(_MEASURED.match(query.text))
    for a, b in _pairs(sentences, topic, question):
        kind = disagreement(a, b, topic, measured=measured) or _between_heads(a, b, topic, question)
        if kind is not None and same_thing(a, b, kind, question):
            _join(groups, kind, a, b)
    groups = _with_answers(groups, query, sentences)
    found = [_conflict(group, topic) for group in groups if len(group.sides) > 1]
    return tuple(weighed(conflict, sources) for conflict in found)


def all_conflicts(
    noted: Sequence[Conflict], query: Query, sources: Sequence[Source]
) -> tuple[Conflict, ...]:
    """What a model noted, and what the comparison of the sources finds besides."""
    found = find_conflicts(query, sources)
    new = [each for each in found if not any(is_same(each, other) for other in noted)]
    return (*(weighed(each, sources) for each in noted), *new)


@dataclass(slots=True)
class _Group:
    """Sentences that disagree on one thing, by what they say of it."""

    kind: ConflictKind
    sides: dict[frozenset[str], list[Sentence]]


def _join(groups: list[_Group], kind: ConflictKind, a: Sentence, b: Sentence) -> None:
    """Put a pair into the group that holds one of the two already, or into a new one."""
    for group in groups:
        members = [each for side in group.sides.values() for each in side]
        if group.kind == kind and any(each is a or each is b for each in members):
            break
    else:
        group = _Group(kind, {})
        groups.append(group)
    for sentence in (a, b):
        side = group.sides.setdefault(sentence.said(kind), [])
        if all(each is not sentence for each in side):
            side.append(sentence)


def _between_heads(
    a: Sentence, b: Sentence, topic: frozenset[str], question: Asked
) -> ConflictKind | None:
    """The kind of conflict of two sentences that go on differently after the point at issue."""
    pair = heads(a, b, question)
    kind = disagreement(*pair, topic) if pair else None
    return kind if kind == "figure" else None


def _with_answers(
    groups: list[_Group], query: Query, sentences: Sequence[Sentence]
) -> list[_Group]:
    """The groups, those over yes and no to the question itself as one and in front."""
    yes, no = answers(query, sentences)
    if not any(apart(a, b, asked(query.text)) for a in yes for b in no):
        return groups
    ours = {id(each) for each in (*yes, *no)}
    others = [
        group
        for group in groups
        if not any(id(each) in ours for side in group.sides.values() for each in side)
    ]
    sides = {frozenset({"yes"}): yes, frozenset({"no"}): no}
    return [_Group("statement", sides), *others]


def _sentences(source: Source) -> Iterator[Sentence]:
    if source.extract is None:
        return
    count, before = 0, names_in(words_of(fold(source.page.title if source.page else "")))
    for claim in split_claims(source.extract.text):
        words = words_of(fold(without_marks(claim.text[:2000])))
        stated = claim.kind != "code" and not is_row(claim.text)
        if stated and _SHORTEST <= len(words) <= _LONGEST:
            count += 1
            if count > _MAX_SENTENCES:
                return
            yield Sentence(source, " ".join(claim.text.split()), words, before)
        before = names_in(words)


def _beside(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentences of a source, each with the words of those around it and of all of them."""
    page = frozenset(key for each in sentences for key in each.words.keys)
    for k, each in enumerate(sentences):
        each.page = page
        around = [*sentences[max(0, k - _REACH) : k], *sentences[k + 1 : k + 1 + _REACH]]
        each.beside = tuple(frozenset(other.words.keys) for other in around)
    return sentences


def _pairs(
    sentences: Sequence[Sentence], topic: frozenset[str], question: Asked
) -> Iterator[tuple[Sentence, Sentence]]:
    """Pairs of sentences of different sites that share most of their content words."""
    by_word: dict[str, list[int]] = {}
    for k, sentence in enumerate(sentences):
        for key in sentence.content:
            by_word.setdefault(key, []).append(k)
    for k, sentence in enumerate(sentences):
        shared: dict[int, int] = {}
        for key in sentence.content:
            places = by_word[key]
            for other in places if len(places) <= _COMMON else places[:_COMMON]:
                if other > k:
                    shared[other] = shared.get(other, 0) + 1
        for other, count in shared.items():
            rival = sentences[other]
            smaller = min(len(sentence.content), len(rival.content))
            if count < 2 or count < _SHARED * smaller or not apart(sentence, rival, question):
                continue
            if topic and not _on_topic(topic, sentence, rival):
                continue
            yield sentence, rival


def _on_topic(topic: frozenset[str], a: Sentence, b: Sentence) -> bool:
    ours, theirs = a.content | a.context, b.content | b.context
    if same_passage(a, b):
        ours, theirs = ours.union(*a.beside), theirs.union(*b.beside)
    return bool(topic & ours & theirs)


def _conflict(group: _Group, topic: frozenset[str]) -> Conflict:
    sides = list(group.sides.values())
    return Conflict(
        topic=subject(sides[0][0], sides[1][0], topic),
        kind=group.kind,
        positions=tuple(
            Position(
                statement=statement(side[0]), sources=tuple(sorted({s.source.n for s in side}))
            )
            for side in sides
        ),
    )
