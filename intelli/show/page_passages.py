"""The text of a stored source with the passages that claims rest on marked in it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from intelli.show.text import clean

Span = tuple[int, int, str]


def anchor(claim: int, source: int) -> str:
    """The name of the first passage in source `source` that claim number `claim` rests on."""
    return f"c{claim}-{source}"


def passages(text: str, spans: Iterable[Span]) -> str:
    """`text` as HTML. `spans` are (start, end, name) in code points; those that overlap share one
    mark, which carries the name of each at its first place."""
    parts: list[str] = []
    position, named = 0, set[str]()
    for start, end, names in _merged(spans, len(text)):
        fresh = [name for name in dict.fromkeys(names) if name not in named]
        named.update(fresh)
        parts.append(escape(clean(text[position:start])))
        parts.append(_mark(escape(clean(text[start:end])), fresh))
        position = end
    return "".join(parts) + escape(clean(text[position:]))


def _mark(inner: str, names: list[str]) -> str:
    anchors = "".join(f'<a id="{name}"></a>' for name in names)
    return f"<mark>{anchors}{inner}</mark>"


def _merged(spans: Iterable[Span], length: int) -> list[tuple[int, int, list[str]]]:
    merged: list[tuple[int, int, list[str]]] = []
    inside = ((max(0, start), min(end, length), name) for start, end, name in spans)
    for start, end, name in sorted(span for span in inside if span[0] < span[1]):
        if merged and start < merged[-1][1]:
            before, reach, names = merged[-1]
            merged[-1] = (before, max(reach, end), [*names, name])
        else:
            merged.append((start, end, [name]))
    return merged
