"""Weighs every element: how much text it holds, how much of it is linked, how much is content."""

from __future__ import annotations

from dataclasses import dataclass

from lxml.html import HtmlElement

from intelli.text.html_prose import likelihoods
from intelli.text.html_runs import runs_of


@dataclass(slots=True)
class Weight:
    """Characters below an element: all, inside links, and those that are likely content."""

    total: int = 0
    linked: int = 0
    kept: float = 0.0

    def add(self, other: Weight) -> None:
        """Take over the characters of a child."""
        self.total += other.total
        self.linked += other.linked
        self.kept += other.kept


def weigh(root: HtmlElement) -> dict[HtmlElement, Weight]:
    """The weight of every element below `root`, and its own."""
    weights = {element: Weight() for element in root.iter()}
    runs = runs_of(root)
    for run, share in zip(runs, likelihoods(root, runs), strict=True):
        for text, owner, is_linked in run.parts:
            size = len(text.strip())
            weights[owner].add(Weight(size, size if is_linked else 0, size * share))
    for element in reversed(list(root.iterdescendants())):
        if (parent := element.getparent()) is not None:
            weights[parent].add(weights[element])
    return weights
