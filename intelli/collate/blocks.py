"""Markdown as a flat row of blocks: what can hold a claim, each with its place in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

BlockKind = Literal["prose", "row", "code"]

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t>]{0,4}(#{1,6})(?:[ \t]+(.*))?$")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:=+|-{2,})[ \t]*$")
_RULE = re.compile(r"[ \t>]{0,4}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_ITEM = re.compile(r"([ \t>]*)(?:[-*+•‣–]|\(?\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r"[ \t]{0,3}(?:>[ \t]?)+")
_DELIMITERS = re.compile(r"[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*$")
_DEFINITION = re.compile(r"[ \t>]*\[[^\]\n]{1,60}\]:[ \t]*\S")
_CONTENTS_ENTRY = re.compile(r"[ \t]*\[[^\]\n]*\]\(#[^)\n]*\)[ \t.]*$")
_LISTED_SOURCE = re.compile(r"[ \t>]*(?:\[|\(?\d|<?https?:|www\.)")
_LABELLED = 7  # a source list opened by a label, not by a heading (levels 1 to 6)
_NUMBERING = re.compile(r"^[\d.)\s]+")
_SOURCES = frozenset(
    "sources source references reference citations citation bibliography footnotes endnotes "
    "works-cited source-list list-of-sources sources-used sources-cited cited-sources "
    "quellen références fuentes referencias fontes referências fonti источники литература "
    "来源 參考文獻 参考文献 参考资料 出典 参考 출처 참고문헌".split()
)
_CONTENTS = frozenset(
    "contents table-of-contents toc inhalt inhaltsverzeichnis sommaire 目次 目录".split()
)


@dataclass(slots=True, kw_only=True)
class Block:
    """A paragraph, list item, table row or code block; `start`, `end` bound its content. The fence
    of an `unclosed` code block has no end: it is taken to end before a blank line and a heading."""

    kind: BlockKind
    start: int
    end: int
    item: int = 0
    unclosed: bool = False


@dataclass(slots=True)
class _Line:
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def indent(self) -> int:
        expanded = self.text.expandtabs(4)
        return len(expanded) - len(expanded.lstrip())

    @property
    def blank(self) -> bool:
        return not self.text.strip(" \t>\r")


def blocks(text: str) -> list[Block]:
    """The blocks of `text` in order. Headings, rules, source lists, link definitions, tables of
    contents and the head rows of tables are none. Linear in `text`, never raises."""
    return _Scanner(_lines(text)).scan()


def _lines(text: str) -> list[_Line]:
    found, position = [], 0
    for line in text.split("\n"):
        found.append(_Line(line, position))
        position += len(line) + 1
    return found


def _is_delimiter_row(line: str) -> bool:
    return "-" in line and len(line) < 2000 and bool(_DELIMITERS.match(line))


def _heading_name(text: str) -> str:
    bare = _NUMBERING.sub("", text.strip().strip("#*_: \t").casefold())
    return "-".join(bare.split())


@dataclass(slots=True)
class _Scanner:
    lines: list[_Line]
    found: list[Block] = field(default_factory=list)
    current: Block | None = None
    item: int = 0
    list_indent: int = -1
    skip_level: int = 0

    def scan(self) -> list[Block]:
        k = 0
        while k < len(self.lines):
            k = self._step(k)
        self._close()
        return self.found

    def _step(self, k: int) -> int:
        line = self.lines[k]
        fence = _FENCE.match(line.text)
        if fence:
            return self._fenced(k, fence)
        if line.blank:
            self._close()
            return k + 1
        heading = _HEADING.match(line.text)
        if heading:
            self._heading(len(heading.group(1)), heading.group(2) or "")
            return k + 1
        if self._underlined(k):
            return k + 2
        if _RULE.match(line.text):
            self._close()
            self.skip_level = 0 if self.skip_level == _LABELLED else self.skip_level
            return k + 1
        if self._is_table(k):
            return self._table(k)
        if self.current is None and self._is_indented_code(line):
            return self._indented(k)
        self._text(line)
        return k + 1

    def _heading(self, level: int, title: str) -> None:
        self._close()
        self.list_indent = -1
        if self.skip_level and level > self.skip_level and self.skip_level != _LABELLED:
            return
        name = _heading_name(title)
        self.skip_level = level if name in _SOURCES or name in _CONTENTS else 0

    def _underlined(self, k: int) -> bool:
        if self.current is not None or k + 1 >= len(self.lines) or "|" in self.lines[k].text:
            return False
        if _ITEM.match(self.lines[k].text) or not _UNDERLINE.match(self.lines[k + 1].text):
            return False
        self._heading(1 if "=" in self.lines[k + 1].text else 2, self.lines[k].text)
        return True

    def _fenced(self, k: int, fence: re.Match[str]) -> int:
        marker = fence.group(1)
        opening = self.lines[k]
        lead = _ITEM.match(opening.text)
        if lead:
            self._close()
            self.list_indent = len(lead.group(1))
            self.item += 1
        inside = self.current is not None or (self.list_indent >= 0 and opening.indent > 0)
        self._close()
        if not (inside or lead) or self.item == 0:
            self.item += 1
            self.list_indent = -1
        last = k + 1
        while last < len(self.lines) and not self._closes(self.lines[last].text, marker):
            last += 1
        unclosed = last == len(self.lines)
        last = self._before_heading(k + 1) if unclosed else last
        body = self.lines[k + 1 : last]
        while unclosed and body and body[-1].blank:
            body.pop()
        if any(not line.blank for line in body):
            start, end = body[0].start, body[-1].end
            self._append(
                Block(kind="code", start=start, end=end, item=self.item, unclosed=unclosed)
            )
        return last if unclosed else last + 1

    def _before_heading(self, first: int) -> int:
        """The first line from `first` on that is blank and followed by a heading, else the end."""
        for k in range(first, len(self.lines) - 1):
            if self.lines[k].blank and _HEADING.match(self.lines[k + 1].text):
                return k
        return len(self.lines)

    @staticmethod
    def _closes(line: str, marker: str) -> bool:
        bare = line.strip(" \t>\r")
        return len(bare) >= len(marker) and not bare.strip(marker[0])

    def _is_indented_code(self, line: _Line) -> bool:
        return self.list_indent < 0 and line.indent >= 4 and not _ITEM.match(line.text)

    def _indented(self, k: int) -> int:
        last = k
        while last < len(self.lines) and (self.lines[last].blank or self.lines[last].indent >= 4):
            last += 1
        end = last
        while self.lines[end - 1].blank:
            end -= 1
        self.item += 1
        start, stop = self.lines[k].start, self.lines[end - 1].end
        self._append(Block(kind="code", start=start, end=stop, item=self.item))
        return last

    def _is_table(self, k: int) -> bool:
        text = self.lines[k].text
        if text.lstrip(" \t>").startswith("|"):
            return True
        following = self.lines[k + 1].text if k + 1 < len(self.lines) else ""
        return "|" in text and "|" in following and _is_delimiter_row(following)

    def _table(self, k: int) -> int:
        self._close()
        first = k
        while k < len(self.lines) and "|" in self.lines[k].text and not self.lines[k].blank:
            following = self.lines[k + 1].text if k + 1 < len(self.lines) else ""
            head = k == first and _is_delimiter_row(following)
            line = self.lines[k]
            if not head and not _is_delimiter_row(line.text):
                self.item += 1
                self._append(Block(kind="row", start=line.start, end=line.end, item=self.item))
            k += 1
        return max(k, first + 1)

    def _text(self, line: _Line) -> None:
        item = _ITEM.match(line.text)
        if item:
            self._close()
            self.list_indent = len(item.group(1))
            self.item += 1
            self._open(line, item.end())
            return
        if _DEFINITION.match(line.text) or line.text.lstrip().startswith("<!--"):
            self._close()
            return
        if self.current is not None:
            self.current.end = line.end
            return
        if self.skip_level == _LABELLED and not _LISTED_SOURCE.match(line.text):
            self.skip_level = 0
        if line.indent <= max(self.list_indent, 0):
            self.list_indent = -1
        if self.list_indent < 0:
            self.item += 1
        quote = _QUOTE.match(line.text)
        self._open(line, quote.end() if quote else 0)

    def _open(self, line: _Line, offset: int) -> None:
        rest = line.text[offset:]
        if _CONTENTS_ENTRY.match(rest) or rest.strip().casefold() == "[toc]":
            return
        self.current = Block(kind="prose", start=line.start + offset, end=line.end, item=self.item)
        self._label(rest)

    def _label(self, rest: str) -> None:
        """`**Sources:**` on a line of its own opens a source list as a heading would."""
        bare = rest.strip()
        labelled = bare.endswith((":", "**", "__")) and len(bare) < 40
        if labelled and _heading_name(bare) in _SOURCES:
            self.current = None
            self.skip_level = _LABELLED

    def _append(self, block: Block) -> None:
        if not self.skip_level:
            self.found.append(block)

    def _close(self) -> None:
        if self.current is not None:
            self._append(self.current)
            self.current = None
