"""What of a long page a model is shown: its beginning, and the passages that may hold an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from intelli.extract.mending import mended
from intelli.extract.selection import AROUND, in_context, with_neighbours
from intelli.records import Query, record
from intelli.text.passages import Passage, split
from intelli.text.ranking import tokens
from intelli.text.relevance import graded

WHOLE = 30_000
"""Characters up to which a page is shown whole."""

_BEGINNING = 1_500
_LEAST = 8_000
_SHARES = ((0.5, 0.26), (0.08, 0.35), (0.0, 1.0))
"""How much of a page is shown when its best passage has at least this share of the words asked
for, rare ones counting more. Where hardly a word matches (another language, other words) only the
whole page is sure to hold the answer."""

_PEAKS = 0.7
"""The share that goes to the best passages; the rest goes to those near several good ones."""

_MARK = 60
_SHORT_GAP = 120
"""What is left out of so few characters would be longer to announce than to show."""

_OUTLINE = 0.1
"""Characters for the headings of what is left out, as a share of those shown."""

_FEWEST_NAMES = 80


@record
class Shown:
    """`text` is what the model sees; `spans` are the offsets of what it holds of the page."""

    text: str
    spans: tuple[tuple[int, int], ...]


def preselect(text: str, query: Query, most: int) -> Shown:
    """At most about `most` characters of a page: the whole of a short one; of one over `WHOLE` what
    answers `query`, more where that is unsure. A line stands wherever something is left out."""
    if len(text) <= min(WHOLE, most):
        return Shown(text=text, spans=((0, len(text)),))
    passages = mended(text, split(text))
    kept = _chosen(passages, query, len(text), most)
    runs = list(_runs(kept))
    return Shown(
        text="\n\n".join(_rendered(text, passages, runs)),
        spans=tuple((_start(passages, first), passages[last].end) for first, last in runs),
    )


def _chosen(passages: Sequence[Passage], query: Query, size: int, most: int) -> list[int]:
    documents = [tokens(f"{passage.heading}\n{passage.text}") for passage in passages]
    found = graded(query, documents)
    certainty = max(found.scores, default=0.0) / (found.ceiling or 1.0)
    share = next(share for least, share in _SHARES if certainty >= least)
    left = min(most, max(_LEAST, int(share * size)))
    chosen: set[int] = set()
    beginning = [-float(passage.start) for passage in passages]
    peaks = in_context(passages, found.scores)
    breadth = with_neighbours(found.scores, AROUND)
    left -= _take(passages, beginning, min(left, _BEGINNING), chosen)
    left -= _take(passages, peaks, int(left * _PEAKS), chosen)
    _take(passages, breadth, left, chosen)
    return _bridged(passages, sorted(chosen))


def _bridged(passages: Sequence[Passage], chosen: Sequence[int]) -> list[int]:
    """With the short gaps filled."""
    filled: list[int] = list(chosen[:1])
    for before, n in pairwise(chosen):
        gap = passages[n].start - passages[before].end
        filled.extend(range(before + 1, n) if gap <= _SHORT_GAP else ())
        filled.append(n)
    return filled


def _take(passages: Sequence[Passage], scores: Sequence[float], room: int, into: set[int]) -> int:
    """Adds the best passages that are not there yet as long as they fit; the characters used, the
    line about what is left out before a passage included."""
    used = 0
    for n in sorted(range(len(passages)), key=lambda n: (-scores[n], n)):
        if n in into:
            continue
        size = len(passages[n].text) + 2
        size += _MARK if into.isdisjoint((n - 1, n + 1)) else 0
        if used + size > room:
            break
        used += size
        into.add(n)
    return used


def _runs(chosen: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last of each stretch without a gap."""
    if not chosen:
        return
    edges = [(a, b) for a, b in pairwise(chosen) if b != a + 1]
    firsts = [chosen[0], *(b for _, b in edges)]
    lasts = [*(a for a, _ in edges), chosen[-1]]
    yield from zip(firsts, lasts, strict=True)


def _rendered(
    text: str, passages: Sequence[Passage], runs: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """The stretches as they stand on the page, and between them what is left out."""
    after = 0
    shown = sum(passages[last].end - passages[first].start for first, last in runs)
    room = max(_FEWEST_NAMES, int(_OUTLINE * shown) // (len(runs) + 1))
    for first, last in runs:
        if first > after:
            yield _left_out(passages[after:first], passages[first].heading, room)
        yield _stretch(text, passages, first, last)
        after = last + 1
    if after < len(passages):
        yield _left_out(passages[after:], "", room)


def _start(passages: Sequence[Passage], first: int) -> int:
    return passages[first].start if first else 0


def _stretch(text: str, passages: Sequence[Passage], first: int, last: int) -> str:
    """A piece of a cut code block or table has its fence or head row at both ends."""
    start, end = passages[first].start, passages[last].end
    before, _, _ = passages[first].text.partition(text[start : passages[first].end])
    _, _, behind = passages[last].text.partition(text[passages[last].start : end])
    return f"{before}{text[_start(passages, first) : end]}{behind}"


def _left_out(passages: Sequence[Passage], following: str, room: int) -> str:
    """One line: how much, under which headings, and under which it goes on, each in `room`."""
    size = passages[-1].end - passages[0].start
    names = dict.fromkeys(
        passage.heading.rpartition(" > ")[2] for passage in passages if passage.heading
    )
    listed = _shortened("; ".join(names), room)
    under = f", under: {listed}" if listed else ""
    on = f" The page goes on under: {_shortened(following, room)}" if following else ""
    return f"[LEFT OUT HERE: {size:,} characters{under}.{on}]"


def _shortened(names: str, room: int) -> str:
    return names if len(names) <= room else names[:room].rstrip() + "…"
