"""The blocks of a Markdown text: paragraphs, code, tables and lists, with the headings above."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["prose", "code", "table", "list"]

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_TITLE_LENGTH = 200
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,}|\^{3,}|\"{3,})[ \t]*\Z")
_UNDERLINE_LEVEL = {"=": 1, "-": 2, "~": 3, "^": 4, '"': 5}
_FENCE = re.compile(r"[ \t]*(`{3,}(?=[^`]*\Z)|~{3,})")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|\Z)")
_DELIMITER_ROW = re.compile(
    r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*\Z"
)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"\*\*|__|[*`]|\\(?=[^\w\s])")


class _Line(NamedTuple):
    start: int
    end: int
    text: str


class Block(NamedTuple):
    """`heading` is the path of headings above, joined by ` > `; offsets count code points."""

    start: int
    end: int
    heading: str
    kind: Kind


class Scanner:
    """Walks the lines once and yields blocks; keeps the path of headings."""

    def __init__(self, text: str) -> None:
        self.lines = _lines(text)
        self.path: list[tuple[int, str]] = []
        self.heading = ""
        self.bare: Block | None = None

    def blocks(self) -> Iterator[Block]:
        """In the order of the text, without gaps but for blank lines and headings."""
        at = 0
        while at < len(self.lines):
            if not self.lines[at].text.strip():
                at += 1
                continue
            found = self._heading(at)
            if found:
                level, title, stop = found
                if self.bare and level <= self.path[-1][0]:
                    yield self.bare
                self._enter(level, title, at, stop)
            else:
                kind, stop = self._block(at)
                self.bare = None
                yield self._span(at, stop, kind)
            at = stop
        if self.bare:
            yield self.bare

    def _span(self, first: int, stop: int, kind: Kind) -> Block:
        return Block(self.lines[first].start, self.lines[stop - 1].end, self.heading, kind)

    def _enter(self, level: int, title: str, first: int, stop: int) -> None:
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self.heading = " > ".join(name for _, name in self.path if name)
        self.bare = self._span(first, stop, "prose")
        self.path.append((level, title))
        self.heading = " > ".join(name for _, name in self.path if name)

    def _heading(self, at: int) -> tuple[int, str, int] | None:
        """(level, title, index of the next line) of a heading that starts here."""
        text = self.lines[at].text
        match = _HEADING.match(text) if "#" in text[:4] else None
        if match:
            return len(match[1]), _plain(text[match.end() :]), at + 1
        under = self._text(at + 1)
        if not _UNDERLINE.match(under) or text[0] in " \t|>":
            return None
        if _ITEM.match(text) or _FENCE.match(text) or _is_rule(text):
            return None
        mark, width = under[0], len(under.rstrip())
        # `~~~` and the like under a longer line open a block of code, not a heading.
        if (mark not in "=-" and width < len(text.rstrip())) or _UNDERLINE.match(text):
            return None
        return _UNDERLINE_LEVEL[mark], _plain(text), at + 2

    def _text(self, at: int) -> str:
        return self.lines[at].text if at < len(self.lines) else ""

    def _block(self, at: int) -> tuple[Kind, int]:
        text = self.lines[at].text
        if _FENCE.match(text):
            return "code", self._fence_stop(at)
        if self._is_table(at):
            return "table", self._table_stop(at)
        if _ITEM.match(text) and not _is_rule(text):
            return "list", self._list_stop(at)
        if _is_indented(text, 4):
            return "code", self._indented_stop(at)
        return "prose", self._paragraph_stop(at)

    def _fence_stop(self, at: int) -> int:
        opening = _FENCE.match(self.lines[at].text)
        assert opening
        mark = opening[1]
        for stop in range(at + 1, len(self.lines)):
            line = self.lines[stop].text.strip()
            if line.startswith(mark) and not line.strip(mark[0]):
                return stop + 1
        return len(self.lines)

    def _is_table(self, at: int) -> bool:
        text = self.lines[at].text
        if "|" not in text:
            return False
        return text.lstrip().startswith("|") or (
            "|" in self._text(at + 1) and bool(_DELIMITER_ROW.match(self._text(at + 1)))
        )

    def _table_stop(self, at: int) -> int:
        while at < len(self.lines) and "|" in self.lines[at].text:
            at += 1
        return at

    def _list_stop(self, at: int) -> int:
        """A list goes on over blank lines as long as an item or an indented line follows."""
        stop = at + 1
        blank = False
        while stop < len(self.lines):
            text = self.lines[stop].text
            if not text.strip():
                blank = True
                stop += 1
                continue
            indented = _is_indented(text, 2)
            if indented and _FENCE.match(text):
                stop = self._fence_stop(stop)
            elif indented or (_ITEM.match(text) and not _is_rule(text)):
                stop += 1
            elif blank or self._interrupts(stop):
                break
            else:
                stop += 1
            blank = False
        return stop

    def _indented_stop(self, at: int) -> int:
        stop = last = at + 1
        while stop < len(self.lines):
            text = self.lines[stop].text
            if _is_indented(text, 4):
                last = stop + 1
            elif text.strip():
                break
            stop += 1
        return last

    def _paragraph_stop(self, at: int) -> int:
        stop = at + 1
        while stop < len(self.lines) and self.lines[stop].text.strip():
            if self._interrupts(stop) or _ITEM.match(self.lines[stop].text):
                break
            stop += 1
        return stop

    def _interrupts(self, at: int) -> bool:
        """Whether a heading, fence or table starts here, right under other text."""
        text = self.lines[at].text
        return bool(
            _FENCE.match(text)
            or (text.startswith("#") and _HEADING.match(text))
            or self._is_table(at)
        )


def _lines(text: str) -> list[_Line]:
    lines, start = [], 0
    for part in text.split("\n"):
        end = start + len(part)
        lines.append(_Line(start, end, part.rstrip("\r")))
        start = end + 1
    return lines


def _is_rule(text: str) -> bool:
    """`* * *` and `- - -` are rules, though they start like an item."""
    marks = text.replace(" ", "")
    return len(marks) > 2 and len(set(marks)) == 1 and marks[0] in "-*"


def _is_indented(text: str, width: int) -> bool:
    return text.startswith((" " * width, "\t")) and not text.isspace()


def _plain(heading: str) -> str:
    title = heading.strip()
    opened = title.rstrip("#")
    if not opened or opened[-1] in " \t":  # `## Title ##`, but not `## C#`
        title = opened.rstrip()
    title = title[:_TITLE_LENGTH]
    return _EMPHASIS.sub("", _LINK.sub(r"\1", title)).strip(" \t¶")
