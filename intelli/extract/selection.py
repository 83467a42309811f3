"""Which passages of a page answer the question, by BM25 that looks at the neighbours too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, takewhile

from intelli.records import Query
from intelli.text.content import content_tokens
from intelli.text.passages import Passage
from intelli.text.ranking import tokens
from intelli.text.relevance import relevance

_NEIGHBOUR_WEIGHTS = (0.35, 0.1)
_LED_WEIGHT = 0.6
_MANY_TERMS = 4
_OFTEN = 3
_AROUND_PASSAGE = len("…\n\n") + len("\n\n")
_AROUND_HEADING = len("# ") + len("\n\n")


class Relevance:
    """Judges the passages of one page by a question and its focus, the focus weighing more."""

    def __init__(self, query: Query, title: str, passages: Sequence[Passage]) -> None:
        self._query = query
        self._wanted = frozenset(content_tokens(query.text) + content_tokens(query.focus))
        self._passages = passages
        self._documents = [tokens(f"{passage.heading}\n{passage.text}") for passage in passages]
        self._present = Counter(chain(tokens(title), *self._documents))

    @property
    def asks_nothing(self) -> bool:
        """The question holds no word at all."""
        return not self._wanted

    @property
    def matches(self) -> bool:
        """Whether the page speaks of the question. Of four terms or more it must hold two, or one
        of them again and again: a single common word in many is chance."""
        times = [self._present[term] for term in self._wanted if term in self._present]
        needed = 2 if len(self._wanted) >= _MANY_TERMS else 1
        return len(times) >= needed or sum(times) >= _OFTEN

    def scores(self) -> list[float]:
        """One score per passage, 0.0 where neither it nor its neighbours say a word of it."""
        scores = relevance(self._query, self._documents)
        return _with_led(self._passages, _with_neighbours(scores))


def _with_neighbours(scores: Sequence[float]) -> list[float]:
    """An answer stands beside the words of the question as often as among them."""
    result = list(scores)
    for distance, weight in enumerate(_NEIGHBOUR_WEIGHTS, start=1):
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
