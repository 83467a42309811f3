"""Which passages of a page answer the question, by BM25 that looks at the neighbours too."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, takewhile

from intelli.records import Query
from intelli.text.asking import Asked, asked
from intelli.text.passages import Passage
from intelli.text.ranking import tokens
from intelli.text.relevance import relevance

_NEIGHBOUR_WEIGHTS = (0.35, 0.1)
AROUND = tuple(math.exp(-(n**2) / 50) for n in range(1, 15))
"""Weights of the passages farther and farther away: a normal curve, five passages wide."""

_BREADTH = 0.1
_BREADTH_OF_TALK = 0.6
"""An answer in a talk is spread over many turns, most of which repeat no word of the question."""

_TURN = re.compile(r"[*_]{0,3}([^\W\d_][^:\n*_]{0,40})[*_]{0,3}:[*_]{0,3}\s")
_TURNS = 3
_LED_WEIGHT = 0.6
_CODE_SPAN = re.compile(r"`[^`\n]*`")
_ENOUGH = 0.38
_ENOUGH_INFLECTED = 0.3
_HARDLY = 0.19
_MANY_TERMS = 4
_SOME = 2
_OFTEN = 3
_EVERYWHERE = 0.6
_FEW_PASSAGES = 4
_AROUND_PASSAGE = len("…\n\n") + len("\n\n")
_AROUND_HEADING = len("# ") + len("\n\n")


class Relevance:
    """Judges the passages of one page by a question and its focus, the focus weighing more."""

    def __init__(self, query: Query, title: str, passages: Sequence[Passage]) -> None:
        self._query = query
        self._asked = [asked(text) for text in (query.text, query.focus) if text.strip()]
        self._passages = passages
        self._documents = [tokens(f"{passage.heading}\n{passage.text}") for passage in passages]
        self._title = frozenset(tokens(title))
        self._present = Counter(chain(tokens(title), *self._documents))

    @property
    def asks_nothing(self) -> bool:
        """The question holds no word at all."""
        return not any(each.strong for each in self._asked)

    @property
    def matches(self) -> bool:
        """Whether the page speaks of the question or of its focus: of a fair share of its words,
        or again and again of one that tells. Common words (set, use, default) and the name of what
        the page is about all along carry no page alone."""
        return any(self._speaks_of(each) for each in self._asked if each.strong)

    def _speaks_of(self, one: Asked) -> bool:
        there = [term for term in one.strong if term in self._present]
        alone = there if one.english and len(there) == 1 else []
        subject = frozenset(term for term in alone if self._is_subject(term))
        covered = one.covered(self._present, subject)
        if covered >= (_ENOUGH if one.english else _ENOUGH_INFLECTED):
            return True
        telling = one.strong - one.names - subject
        if len(one.strong) >= _MANY_TERMS and len(telling & self._present.keys()) >= _SOME:
            return True
        return covered >= _HARDLY and any(self._present[term] >= _OFTEN for term in telling)

    def _is_subject(self, term: str) -> bool:
        """In the title, in most passages, or a name: never in small letters in running text."""
        if term in self._title or (term.isascii() and term.isalpha() and self._is_name(term)):
            return True
        holding = sum(term in document for document in self._documents)
        many = len(self._documents) >= _FEW_PASSAGES
        return many and holding >= _EVERYWHERE * len(self._documents)

    def _is_name(self, term: str) -> bool:
        """Capitalised wherever it stands in the text, or only in code; no heading opens with it."""
        headings = {part for passage in self._passages for part in passage.heading.split(" > ")}
        if any(tokens(heading)[:1] == [term] for heading in headings):
            return False
        prose = " ".join(passage.text for passage in self._passages if passage.kind != "code")
        words = re.findall(rf"\b{term}\w*", _CODE_SPAN.sub("", prose), re.IGNORECASE)
        return all(word.istitle() for word in words)

    def scores(self) -> list[float]:
        """One score per passage, 0.0 where neither it nor its neighbours say a word of it."""
        return in_context(self._passages, relevance(self._query, self._documents))


def in_context(passages: Sequence[Passage], scores: Sequence[float]) -> list[float]:
    """The scores of passages with what those near them add, and in a talk those farther away."""
    near = with_neighbours(scores, _NEIGHBOUR_WEIGHTS)
    breadth = _BREADTH_OF_TALK if _is_talk(passages) else _BREADTH
    around = with_neighbours(scores, AROUND)
    return _with_led(passages, [a + breadth * b for a, b in zip(near, around, strict=True)])


def _is_talk(passages: Sequence[Passage]) -> bool:
    """Whether most paragraphs are turns of a few speakers, as in minutes and interviews."""
    paragraphs = [part for each in passages for part in each.text.split("\n\n")]
    speakers = [turn[1] for part in paragraphs if (turn := _TURN.match(part))]
    often = len(speakers) >= _TURNS * len(set(speakers)) > 0
    return often and len(speakers) > len(paragraphs) / 2


def with_neighbours(scores: Sequence[float], weights: Sequence[float]) -> list[float]:
    """An answer stands beside the words of the question as often as among them; `weights` are
    those of the neighbours, the nearest first."""
    result = list(scores)
    for distance, weight in enumerate(weights, start=1):
        for n in range(len(scores) - distance):
            result[n] += weight * scores[n + distance]
            result[n + distance] += weight * scores[n]
    return result


def _with_led(passages: Sequence[Passage], scores: Sequence[float]) -> list[float]:
    """What a sentence announces with a colon is worth nearly as much as the sentence."""
    result = list(scores)
    for n in range(1, len(passages)):
        if leads(passages, n - 1):
            result[n] = max(result[n], _LED_WEIGHT * scores[n - 1])
    return result


def leads(passages: Sequence[Passage], n: int) -> bool:
    """Whether passage `n` ends in a colon and announces the block after it."""
    return (
        n + 1 < len(passages)
        and passages[n].kind == "prose"
        and passages[n + 1].kind != "prose"
        and passages[n].text.endswith((":", "："))
    )


def choose(passages: Sequence[Passage], scores: Sequence[float], budget: int) -> list[int]:
    """Indexes, ascending, of the best passages that fit `budget` characters together, headings
    and all; a block and the sentence that announces it go together where there is room for both."""
    room = Room(budget)
    chosen: set[int] = set()
    for best in sorted(range(len(passages)), key=lambda n: (-scores[n], n)):
        if scores[best] <= 0.0:
            break
        for group in ({best, *_company(passages, best)}, {best}):
            new = sorted(group - chosen)
            if room.take([passages[n] for n in new]):
                chosen.update(new)
                break
    return sorted(chosen)


def lead(passages: Sequence[Passage], budget: int) -> list[int]:
    """Indexes of the first passages, as many as fit."""
    room = Room(budget)
    return list(takewhile(lambda n: room.take([passages[n]]), range(len(passages))))


class Room:
    """What is left of a number of characters. A passage costs its text, the blank line and gap
    mark around it, and those of its headings that are not there yet."""

    def __init__(self, budget: int) -> None:
        self._left = budget
        self._headings: set[tuple[str, ...]] = set()

    def take(self, passages: Sequence[Passage]) -> bool:
        """Makes room for all of them, or for none and returns False."""
        headings = {path for passage in passages for path in paths(passage)} - self._headings
        cost = sum(len(passage.text) + _AROUND_PASSAGE for passage in passages)
        cost += sum(len(path[-1]) + len(path) + _AROUND_HEADING for path in headings)
        if cost > self._left:
            return False
        self._left -= cost
        self._headings |= headings
        return True


def paths(passage: Passage) -> list[tuple[str, ...]]:
    """The headings above a passage, outermost first, each with those above it."""
    parts = tuple(part for part in passage.heading.split(" > ") if part)
    return [parts[: depth + 1] for depth in range(len(parts))]


def _company(passages: Sequence[Passage], n: int) -> list[int]:
    company = []
    if n and leads(passages, n - 1):
        company.append(n - 1)
    if leads(passages, n):
        company.append(n + 1)
    return company
