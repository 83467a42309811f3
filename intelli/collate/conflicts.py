"""Where sources disagree: found by near-duplicate sentences that differ, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from intelli.collate.alignment import Alignment, Gap, align
from intelli.collate.claims import split_claims, without_marks
from intelli.collate.conflict_notes import parse_conflicts
from intelli.collate.figures import Figure, dates, figures
from intelli.collate.lexicon import HEDGES, NEGATIONS, STOP_WORDS
from intelli.collate.words import Words, keys_of, words_of
from intelli.collate.wording import differences
from intelli.records import SOURCE_TYPES, Conflict, ConflictKind, Position, Query, Source
from intelli.text.folding import fold, fold_plain

__all__ = ["find_conflicts", "parse_conflicts"]

_LONGEST = 60
_SHORTEST = 5
_MAX_SENTENCES = 400
_COMMON = 40
_RANGE = re.compile(r"\s?(?:-|to|or|and)\s?(?=[\d$€£])")
_RANGE_BEFORE = re.compile(r"\d\S{0,4}\s?(?:-|to|or|and)\s?[$€£]?$")
_QUALIFIER = re.compile(
    r"(?:\b(?:in|as of|since|by|until|during|version|v|release|for|from|on|through)\s)$"
)


@dataclass(slots=True)
class _Sentence:
    source: Source
    text: str
    words: Words
    context: frozenset[str] = frozenset()
    content: frozenset[str] = field(init=False)
    figures: list[Figure] = field(init=False)

    def __post_init__(self) -> None:
        self.content = frozenset(
            key for key in self.words.keys if key not in STOP_WORDS and not key[0].isdigit()
        )
        self.figures = figures(self.words.folded.lower)

    def figure_at(self, first: int, last: int) -> list[Figure]:
        """Figures that begin in the words `first` to `last` (excluded)."""
        if first >= last:
            return []
        low, high = self.words.span(first, last - 1)
        return [each for each in self.figures if low <= each.start < high]


def find_conflicts(query: Query, sources: Sequence[Source]) -> tuple[Conflict, ...]:
    """Sentences of different hosts that say the same of the query's subject but for a figure, a
    version, a date or a `not`. Precision goes first: hedged figures, ranges, rounding, other
    units of the same amount and different versions or years named as such are no conflicts."""
    sentences = [each for source in sources for each in _sentences(source)][: _MAX_SENTENCES * 4]
    topic = frozenset(key for key in keys_of(fold_plain(query.text)) if key not in STOP_WORDS)
    found: list[Conflict] = []
    seen: set[frozenset[str]] = set()
    for a, b in _pairs(sentences, topic):
        kind = _disagreement(a, b)
        if kind is None or frozenset((a.text, b.text)) in seen:
            continue
        seen.add(frozenset((a.text, b.text)))
        found.append(_conflict(kind, a, b, topic))
    return _merged(found, {source.n: source for source in sources})


def _sentences(source: Source) -> Iterator[_Sentence]:
    if source.extract is None:
        return
    count, before = 0, _names(words_of(fold(source.page.title if source.page else "")))
    for statement in split_claims(source.extract.text):
        words = words_of(fold(without_marks(statement.text[:2000])))
        if statement.kind != "code" and _SHORTEST <= len(words) <= _LONGEST:
            count += 1
            if count > _MAX_SENTENCES:
                return
            yield _Sentence(source, " ".join(statement.text.split()), words, before)
        before = _names(words)


def _names(words: Words) -> frozenset[str]:
    return frozenset(words.keys[k] for k in range(len(words)) if _is_name(words, k))


def _host(source: Source) -> str:
    url = source.page.final_url if source.page else source.link.url
    return (urlsplit(url).hostname or url).removeprefix("www.")


def _pairs(
    sentences: Sequence[_Sentence], topic: frozenset[str]
) -> Iterator[tuple[_Sentence, _Sentence]]:
    """Pairs of sentences of different hosts that share most of their content words."""
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
            if count < 2 or count < 0.6 * smaller or _host(sentence.source) == _host(rival.source):
                continue
            if topic and not topic & sentence.content & rival.content:
                continue
            yield sentence, rival


def _disagreement(a: _Sentence, b: _Sentence) -> ConflictKind | None:
    """What kind of conflict two sentences are, None when they are none."""
    shorter, longer = sorted((a, b), key=lambda each: len(each.words))
    alignment = align(shorter.words, longer.words)
    if alignment is None or not _same_sentence(alignment):
        return None
    gaps = [gap for gap in _all_gaps(shorter.words, longer.words, alignment)]
    kinds = []
    for gap in gaps:
        kind = _gap_kind(gap, shorter, longer)
        if kind == "other":
            return None
        if kind:
            kinds.append(kind)
    if not _same_subject(a, b):
        return None
    if not kinds:
        negated = _negated(shorter.words, longer.words, alignment)
        return "statement" if negated else None
    return kinds[0] if len(kinds) == 1 else None  # type: ignore[return-value]


def _same_subject(a: _Sentence, b: _Sentence) -> bool:
    """Whether both may speak of one thing: where the sentences themselves share no name, the ones
    before them decide, and neither side may name what the other does not."""
    if _names(a.words) & _names(b.words) - {"the"} and len(_names(a.words) & _names(b.words)) > 1:
        return True
    ours, theirs = a.context, b.context
    return bool(ours & theirs) and not (ours - theirs and theirs - ours)


def _same_sentence(alignment: Alignment) -> bool:
    return alignment.matched >= 4 and alignment.share >= 0.6 and alignment.density >= 0.6


def _all_gaps(a: Words, b: Words, alignment: Alignment) -> Iterator[Gap]:
    yield Gap(claim=(max(0, alignment.claim_first - 4), alignment.claim_first),
              source=(max(0, alignment.first - 4), alignment.first))
    yield from alignment.gaps
    yield Gap(claim=(alignment.claim_last, min(len(a), alignment.claim_last + 4)),
              source=(alignment.last, min(len(b), alignment.last + 4)))


def _gap_kind(gap: Gap, a: _Sentence, b: _Sentence) -> str:
    """`figure`, `version` or `date` when that alone differs, `other` when the two speak of
    different things, "" when the difference means nothing."""
    ours, theirs = a.figure_at(*gap.claim), b.figure_at(*gap.source)
    if _named_otherwise(gap, a, b):
        return "other"
    if not ours or not theirs:
        return ""
    if len(ours) != len(theirs) or len(ours) > 1:
        return "other" if {x.digits for x in ours} != {y.digits for y in theirs} else ""
    x, y = ours[0], theirs[0]
    if _compatible(x, y) :
        return ""
    if any(_is_vague(each, sentence) for each, sentence in ((x, a), (y, b))):
        return "other"
    return _kind(x, y, a, b)


def _named_otherwise(gap: Gap, a: _Sentence, b: _Sentence) -> bool:
    ours = {a.words.keys[k] for k in range(*gap.claim) if _is_name(a.words, k)}
    theirs = {b.words.keys[k] for k in range(*gap.source) if _is_name(b.words, k)}
    return bool(ours and theirs and not ours & theirs)


def _is_name(words: Words, k: int) -> bool:
    key = words.keys[k]
    return words.capital(k) and key not in STOP_WORDS and not key[0].isdigit()


def _compatible(x: Figure, y: Figure) -> bool:
    """The same amount, in other words or units, or one the other rounded."""
    if x.digits == y.digits and x.scale == y.scale and x.unit == y.unit:
        return True
    if not x.values or not y.values:
        return x.digits == y.digits or x.digits.startswith(y.digits) or y.digits.startswith(x.digits)
    if x.unit and y.unit and x.unit != y.unit:
        return True
    a, b = x.values[0] * (x.factor if x.unit == y.unit else 1), y.values[0] * (y.factor if x.unit == y.unit else 1)
    if abs(a - b) <= 1e-9 * max(a, b):
        return True
    round_one = min(_significant(x), _significant(y))
    return f"{a:.{max(round_one - 1, 0)}e}" == f"{b:.{max(round_one - 1, 0)}e}" and not (_is_year(x) or _is_year(y))


def _significant(figure: Figure) -> int:
    return len(figure.digits.replace(".", "").strip("0")) or 1


def _is_year(figure: Figure) -> bool:
    return len(figure.digits) == 4 and not figure.unit and 1000 <= float(figure.digits if figure.digits.isdigit() else 0) <= 2100


def _is_vague(figure: Figure, sentence: _Sentence) -> bool:
    text = sentence.words.folded.lower
    before = text[max(0, figure.start - 30) : figure.start]
    if before.endswith("~") or any(word.strip("(,") in HEDGES for word in before.split()[-2:]):
        return True
    return bool(_RANGE.match(text, figure.unit_end) or _RANGE.match(text, figure.end) or _RANGE_BEFORE.search(before))


def _kind(x: Figure, y: Figure, a: _Sentence, b: _Sentence) -> ConflictKind:
    if _is_year(x) and _is_year(y):
        return "date"
    for figure, sentence in ((x, a), (y, b)):
        spans = dates(sentence.words.folded.lower)
        if any(each.start <= figure.start < each.end for each in spans):
            return "date"
    return "version" if "version" in (x.kind, y.kind) else "figure"


def _negated(a: Words, b: Words, alignment: Alignment) -> bool:
    if not alignment.near_verbatim or alignment.share < 0.85:
        return False
    return any(
        each.written.lower() in NEGATIONS or "n't" in each.written
        for each in differences(a, b, alignment)
    )


def _conflict(kind: ConflictKind, a: _Sentence, b: _Sentence, topic: frozenset[str]) -> Conflict:
    shared = [key for key in dict.fromkeys(a.words.keys) if key in a.content & b.content]
    named = [key for key in shared if key in topic] or shared
    return Conflict(
        topic=" ".join((named + [key for key in shared if key not in named])[:5]),
        kind=kind,
        positions=(
            Position(statement=a.text, sources=(a.source.n,)),
            Position(statement=b.text, sources=(b.source.n,)),
        ),
    )


def _merged(found: Sequence[Conflict], sources: dict[int, Source]) -> tuple[Conflict, ...]:
    return tuple(
        Conflict(
            topic=each.topic, kind=each.kind, positions=each.positions,
            preferred=_preferred(each.positions, sources),
        )
        for each in found
    )


def _preferred(positions: Sequence[Position], sources: dict[int, Source]) -> int | None:
    """The position with the source of the highest authority, None when two have it."""
    ranks = [min(_rank(sources[n]) for n in position.sources) for position in positions]
    best = min(ranks)
    return ranks.index(best) if ranks.count(best) == 1 else None


def _rank(source: Source) -> int:
    return SOURCE_TYPES.index(source.extract.source_type) if source.extract else len(SOURCE_TYPES)
