"""The Markdown of a manual page while it is being made."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from intelli.text.document import date_of
from intelli.text.fences import fence

_DEEPEST = 6
_BULLETS = frozenset({"•", "·", "o", "*", "-", "–", "—", "+", "□", "○"})


@dataclass(slots=True)
class Page:
    """Blocks made so far, and the words of the one that is open."""

    title: str = ""
    date: str | None = None
    name: str = ""
    blocks: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    code: list[str] | None = None
    lead: str = ""
    waits_for_term: bool = False
    depth: int = 0
    address: str = ""

    def markdown(self) -> str:
        """All blocks, the open one included."""
        self.close_code()
        self.paragraph()
        parts = [self.blocks[0]] if self.blocks else []
        for before, block in itertools.pairwise(self.blocks):
            is_list = block.lstrip().startswith("- ") and before.lstrip().startswith("- ")
            parts += ["\n" if is_list else "\n\n", block]
        return "".join(parts)

    def headed(self, words: list[str]) -> None:
        """Name, section and date of the page."""
        name, section = [*words, "", ""][:2]
        self.title = f"{name}({section})" if section else name
        self.date = date_of(words[2]) if len(words) > 2 else None

    def text(self, line: str) -> None:
        """A line of running text, or of code; a blank one ends a paragraph."""
        if self.code is not None:
            self.code.append(line.rstrip())
        elif self.waits_for_term and line.strip():
            self.waits_for_term = False
            self.term(line.strip())
        elif not line.strip():
            self.paragraph()
        else:
            self.words.append(line.strip())

    def paragraph(self) -> None:
        """End the open block."""
        text = " ".join(self.words).replace(" \n ", "\n")
        self.words = []
        if self.code is None and (text or self.lead):
            self.block(self.lead + text)
            self.lead = ""

    def block(self, text: str) -> None:
        """A finished block, as deep as the page is indented now."""
        if text:
            pad = "  " * self.depth
            self.blocks.append("\n".join(f"{pad}{line}".rstrip() for line in text.split("\n")))

    def heading(self, level: int, text: str) -> None:
        """A section; what was open ends with the one before."""
        self.close_code()
        self.paragraph()
        self.depth = 0
        if text:
            self.blocks.append(f"{'#' * level} {text}")

    def expect_term(self) -> None:
        """The next line is a term, those after it explain it."""
        self.close_code()
        self.paragraph()
        self.waits_for_term = True

    def term(self, text: str) -> None:
        """A term; its explanation follows in the same item."""
        self.paragraph()
        self.lead = f"- **{text}**: " if text else ""

    def item(self, mark: str) -> None:
        """An item of a list: with a bullet, a number or a term, or a paragraph without any."""
        self.paragraph()
        mark = mark.strip()
        number = mark.strip("().[]")
        if mark in _BULLETS:
            self.lead = "- "
        elif number.isascii() and number.isdigit():
            self.lead = f"{number}. "
        elif mark:
            self.term(mark)

    def deeper(self) -> None:
        """Indent what follows."""
        self.paragraph()
        self.depth = min(_DEEPEST, self.depth + 1)

    def back(self) -> None:
        """The reverse of `deeper`."""
        self.close_code()
        self.paragraph()
        self.depth = max(0, self.depth - 1)

    def open_code(self) -> None:
        """What follows keeps its lines."""
        self.paragraph()
        if self.code is None:
            self.code = []

    def close_code(self) -> None:
        """The lines since `open_code` in a fence."""
        if self.code is not None:
            code, self.code = "\n".join(self.code).strip("\n"), None
            self.block(fence(code) if code.strip() else "")

    def break_line(self) -> None:
        """A new line in the same paragraph."""
        if self.code is None and self.words:
            self.words.append("\n")

    def link(self, address: str) -> None:
        """The text up to `end_link` links to the address."""
        self.address = address

    def end_link(self, after: str) -> None:
        """The address behind the words that link to it."""
        if self.address:
            self.text(f"<{self.address}>{after}")
        self.address = ""

    def synopsis(self, command: str) -> None:
        """A line of its own that begins with the command."""
        self.paragraph()
        self.text(command)
