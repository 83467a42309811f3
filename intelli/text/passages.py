"""Markdown cut into passages of about one paragraph, each with its headings and exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from intelli.text.markdown_blocks import Block, Kind, Scanner

_WHOLE = 3
"""A code block, table or list of up to this many targets stays in one piece."""

_ABBREVIATED = r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bcf)(?<!\bz\.B)(?<!\bca)(?<!\bbzw)"
_SENTENCE_END = re.compile(_ABBREVIATED + r"[.!?…][\"'”’)\]*_]*(?=\s)|[。！？][」』”）]*")
_LINE_END = re.compile(r"\n")
_SPACE = re.compile(r"\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of a text: `text == source[start:end]`, offsets in code points.

    `heading` is the path of headings above it, outermost first, joined by ` > `.
    """

    text: str
    start: int
    end: int
    heading: str = ""
    kind: Kind = "prose"


def split(text: str, target: int = 450) -> tuple[Passage, ...]:
    """Passages in the order of the text, about `target` characters each; linear in its length.

    Short paragraphs under one heading are joined, long ones cut between sentences. Code blocks,
    tables and lists stay whole unless they exceed three targets, then they are cut between lines.
    Heading lines are in `heading` and stand as passages only where nothing follows them.
    """
    if target < 1:
        raise ValueError(f"target must be positive, not {target}")
    passages = []
    for block in _join(Scanner(text).blocks(), target):
        for start, end in _cut(text, block, target):
            passage = _trimmed(text, start, end, block)
            if passage:
                passages.append(passage)
    return tuple(passages)


def _trimmed(text: str, start: int, end: int, block: Block) -> Passage | None:
    piece = text[start:end]
    stripped = piece.rstrip()
    # The indentation of a first line belongs to code and to nested items.
    lead = len(stripped) - len(stripped.lstrip("\n\r" if block.kind != "prose" else None))
    if not stripped[lead:]:
        return None
    return Passage(
        text=stripped[lead:],
        start=start + lead,
        end=start + len(stripped),
        heading=block.heading,
        kind=block.kind,
    )


def _join(blocks: Iterator[Block], target: int) -> Iterator[Block]:
    """Neighbouring paragraphs under one heading become one block while they fit the target."""
    held: Block | None = None
    for block in blocks:
        joinable = (
            held is not None
            and held.kind == block.kind == "prose"
            and held.heading == block.heading
            and block.end - held.start <= target
        )
        if held is not None and joinable:
            held = held._replace(end=block.end)
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def _cut(text: str, block: Block, target: int) -> Iterator[tuple[int, int]]:
    size = block.end - block.start
    if block.kind == "prose":
        parts = max(1, round(size / target))
        yield from _pieces(text, block, -(-size // parts), (_SENTENCE_END, _LINE_END, _SPACE))
    elif size <= _WHOLE * target:
        yield block.start, block.end
    else:
        yield from _pieces(text, block, 2 * target, (_LINE_END,))


def _pieces(
    text: str, block: Block, goal: int, ends: tuple[re.Pattern[str], ...]
) -> Iterator[tuple[int, int]]:
    """Cuts at the best kind of end there is near the goal, without one right at the goal."""
    start, slack = block.start, max(1, goal // 3)
    while block.end - start > goal + slack:
        cut = _nearest_end(text, start + goal, slack, ends)
        yield start, cut
        start = cut
    yield start, block.end


def _nearest_end(text: str, goal: int, slack: int, ends: tuple[re.Pattern[str], ...]) -> int:
    for pattern in ends:
        found = [m.end() for m in pattern.finditer(text, goal - slack, goal + slack)]
        if found:
            return min(found, key=lambda position: abs(position - goal))
    return goal
