"""What a report is put together from: paragraphs, and blocks with the sentence announcing them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import dedent
from typing import Literal

from intelli.collate.quoting import listing, paragraphs, table, unquoted
from intelli.collate.sentences import whole_sentences
from intelli.records import Source
from intelli.text.passages import Passage, split

PartKind = Literal["prose", "list", "code", "table"]

_TARGET = 600
_GAP = re.compile(r"^…$", re.MULTILINE)
_LEADS = (":", "：")
_ENDS = (*_LEADS, ".", "!", "?", "…", "。", "！", "？", ")", "”", '"', "`", "*", ";", "；")
_WORD = re.compile(r"\w")
_CRUMB = 60
_CODE_CRUMB = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A paragraph, list, table or code block as the report shows it, marks aside."""

    kind: PartKind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The smallest thing a report takes or leaves. `source` is its number, `order` its place
    there, `heading` the headings above it, outermost first."""

    source: int
    order: int
    heading: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """All parts, a blank line between them."""
        return "\n\n".join(part.text for part in self.parts)


def units(source: Source) -> list[Unit]:
    """The units of a source's extract in its order; crumbs and dangling introductions left out.

    `source` has an extract; where its text is the page's own, cut sentences are made whole.
    """
    assert source.extract is not None
    page = source.extract.page.text
    found: list[Unit] = []
    for heading, parts in _grouped(split(unquoted(source.extract.text), _TARGET), page):
        found.append(Unit(source=source.n, order=len(found), heading=heading, parts=tuple(parts)))
    return found


def _grouped(
    passages: Iterable[Passage], page: str
) -> Iterator[tuple[tuple[str, ...], list[Part]]]:
    """Parts that belong together: a paragraph that ends in a colon waits for the block after it,
    and goes where none comes."""
    lead: list[Part] = []
    for passage in passages:
        heading = tuple(name for name in passage.heading.split(" > ") if name)
        if passage.kind != "prose":
            block = list(_block(passage, led=bool(lead)))
            if block:
                yield heading, [*lead, *block]
            lead = []
            continue
        for parts in _pieces(passage, page):
            lead = parts[-1:] if parts and parts[-1].text.endswith(_LEADS) else []
            if rest := parts[: len(parts) - len(lead)]:
                yield heading, rest


def _pieces(passage: Passage, page: str) -> list[list[Part]]:
    """Prose as paragraphs, apart where the extract left something out between them."""
    return [_paragraphs(piece, page) for piece in _GAP.split(passage.text)]


def _paragraphs(piece: str, page: str) -> list[Part]:
    whole = whole_sentences(piece.strip(), page)
    return [Part(kind="prose", text=text) for text in paragraphs(whole) if not _is_crumb(text)]


def _is_crumb(paragraph: str) -> bool:
    """A label, a button, a byline: short, no end of a sentence, no figure or pair of terms."""
    if not _WORD.search(paragraph) or paragraph.startswith("#"):
        return True
    if len(paragraph) >= _CRUMB or paragraph.endswith(_ENDS):
        return len(_WORD.findall(paragraph)) < 4
    return not any(char.isdigit() or char in ":：" for char in paragraph)


def _block(passage: Passage, *, led: bool) -> Iterator[Part]:
    if passage.kind == "code":
        code = (
            passage.text if passage.text.lstrip()[:3] in ("```", "~~~") else _fenced(passage.text)
        )
        if led or len(re.sub(r"\s|`{3,}\w*", "", code)) >= _CODE_CRUMB:
            yield Part(kind="code", text=code)
    elif passage.kind == "list":
        if text := listing(passage.text):
            yield Part(kind="list", text=text)
    elif passage.kind == "table":
        yield Part(kind="table", text=table(passage.text))


def _fenced(code: str) -> str:
    return f"```\n{dedent(code)}\n```"
