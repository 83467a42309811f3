"""Holds what a model copied against the page: code, tables, quotations, code with figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from intelli.extract.original import Original
from intelli.records import record
from intelli.report_text import fence_after

_BLOCK = re.compile(r"\n\s*\n")
_SHORTEST_SPAN = 20
_CODE = re.compile(r"(?<!`)`([^`\n]{1,300})`(?!`)")
_QUOTED = re.compile(r"\"([^\"\n]{25,400})\"|“([^”\n]{25,400})”")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"\w")
_MOST_LOST = 0.5
_FOUR = 4


@record
class Checked:
    """The notes with only such code, tables and quotations as the page has. `spans` are where whole
    blocks of theirs stand on it; `repaired` says `copied -> page`, `dropped` what went."""

    text: str
    spans: tuple[tuple[int, int], ...]
    repaired: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


def checked(notes: str, source: str) -> Checked:
    """What stands on the page stays as it is; what nearly does becomes what the page says; a block,
    row or sentence that does not is left out, a quotation loses its marks."""
    check = _Check(Original(source))
    text = "\n".join(check.lines(notes)).strip()
    return Checked(
        text=text,
        spans=verbatim_spans(text, source),
        repaired=tuple(check.repaired),
        dropped=tuple(check.dropped),
    )


def verbatim_spans(notes: str, source: str) -> tuple[tuple[int, int], ...]:
    """Where blocks of the notes stand word for word in the source, in the source's order."""
    spans = set()
    for block in _BLOCK.split(notes):
        body = block.strip()
        start = source.find(body) if len(body) >= _SHORTEST_SPAN else -1
        if start >= 0:
            spans.add((start, start + len(body)))
    return tuple(sorted(spans))


@dataclass
class _Check:
    original: Original
    repaired: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    def lines(self, notes: str) -> Iterator[str]:
        """The lines that may stay, code blocks judged as a whole."""
        code: list[str] = []
        fence = ""
        head = True
        for line in notes.splitlines():
            was, fence = fence, fence_after(line, fence)
            if was or fence:
                code.append(line)
                if not fence:
                    yield from self._code(code)
                    code = []
            elif line.lstrip().startswith("|"):
                yield from [line] if head or not line.strip(" \t|:-") else self._row(line)
                head = False
            else:
                head = True
                yield from self._prose(line)
        if code:
            yield from self._code([*code, fence])

    def _code(self, block: list[str]) -> list[str]:
        opening, *body, closing = block
        if self.original.has("\n".join(body)):
            return block
        repaired, dropped = len(self.repaired), len(self.dropped)
        kept = [line for copied in body if (line := self._code_line(copied)) is not None]
        wanted = sum(bool(line.strip()) for line in body)
        if len(self.dropped) - dropped <= _MOST_LOST * wanted and any(map(str.strip, kept)):
            return [opening, *kept, closing]
        del self.repaired[repaired:], self.dropped[dropped:]
        self.dropped.append("\n".join(body))
        return []

    def _code_line(self, line: str) -> str | None:
        if _is_elision(line) or self.original.has(line):
            return line
        near = self.original.nearest_line(line)
        if not near:
            self.dropped.append(line.strip())
            return None
        self.repaired.append(f"{line.strip()} -> {near}")
        return line[: len(line) - len(line.lstrip())] + near

    def _row(self, line: str) -> list[str]:
        cells = [cell for cell in line.strip().strip("|").split("|") if _WORD.search(cell)]
        if self.original.has_row(cells):
            return [line]
        near = self.original.nearest_line(line, rows=True)
        if near and near.strip("|").count("|") == line.strip().strip("|").count("|"):
            self.repaired.append(f"{line.strip()} -> {near}")
            return [near]
        self.dropped.append(line.strip())
        return []

    def _prose(self, line: str) -> list[str]:
        if line.lstrip().startswith(">"):
            line = self._quoted_line(line)
        line = _QUOTED.sub(self._quotation, line)
        item = _ITEM.match(line)
        start = item.end() if item else 0
        sentences = _SENTENCE.split(line[start:])
        kept = [each for each in map(self._sentence, sentences) if each]
        if kept == sentences:
            return [line]
        return [line[:start] + " ".join(kept)] if kept or not line[start:] else []

    def _sentence(self, sentence: str) -> str:
        """With what it gives as code put right, without the marks where the page only says as much
        in other words; "" when the page does not."""
        for match in _CODE.finditer(sentence):
            code = match[1]
            if not _DIGIT.search(code) or self.original.has(code):
                continue
            if self.original.has_parts(code):
                said = code
            elif near := self.original.other_figures(code):
                said = f"`{near}`"
            else:
                self.dropped.append(sentence)
                return ""
            self.repaired.append(f"`{code}` -> {said}")
            sentence = sentence.replace(f"`{code}`", said)
        return sentence

    def _quoted_line(self, line: str) -> str:
        words = line.lstrip().lstrip("> ")
        if not _WORD.search(words) or self.original.has(words):
            return line
        near = self.original.nearest_sentence(words)
        if near:
            self.repaired.append(f"{words} -> {near}")
            return f"> {near}"
        self.dropped.append(f"the marks of a quotation: {words}")
        return words

    def _quotation(self, match: re.Match[str]) -> str:
        words = match[1] or match[2]
        if words.count(" ") < _FOUR or self.original.has(words.rstrip(".,;:")):
            return match[0]
        near = self.original.nearest_sentence(words)
        if near:
            self.repaired.append(f"{words} -> {near}")
            return f'"{near}"'
        self.dropped.append(f"the marks of a quotation: {words}")
        return words


def _is_elision(line: str) -> bool:
    return ("..." in line or "…" in line) and not _WORD.search(line)
