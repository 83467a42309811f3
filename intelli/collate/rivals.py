"""Two sentences of different sources: whether they say the same but for what cannot both hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from intelli.collate.alignment import Alignment, Gap, align
from intelli.collate.dates import Date, dates
from intelli.collate.figures import Figure, figures
from intelli.collate.lexicon import HEDGES, NEGATIONS, STOP_WORDS
from intelli.collate.wording import denied
from intelli.collate.words import Words
from intelli.records import ConflictKind, Source

_RANGE = re.compile(r"\s?(?:-|to|or|and)\s?(?=[\d$€£])")
_WORD = re.compile(r"\s[a-z]")
_GLUED = re.compile(r"[a-z]-$")
_TELLING = 5
_CONVERTED = 0.005
"""How far apart decimals may be that were computed from rounded ones: 388.5/km² and 389.3/km²."""
_ALIKE = 0.8
_REPLACED = 3
_STEM = 4
_RANGE_BEFORE = re.compile(r"\d\S{0,4}\s?(?:-|to|or|and)\s?[$€£]?$")


@dataclass(slots=True)
class Sentence:
    """A sentence of a source; `context` are the names in the sentence before it, `beside` the
    words of the sentences around it, `page` those of all."""

    source: Source
    text: str
    words: Words
    context: frozenset[str] = frozenset()
    beside: tuple[frozenset[str], ...] = ()
    page: frozenset[str] = frozenset()
    content: frozenset[str] = field(init=False)
    figures: list[Figure] = field(init=False)
    dates: list[Date] = field(init=False)

    def __post_init__(self) -> None:
        self.content = frozenset(
            key for key in self.words.keys if key not in STOP_WORDS and not key[0].isdigit()
        )
        self.figures = figures(self.words.folded.lower)
        self.dates = [each for each in dates(self.words.folded.lower) if each.day or each.year]

    def figures_at(self, first: int, last: int) -> list[Figure]:
        """Figures, with scale and unit, that touch the words `first` to `last` (excluded)."""
        if first >= last:
            return []
        low, high = self.words.span(first, last - 1)
        return [x for x in self.figures if x.start < high and low < max(x.end, x.unit_end)]

    def said(self, kind: ConflictKind) -> frozenset[str]:
        """What tells this side from another: its figures and dates, else its words."""
        if kind == "statement":
            return self.content | NEGATIONS.intersection(self.words.keys)
        figures_said = {f"{n} {x.digits} {x.scale:g} {x.unit}" for n, x in enumerate(self.figures)}
        return frozenset(figures_said | {f"{d.year}-{d.month}-{d.day}" for d in self.dates})

    def date_at(self, first: int, last: int) -> Date | None:
        """The fullest date that the words `first` to `last` (excluded) touch."""
        if first >= last:
            return None
        low, high = self.words.span(first, last - 1)
        touched = [each for each in self.dates if each.start < high and low < each.end]
        return max(touched, key=lambda each: each.end - each.start, default=None)


def names_in(words: Words) -> frozenset[str]:
    """Keys of the capitalised words."""
    return frozenset(words.keys[k] for k in range(len(words)) if _is_name(words, k))


def same_passage(a: Sentence, b: Sentence) -> bool:
    """Whether a sentence beside the one says nearly word for word what one beside the other does:
    both are then from tellings of one text, and about one thing."""
    return any(
        len(ours & theirs) >= max(_TELLING, _ALIKE * len(ours | theirs))
        for ours in a.beside
        for theirs in b.beside
    )


def disagreement(
    a: Sentence, b: Sentence, topic: frozenset[str], *, measured: bool = False
) -> ConflictKind | None:
    """What kind of conflict two sentences are, None when they are none. Where a `measured` thing
    is asked for, a day or a number, another word is none."""
    shorter, longer = sorted((a, b), key=lambda each: len(each.words))
    alignment = align(shorter.words, longer.words)
    if alignment is None or not _same_sentence(alignment):
        return None
    copied = same_passage(a, b)
    if not copied and not _same_subject(a, b, topic):
        return None
    found = [
        _gap_kind(gap, shorter, longer) for gap in _all_gaps(shorter.words, longer.words, alignment)
    ]
    kinds = set(found) - {"", "word"}
    if not kinds:
        reworded = copied and not measured and "word" in found[1:-1]
        denied = reworded or _negated(shorter.words, longer.words, alignment)
        return "statement" if denied else None
    if "other" in kinds or (len(kinds) > 1 and (not copied or "name" in kinds)):
        return None
    if not copied and "word" in found[1:-1]:
        return None
    kind = min(kinds)
    if kind != "name":
        return kind  # type: ignore[return-value]
    names = found[1:].count("name")  # a name before the stretch only heads it
    sure = names == 1 and alignment.matched >= 8 and min(alignment.share, alignment.density) >= 0.75
    return "statement" if sure or (copied and names) else None


def _same_subject(a: Sentence, b: Sentence, topic: frozenset[str]) -> bool:
    """Whether both may speak of one thing: they share names of the question, or else the sentences
    before them share one and neither side names what the other does not."""
    shared = names_in(a.words) & names_in(b.words)
    if len(shared) > 1 and (not topic or shared & topic):
        return True
    ours, theirs = a.context, b.context
    return bool(ours & theirs) and not (ours - theirs and theirs - ours)


def _same_sentence(alignment: Alignment) -> bool:
    return alignment.matched >= 4 and alignment.share >= 0.6 and alignment.density >= 0.6


def _all_gaps(a: Words, b: Words, alignment: Alignment) -> Iterator[Gap]:
    yield Gap(
        claim=(max(0, alignment.claim_first - 4), alignment.claim_first),
        source=(max(0, alignment.first - 4), alignment.first),
    )
    yield from alignment.gaps
    yield Gap(
        claim=(alignment.claim_last, min(len(a), alignment.claim_last + 4)),
        source=(alignment.last, min(len(b), alignment.last + 4)),
    )


def _gap_kind(gap: Gap, a: Sentence, b: Sentence) -> str:
    """`figure`, `version`, `date`, `name` or `word` when that is what differs, `other` when the two
    may speak of different things, "" when the difference means nothing."""
    ours, theirs = a.date_at(*gap.claim), b.date_at(*gap.source)
    if ours and theirs:
        return "date" if _dates_differ(ours, theirs) else ""
    figures_a, figures_b = a.figures_at(*gap.claim), b.figures_at(*gap.source)
    if figures_a and figures_b:
        return _figures_differ(figures_a, figures_b, a, b)
    if _named_otherwise(gap, a, b):
        return "name"
    return "word" if _worded_otherwise(gap, a, b) else ""


def _dates_differ(x: Date, y: Date) -> bool:
    return any(
        one is not None and other is not None and one != other
        for one, other in ((x.year, y.year), (x.month, y.month), (x.day, y.day))
    )


def _figures_differ(
    ours: Sequence[Figure], theirs: Sequence[Figure], a: Sentence, b: Sentence
) -> str:
    if len(ours) != len(theirs):
        return "other" if {x.digits for x in ours} != {y.digits for y in theirs} else ""
    kinds = set()
    for x, y in zip(ours, theirs, strict=True):
        if _compatible(x, y):
            continue
        other = "ordinal" in {x.kind, y.kind} and x.kind != y.kind
        other = other or any(_is_vague(f, s) or _is_label(f, s) for f, s in ((x, a), (y, b)))
        kinds.add("other" if other else _kind(x, y))
    return "" if not kinds else kinds.pop() if len(kinds) == 1 else "other"


def _named_otherwise(gap: Gap, a: Sentence, b: Sentence) -> bool:
    ours = {a.words.keys[k] for k in range(*gap.claim) if _is_name(a.words, k)}
    theirs = {b.words.keys[k] for k in range(*gap.source) if _is_name(b.words, k)}
    return bool(ours - theirs and theirs - ours)


def _worded_otherwise(gap: Gap, a: Sentence, b: Sentence) -> bool:
    """Whether each has a word or two that the whole page of the other never uses: what a page has
    both of may be two words for one thing."""
    ours = {a.words.keys[k] for k in range(*gap.claim)} - STOP_WORDS
    theirs = {b.words.keys[k] for k in range(*gap.source)} - STOP_WORDS
    if not 0 < min(len(ours), len(theirs)) <= max(len(ours), len(theirs)) <= _REPLACED:
        return False
    if ours & b.page or theirs & a.page:
        return False
    return not {key[:_STEM] for key in ours} & {key[:_STEM] for key in theirs}


def _is_name(words: Words, k: int) -> bool:
    key = words.keys[k]
    return words.capital(k) and key not in STOP_WORDS and not key[0].isdigit()


def _compatible(x: Figure, y: Figure) -> bool:
    """The same amount, in other words or units, or one the other rounded."""
    if x.digits == y.digits and x.scale == y.scale and x.unit == y.unit:
        return True
    if not x.values or not y.values:
        return (
            x.digits == y.digits or x.digits.startswith(y.digits) or y.digits.startswith(x.digits)
        )
    if x.unit and y.unit and x.unit != y.unit:
        return True
    a, b = (
        x.values[0] * (x.factor if x.unit == y.unit else 1),
        y.values[0] * (y.factor if x.unit == y.unit else 1),
    )
    converted = "." in x.digits and "." in y.digits
    if abs(a - b) <= (_CONVERTED if converted else 1e-9) * max(a, b):
        return True
    round_one = min(_significant(x), _significant(y))
    return f"{a:.{max(round_one - 1, 0)}e}" == f"{b:.{max(round_one - 1, 0)}e}" and not (
        _is_year(x) or _is_year(y)
    )


def _significant(figure: Figure) -> int:
    return len(figure.digits.replace(".", "").strip("0")) or 1


def _is_year(figure: Figure) -> bool:
    return (
        len(figure.digits) == 4
        and not figure.unit
        and 1000 <= float(figure.digits if figure.digits.isdigit() else 0) <= 2100
    )


def _is_vague(figure: Figure, sentence: Sentence) -> bool:
    text = sentence.words.folded.lower
    before = text[max(0, figure.start - 30) : figure.start]
    if before.endswith("~") or any(word.strip("(,") in HEDGES for word in before.split()[-2:]):
        return True
    return bool(
        _RANGE.match(text, figure.unit_end)
        or _RANGE.match(text, figure.end)
        or _RANGE_BEFORE.search(before)
    )


def _is_label(figure: Figure, sentence: Sentence) -> bool:
    """Whether a figure tells one thing of a name from another: `(1936 film)`, `bash-5.2`."""
    text = sentence.words.folded.lower
    if _GLUED.search(text, max(0, figure.start - 2), figure.start):
        return True
    bracketed = text[: figure.start].rstrip().endswith("(")
    return bracketed and not figure.unit and bool(_WORD.match(text, figure.end))


def _kind(x: Figure, y: Figure) -> ConflictKind:
    if _is_year(x) and _is_year(y):
        return "date"
    return "version" if "version" in (x.kind, y.kind) else "figure"


def _negated(a: Words, b: Words, alignment: Alignment) -> bool:
    if not alignment.near_verbatim or alignment.share < 0.85:
        return False
    return denied(a, b, alignment)
