"""Which statement of one report is which of another, and whether it says another value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from intelli.collate.alignment import MAX_WORDS, align
from intelli.collate.claims import Statement, split_claims, without_marks
from intelli.collate.details import MAX_CLAIM, Detail, details_of
from intelli.collate.lexicon import NEGATIONS, OPPOSITES, STOP_WORDS
from intelli.collate.words import Words, keys_of, words_of
from intelli.records import record
from intelli.text.folding import fold, fold_plain

MOST = 2000
"""Statements of a report that are compared; what is behind them is left out."""
_VALUE = "#"
_ALIKE = 0.75
_ALIKE_ON_PAGE = 0.6
_ALIKE_CODE = 0.5
_CONTAINED = 0.85
_SHORTEST = 5
_COMMON = 200
_TRIED = 6
_STEM = 5
_MEASURES = frozenset({"figure", "date"})
_NAMES = frozenset({"code", "identifier", "url"})
_Values = dict[object, str]


class Print:
    """A statement as it is compared; `urls` is what it cites. What only unlike statements need is
    worked out when it is asked for."""

    def __init__(self, statement: Statement, urls: Mapping[int, str]) -> None:
        self.statement = statement
        self.urls = frozenset(urls[n] for n in statement.marks if n in urls)
        self.plain = " ".join(without_marks(statement.text[:MAX_CLAIM]).split())

    @cached_property
    def words(self) -> Words:
        return words_of(fold(without_marks(self.statement.text[:MAX_CLAIM])))

    @cached_property
    def details(self) -> list[Detail]:
        return details_of(self.statement)

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The words with every figure and date as the same sign."""
        spans = [(each.start, each.end) for each in self.details if each.kind in _MEASURES]
        terms: list[str] = []
        for k, key in enumerate(self.words.keys[:MAX_WORDS]):
            start, _ = self.words.folded.origin(self.words.starts[k], self.words.ends[k])
            term = _VALUE if any(low <= start < high for low, high in spans) else key
            if term != _VALUE or terms[-1:] != [_VALUE]:
                terms.append(term)
        return tuple(terms)

    @cached_property
    def bag(self) -> Counter[str]:
        return Counter(self.terms)

    @cached_property
    def measures(self) -> _Values:
        """Figures and dates by what they mean, as written."""
        return {_meaning(d): _written(d) for d in self.details if d.kind in _MEASURES}

    @property
    def order(self) -> list[object]:
        """What its figures and dates mean, one after the other."""
        return [_meaning(each) for each in self.details if each.kind in _MEASURES]

    @cached_property
    def names(self) -> _Values:
        """Code, identifiers and addresses; of a code block its lines."""
        if self.statement.kind == "code":
            return {each.needle: each.text for each in self.details}
        return {each.needle.lower(): each.text for each in self.details if each.kind in _NAMES}


@record
class Match:
    """Positions in the two lists; `values` are the differing ones of either, as written."""

    before: int
    after: int
    values: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    reworded: bool = False

    @property
    def changed(self) -> bool:
        return self.values != ((), ())


def prints_of(summary: str, urls: Mapping[int, str]) -> list[Print]:
    """The statements of a report in order; `urls` says what a mark means."""
    return [Print(each, urls) for each in split_claims(summary)[:MOST]]


def matches(before: Sequence[Print], after: Sequence[Print]) -> list[Match]:
    """Every statement at most once: those in the same words, then those of the same subject, the
    most alike first. Linear in the statements, but for a few likely partners of each."""
    found = _identical(before, after)
    taken_before, taken_after = {m.before for m in found}, {m.after for m in found}
    rest_before = [i for i in range(len(before)) if i not in taken_before]
    rest_after = [j for j in range(len(after)) if j not in taken_after]
    scored = sorted(
        _scored(before, after, rest_before, rest_after), key=lambda each: (-each[0], *each[1:])
    )
    for _, i, j in scored:
        if i in taken_before or j in taken_after:
            continue
        taken_before.add(i)
        taken_after.add(j)
        found.append(_match(before[i], after[j], i, j))
    return found


def _meaning(detail: Detail) -> object:
    """What a figure or date stands for, however it is written."""
    if detail.date is not None:
        return ("date", detail.date.year, detail.date.month, detail.date.day)
    figure = detail.figure
    if figure is None:
        return detail.needle
    is_version = figure.kind == "version" or (not figure.unit and "." in figure.digits)
    if is_version or not figure.values:  # 3.1 and 3.10 may be two of them
        return ("digits", figure.digits)
    return (figure.unit, f"{figure.values[0] * figure.factor:.9g}")


def _written(detail: Detail) -> str:
    return " ".join(detail.text.split()) or detail.needle


def _identical(before: Sequence[Print], after: Sequence[Print]) -> list[Match]:
    """Those in the same words, whatever marks they bear; the first with the first."""
    places: dict[tuple[str, str], list[int]] = {}
    for j in reversed(range(len(after))):
        places.setdefault((after[j].statement.kind, after[j].plain), []).append(j)
    found = []
    for i, each in enumerate(before):
        same = places.get((each.statement.kind, each.plain))
        if same:
            found.append(Match(before=i, after=same.pop()))
    return found


def _scored(
    before: Sequence[Print], after: Sequence[Print], first: Sequence[int], second: Sequence[int]
) -> Iterable[tuple[float, int, int]]:
    places: dict[str, list[int]] = {}
    for j in second:
        for term in after[j].bag:
            places.setdefault(term, []).append(j)
    for i in first:
        shared: Counter[int] = Counter()
        for term in before[i].bag:
            found = places.get(term, ())
            if term not in STOP_WORDS and term != _VALUE and len(found) <= _COMMON:
                shared.update(found)
        for j, _ in shared.most_common(_TRIED):
            score = _score(before[i], after[j])
            if score:
                yield score, i, j


def _score(one: Print, other: Print) -> float:
    """How alike the subjects are, 0 for two different ones."""
    if one.statement.kind != other.statement.kind:
        return 0.0
    dice = 2 * (one.bag & other.bag).total() / (one.bag.total() + other.bag.total())
    if one.statement.kind == "code":
        return dice if dice >= _ALIKE_CODE else 0.0
    if one.statement.kind == "row" and one.terms[:1] != other.terms[:1]:
        return 0.0
    on_page = bool(one.urls & other.urls)
    if one.terms == other.terms and not one.names.keys() ^ other.names.keys():
        return 1.5 + on_page  # only figures and signs differ, if anything
    if not on_page and one.names.keys() - other.names and other.names.keys() - one.names:
        return 0.0  # what is named differs, and nothing says that it is a value
    floor = _ALIKE_ON_PAGE if on_page else _ALIKE
    if dice < floor and not (on_page and _contains(one, other)):
        return 0.0
    return max(dice, floor) + 0.05 * on_page


def _contains(one: Print, other: Print) -> bool:
    """Whether the longer says the shorter word for word and more."""
    short, long = sorted((one, other), key=lambda each: len(each.words))
    if len(short.words) < _SHORTEST:
        return False
    found = align(short.words, long.words)
    return found is not None and found.share >= _CONTAINED and found.density >= _CONTAINED


def _match(one: Print, other: Print, i: int, j: int) -> Match:
    return Match(before=i, after=j, values=_values(one, other), reworded=one.terms != other.terms)


def _values(one: Print, other: Print) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the one has for a value and the other has not, both ways; `not` is a value as well, and
    so is who or what is named, where the other names another."""
    swapped = one.terms == other.terms and one.order != other.order
    if swapped and one.measures.keys() == other.measures.keys():
        return (tuple(one.measures.values()), tuple(other.measures.values()))
    called, instead = _called(one, other), _called(other, one)
    if not (called and instead):
        called = instead = ()
    return ((*_only(one, other), *called), (*_only(other, one), *instead))


def _called(one: Print, other: Print) -> tuple[str, ...]:
    """Names of the one of which no word stands in the other, in whatever form."""
    stems = {term[:_STEM] for term in other.bag}
    return tuple(
        _written(each)
        for each in one.details
        if each.kind == "name"
        and not any(key[:_STEM] in stems for key in keys_of(fold_plain(each.needle)))
    )


def _only(one: Print, other: Print) -> tuple[str, ...]:
    measures = [text for key, text in one.measures.items() if key not in other.measures]
    names = [text for key, text in one.names.items() if key not in other.names]
    mine, theirs = one.bag.keys() - other.bag.keys(), other.bag.keys() - one.bag.keys()
    denied = [key for key in one.bag if key in mine and key in NEGATIONS]
    turned = [key for key in one.bag if key in mine and _turned(key, theirs)]
    return tuple(dict.fromkeys((*measures, *names, *denied, *turned)))


def _turned(key: str, others: Iterable[str]) -> bool:
    """Whether the other statement has the opposite of a word."""
    return any((key, other) in OPPOSITES for other in others)
