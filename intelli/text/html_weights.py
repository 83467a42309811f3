"""Weighs every element: how much text it holds, how much of it is linked, how much is content."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import lxml.etree
from lxml.html import HtmlElement

from intelli.text.html_tree import BLOCKS

_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
SHINGLE = 4
PROSE = 60


@dataclass(slots=True)
class Weight:
    """Characters below an element: all, inside links, and those an extractor kept."""

    total: int = 0
    linked: int = 0
    kept: float = 0.0

    def add(self, other: Weight) -> None:
        """Take over the characters of a child."""
        self.total += other.total
        self.linked += other.linked
        self.kept += other.kept


class Vote:
    """What an extractor took for content, asked about runs of text."""

    def __init__(self, text: str) -> None:
        lines = re.split(r"[\n|]", text)
        self._lines = {_joined(line) for line in lines}
        words = _words(text)
        self._shingles = set(_shingles(words))

    def share(self, text: str) -> float:
        """The part of a run of text that was kept, 0 to 1."""
        words = _words(text)
        if len(words) < SHINGLE:
            return float("".join(words) in self._lines)
        seen = [shingle in self._shingles for shingle in _shingles(words)]
        return sum(seen) / len(seen)


class ProseVote(Vote):
    """Takes every longer run of text for content: better than nothing on a page that no
    extractor can read or that is too large for one."""

    def __init__(self) -> None:
        super().__init__("")

    def share(self, text: str) -> float:
        return float(len(text) >= PROSE)


def weigh(root: HtmlElement, vote: Vote) -> dict[HtmlElement, Weight]:
    """The weight of every element below `root`, in one walk."""
    weights: dict[HtmlElement, Weight] = {}
    run = _Run(vote)
    stack: list[HtmlElement] = []
    for event, element in lxml.etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            weights[element] = Weight()
            if element.tag in BLOCKS:
                run.flush(weights)
            stack.append(element)
            run.enter(element)
            run.take(element.text, element)
        else:
            if element.tag in BLOCKS:
                run.flush(weights)
            run.leave(element)
            stack.pop()
            run.take(element.tail if stack else None, stack[-1] if stack else element)
    run.flush(weights)
    _accumulate(root, weights)
    return weights


class _Run:
    """A run of inline text, judged as a whole and credited to the elements it stands in."""

    def __init__(self, vote: Vote) -> None:
        self._vote = vote
        self._parts: list[tuple[str, HtmlElement, bool]] = []
        self._links = 0

    def enter(self, element: HtmlElement) -> None:
        self._links += element.tag == "a"

    def leave(self, element: HtmlElement) -> None:
        self._links -= element.tag == "a"

    def take(self, text: str | None, owner: HtmlElement) -> None:
        if text and not text.isspace():
            self._parts.append((text, owner, self._links > 0))

    def flush(self, weights: dict[HtmlElement, Weight]) -> None:
        if not self._parts:
            return
        share = self._vote.share(" ".join(text for text, _, _ in self._parts))
        for text, owner, linked in self._parts:
            size = len(text.strip())
            weight = weights[owner]
            weight.total += size
            weight.linked += size if linked else 0
            weight.kept += size * share
        self._parts.clear()


def _accumulate(root: HtmlElement, weights: dict[HtmlElement, Weight]) -> None:
    for element in reversed(list(root.iter())):
        parent = element.getparent()
        if parent is not None and parent in weights and element in weights:
            weights[parent].add(weights[element])


def _words(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def _joined(line: str) -> str:
    return "".join(_words(line))


def _shingles(words: list[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[n:] for n in range(SHINGLE)), strict=False)
