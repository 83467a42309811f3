"""Splits a page into runs of inline text and notes in which parts of the page each stands."""

from __future__ import annotations

from dataclasses import dataclass, field

import lxml.etree
from lxml.html import HtmlElement

from intelli.text.html_names import names_of
from intelli.text.html_tree import BLOCKS

_FADING = 0.8
"""What is left of a name's word with every block below the element that bears it."""

_ROLES = {"contentinfo": "footer", "banner": "header", "main": "main"}
_REGIONS = frozenset({"header", "footer", "form", "main", "article", "table"})


@dataclass(slots=True)
class Place:
    """What stands around a text: regions as 0 or 1, the word of names fading with distance."""

    header: float = 0.0
    footer: float = 0.0
    form: float = 0.0
    main: float = 0.0
    article: float = 0.0
    table: float = 0.0
    furniture: float = 0.0
    doubtful: float = 0.0
    apart: float = 0.0
    content: float = 0.0
    text: float = 0.0

    def inside(self, element: HtmlElement) -> Place:
        """The place of what the element holds."""
        is_block = element.tag in BLOCKS
        names = names_of(element)
        if not is_block and not any(names):
            return self
        fading = _FADING if is_block else 1.0
        place = Place(
            self.header, self.footer, self.form, self.main, self.article, self.table,
            1.0 if names.furniture else self.furniture * fading,
            1.0 if names.doubtful else self.doubtful * fading,
            1.0 if names.apart else self.apart * fading,
            1.0 if names.content else self.content * fading,
            1.0 if names.text else self.text * fading,
        )  # fmt: skip
        if (region := _region(element)) is not None:
            setattr(place, region, 1.0)
        return place


@dataclass(slots=True)
class Run:
    """Inline text between two block borders. `parts` are text, owner and whether it is linked;
    `size` and `linked` are characters without outer blanks."""

    block: HtmlElement
    place: Place
    parts: list[tuple[str, HtmlElement, bool]] = field(default_factory=list)
    size: int = 0
    linked: int = 0

    @property
    def text(self) -> str:
        """The text with white space folded."""
        return " ".join(" ".join(text for text, _, _ in self.parts).split())


def runs_of(root: HtmlElement) -> list[Run]:
    """All runs below `root` in document order, in one walk."""
    walk = _Walk(root)
    for event, element in lxml.etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            walk.enter(element)
        else:
            walk.leave(element)
    walk.end_run()
    return walk.runs


class _Walk:
    def __init__(self, root: HtmlElement) -> None:
        self.runs: list[Run] = []
        self._root = root
        self._blocks = [root]
        self._places = [Place()]
        self._links = 0
        self._run = Run(root, self._places[0])

    def enter(self, element: HtmlElement) -> None:
        if element.tag in BLOCKS:
            self.end_run()
            self._blocks.append(element)
        self._places.append(self._places[-1].inside(element))
        self._links += element.tag == "a"
        self._take(element.text, element)

    def leave(self, element: HtmlElement) -> None:
        if element.tag in BLOCKS:
            self.end_run()
            self._blocks.pop()
        self._places.pop()
        self._links -= element.tag == "a"
        if element is not self._root:
            self._take(element.tail, element.getparent())

    def end_run(self) -> None:
        if self._run.parts:
            self.runs.append(self._run)
        self._run = Run(self._root, self._places[0])

    def _take(self, text: str | None, owner: HtmlElement | None) -> None:
        if not text or text.isspace() or owner is None:
            return
        if not self._run.parts:
            self._run.block, self._run.place = self._blocks[-1], self._places[-1]
        size = len(text.strip())
        self._run.parts.append((text, owner, self._links > 0))
        self._run.size += size
        self._run.linked += size if self._links else 0


def _region(element: HtmlElement) -> str | None:
    if element.tag in _REGIONS:
        return str(element.tag)
    if element.get("itemprop") == "articleBody":
        return "article"
    return _ROLES.get(element.get("role") or "")
