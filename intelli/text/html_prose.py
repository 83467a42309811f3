"""Judges by measured features how likely each run of text is content of its page."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from operator import mul

from lxml.html import HtmlElement

from intelli.text.html_runs import Run
from intelli.text.html_tree import tag_of

_ENDS = re.compile(r"[.!?。！？…:;][\"'”’)\]»]*$")
_STOPS = re.compile(r"[,.;،。、，](?=\s|$)|[。、，]")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_CHROME = re.compile(
    r"subscri|newsletter|cookie|privacy|share (?:this|on)|follow us|sign ?up|log ?in|sign in|"
    r"copyright|©|all rights|related|read more|read next|min(?:ute)?s? read|posted (?:on|by|in)|"
    r"published|last (?:updated|modified|edited)|advertis|sponsored|leave a (?:reply|comment)|"
    r"comments?\b|e-?mail|tweet|facebook|twitter|linkedin|whatsapp|download|register|join|"
    r"learn more|(?:view|see|show) (?:more|all)|next|previous|table of contents|on this page|"
    r"skip to|edit (?:this|on)|was this|helpful|feedback|report|reply|contact|terms|suscr|"
    r"compart|leia|lire aussi|abonn|anmeld|weiterl|teilen|udost|czytaj|(?:foto|photo|image):|"
    r"crédit|redaktion|thank|menu|search|home\b|tags?:|categor|filed under|written by|photo by|"
    r"image (?:source|credit)|getty|posts?:|views|likes|joined|location|quote|click",
    re.I,
)
_LONG = 400
_ANCHOR = 80
"""Characters from which on an unlinked run that ends like a sentence is taken for prose."""

_FEW = 600
_MANY = 200_000
"""Runs above which only their length counts: no page that people read has as many."""

SHARPNESS = 2.0
"""Steepens the likelihood, so that many unlikely runs do not add up to content."""

# Log-odds, fitted by bench/content_weights.py; a feature is a share, a flag or a scaled logarithm.
WEIGHTS = {
    "bias": -0.09,
    "length": -1.87,
    "stops": 1.40,
    "digits": -1.18,
    "sentence": 0.50,
    "chrome": -0.65,
    "brief_chrome": -1.64,
    "year": -0.75,
    "paragraph": 0.95,
    "item": 0.75,
    "listing": 1.81,
    "heading": 0.60,
    "table": 1.75,
    "header": -0.90,
    "content_header": 0.83,
    "footer": -1.52,
    "form": -0.72,
    "furniture": -1.05,
    "doubtful": -1.01,
    "apart": -1.13,
    "content": -0.58,
    "text": 0.82,
    "parent_links": -1.16,
    "above_links": 1.48,
    "above_share": 1.41,
    "following": 1.21,
    "core": 1.12,
    "inner": 0.91,
    "after": -0.87,
    "linked_core": -0.92,
    "outside": -0.47,
    "poor": 0.62,
    "end": 0.66,
}


def likelihoods(root: HtmlElement, runs: Sequence[Run]) -> list[float]:
    """For each run of the page below `root` how likely it is content, 0 to 1."""
    if len(runs) > _MANY:
        return [float(run.size >= _ANCHOR) for run in runs]
    weights = list(WEIGHTS.values())
    return [sigmoid(SHARPNESS * sum(map(mul, weights, values))) for values in features(root, runs)]


def features(root: HtmlElement, runs: Sequence[Run]) -> Iterator[tuple[float, ...]]:
    """The values of every run, in the order of `WEIGHTS`."""
    page = _Page(root, runs)
    return (page.measured(n) for n in range(len(runs)))


class _Page:
    """What is known of the page as a whole when its runs are measured one by one."""

    def __init__(self, root: HtmlElement, runs: Sequence[Run]) -> None:
        self._root = root
        self._runs = runs
        self._texts = [run.text for run in runs]
        self._sizes: dict[HtmlElement, int] = {}
        self._linked: dict[HtmlElement, int] = {}
        self._prose: dict[HtmlElement, int] = {}
        anchors = [n for n in range(len(runs)) if self._is_anchor(n)]
        self._fill(anchors)
        self._add_up()
        self._total = max(1, self._sizes.get(root, 0))
        self._core = set(self._deepest(0.75).iter())
        self._inner = set(self._deepest(0.5).iter())
        inside = [n for n in anchors if runs[n].block in self._core]
        self._last = inside[-1] if inside else len(runs) - 1
        self._is_poor = float(self._prose.get(root, 0) < _FEW)
        self._mains = any(run.place.main for run in runs)
        self._articles = any(run.place.article for run in runs)
        self._before = 0
        self._flow = [_length(run.size) * (1 - _ratio(run.linked, run.size)) for run in runs]

    def measured(self, n: int) -> tuple[float, ...]:
        """The features of run `n`; to be asked in order."""
        run, text = self._runs[n], self._texts[n]
        place, tag = run.place, tag_of(run.block)
        parent = self._up(run.block)
        above = self._up(parent)
        length, linked = _length(run.size), _ratio(run.linked, run.size)
        core = float(run.block in self._core)
        chrome = run.size < 250 and _CHROME.search(text) is not None
        head = text[:200]
        position = self._before / self._total
        self._before += run.size
        return (
            1.0,
            length,
            min(5, len(_STOPS.findall(text))) / 5,
            sum(map(str.isdigit, head)) / max(1, len(head)),
            float(_ENDS.search(text) is not None),
            float(chrome),
            float(chrome and run.size < 40),
            float(run.size < 60 and _YEAR.search(text) is not None),
            float(tag == "p"),
            float(tag == "li"),
            float(tag == "pre"),
            float(tag in {"h2", "h3"}),
            place.table,
            place.header,
            place.header * max(place.main, place.article),
            place.footer,
            place.form,
            place.furniture,
            place.doubtful,
            place.apart,
            place.content,
            place.text * length,
            self._link_share(parent, run),
            self._link_share(above, run),
            self._sizes.get(above, run.size) / self._total,
            sum(self._flow[n + 1 : n + 4]) / 3,
            core,
            float(run.block in self._inner),
            float(n > self._last),
            linked * core,
            self._is_outside(run),
            self._is_poor,
            max(0.0, position - 0.9) * 10,
        )

    def _is_anchor(self, n: int) -> bool:
        run = self._runs[n]
        long = run.size >= _ANCHOR and run.linked < 0.3 * run.size
        return long and _ENDS.search(self._texts[n]) is not None

    def _fill(self, anchors: Sequence[int]) -> None:
        for run in self._runs:
            for text, owner, is_linked in run.parts:
                size = len(text.strip())
                self._sizes[owner] = self._sizes.get(owner, 0) + size
                if is_linked:
                    self._linked[owner] = self._linked.get(owner, 0) + size
        for n in anchors:
            run = self._runs[n]
            self._prose[run.block] = self._prose.get(run.block, 0) + min(run.size, _FEW)

    def _add_up(self) -> None:
        for element in reversed(list(self._root.iterdescendants())):
            parent = element.getparent()
            for sums in (self._sizes, self._linked, self._prose):
                if parent is not None and element in sums:
                    sums[parent] = sums.get(parent, 0) + sums[element]

    def _deepest(self, share: float) -> HtmlElement:
        """The deepest element with this share of the page's prose."""
        least = share * self._prose.get(self._root, 0)
        current = self._root
        while least:
            inner = next((e for e in current if self._prose.get(e, 0) >= least), None)
            if inner is None:
                break
            current = inner
        return current

    def _up(self, element: HtmlElement) -> HtmlElement:
        parent = element.getparent()
        return element if element is self._root or parent is None else parent

    def _link_share(self, element: HtmlElement, run: Run) -> float:
        return self._linked.get(element, 0) / max(1, self._sizes.get(element, run.size))

    def _is_outside(self, run: Run) -> float:
        if self._mains:
            return 1.0 - run.place.main
        return float(self._articles) * (1.0 - run.place.article)


def _length(size: int) -> float:
    return math.log2(1 + min(size, _LONG)) / 8


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def sigmoid(value: float) -> float:
    """The likelihood, 0 to 1, that log-odds stand for."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))
