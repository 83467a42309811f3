"""Texts cut into passages and ranked by BM25 over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from intelli.text.passages import Passage, split
from intelli.text.ranking import BM25, tokens
from intelli.text.snippets import cut, one_line

SNIPPET = 300
_WEIGHTS = (1.0, 0.5, 0.25)
"""What the best, second and third best passage of a text add to its score."""

_TITLE_ONLY = Passage(text="", start=0, end=0)


@dataclass(slots=True)
class Shelf:
    """The passages of many texts, each known by an address, with the terms of each passage."""

    titles: dict[str, str] = field(default_factory=dict)
    _passages: list[tuple[str, Passage]] = field(default_factory=list)
    _rows: list[list[str]] = field(default_factory=list)
    _headings: dict[str, list[str]] = field(default_factory=dict)
    _ranker: BM25 = field(default_factory=lambda: BM25(()))

    def add(self, url: str, text: str, title: str, name: str = "") -> None:
        """Cut a text into passages; the words of its title and of its name lead to the first.

        Without a title it is called by its first heading, else by its name."""
        # A text that is only its title still has one passage.
        passages = split(text) or (_TITLE_ONLY,)
        first_heading = passages[0].heading.partition(" > ")[0]
        self.titles[url] = title or first_heading or name
        for n, passage in enumerate(passages):
            if passage.heading not in self._headings:
                self._headings[passage.heading] = tokens(passage.heading)
            row = tokens(passage.text) + self._headings[passage.heading]
            self._rows.append(row if n else row + tokens(f"{self.titles[url]} {name}"))
            self._passages.append((url, passage))

    def rank(self) -> None:
        """Make the passages ready to be ranked; none is added afterwards."""
        self._ranker = BM25(self._rows)
        self._rows = []

    def best(self, terms: Sequence[str], most: int) -> list[tuple[str, str]]:
        """Address and best passage of the texts with a term in them, the best first."""
        found: dict[str, list[tuple[float, Passage]]] = {}
        scores = self._ranker.scores(terms)
        for score, (url, passage) in zip(scores, self._passages, strict=True):
            if score > 0:
                found.setdefault(url, []).append((score, passage))
        for scored in found.values():
            scored.sort(key=lambda pair: -pair[0])
        ranked = sorted(found, key=lambda url: -_score(found[url]))[:most]
        return [(url, cut(one_line(found[url][0][1].text), SNIPPET)) for url in ranked]


def _score(found: Sequence[tuple[float, Passage]]) -> float:
    return sum(weight * score for weight, (score, _) in zip(_WEIGHTS, found, strict=False))
