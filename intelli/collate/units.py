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
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LABEL = re.compile(r"[*_`\s]*[\w -]{1,24}:?[*_`\s]*\Z")
_BYLINE = re.compile(
    r"[*_\s]*(?:(?:posted|published|written|updated|last \w+)(?: on| by| at)\b|\d+ min\w* read)",
    re.IGNORECASE,
)
_BYLINE_LENGTH = 80
_CRUMB = 60
_FEW_WORDS = 4
_LETTERS = 4
_LABEL_WORDS = 2
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


def scraps(source: Source) -> list[Unit]:
    """All the text of an extract as one unit, for when no source has anything better."""
    assert source.extract is not None
    found = paragraphs(_GAP.sub("", unquoted(source.extract.text)))
    parts = tuple(
        Part(kind="prose", text=text)
        for text in found
        if _WORD.search(text) and not text.startswith("#")
    )
    return [Unit(source=source.n, order=0, heading=(), parts=parts)] if parts else []


def _grouped(
    passages: Iterable[Passage], page: str
) -> Iterator[tuple[tuple[str, ...], list[Part]]]:
    """Parts that belong together: a paragraph that ends in a colon waits for the block after it,
    and goes where none comes."""
    lead: list[Part] = []
    above: tuple[str, ...] = ()
    for passage in passages:
        heading = tuple(name for name in passage.heading.split(" > ") if name)
        lead = lead if heading == above else []
        above = heading
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
    """A label, a button, a byline: a few words, no end of a sentence, no figure, no pair."""
    if paragraph.startswith("#") or len(_WORD.findall(paragraph)) < _LETTERS:
        return True
    if _is_label(paragraph) or (len(paragraph) < _BYLINE_LENGTH and _BYLINE.match(paragraph)):
        return True
    words = len(paragraph.split()) + len(_IDEOGRAPH.findall(paragraph)) // 3
    if len(paragraph) >= _CRUMB or words > _FEW_WORDS:
        return False
    return not paragraph.endswith(_ENDS) and not any(
        char.isdigit() or char in ":：" for char in paragraph
    )


def _is_label(text: str) -> bool:
    """One or two bare words between marks of emphasis: `**Warning**`."""
    bare = text.strip("*_: ")
    return (
        bare != text.strip(": ")
        and bool(_LABEL.match(text))
        and len(bare.split()) <= _LABEL_WORDS
        and not any(char.isdigit() for char in bare)
    )


def _is_bare_list(text: str) -> bool:
    """A single item of a word or two, which says nothing without what it is an item of."""
    item = re.sub(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+", "", text)
    short = "\n" not in text and len(item.split()) <= _LABEL_WORDS
    return short and not re.search(r"[\d`:=]", item) and not _IDEOGRAPH.search(item)


def _block(passage: Passage, *, led: bool) -> Iterator[Part]:
    if passage.kind == "code":
        code = (
            passage.text if passage.text.lstrip()[:3] in ("```", "~~~") else _fenced(passage.text)
        )
        if led or len(re.sub(r"\s|`{3,}\w*", "", code)) >= _CODE_CRUMB:
            yield Part(kind="code", text=code)
    elif passage.kind == "list":
        text = listing(passage.text)
        if text and (led or not _is_bare_list(text)):
            yield Part(kind="list", text=text)
    elif passage.kind == "table":
        yield Part(kind="table", text=table(passage.text))


def _fenced(code: str) -> str:
    return f"```\n{dedent(code)}\n```"
