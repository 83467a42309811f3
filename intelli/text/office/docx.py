"""Reads a DOCX: paragraphs, headings, lists, code, tables and notes as Markdown."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from intelli.text.document import Document, document_of
from intelli.text.fences import fence
from intelli.text.office.archive import Archive
from intelli.text.office.docx_styles import Styles, is_mono, styles_of
from intelli.text.office.facts import facts_of
from intelli.text.tables import pipe_table
from intelli.text.xml_tree import Element, attribute, child, children, descendants, name_of

MAIN = "word/document.xml"
_NOTES = (("footnote", "word/footnotes.xml"), ("endnote", "word/endnotes.xml"))
_WRAPPERS = frozenset(
    "sdt sdtContent ins moveTo smartTag customXml AlternateContent Choice fldSimple bdo dir".split()
)
"""What only surrounds content. `Fallback` says the same as `Choice` again; `del` is gone."""

_SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_TABLE_DEPTH = 6


@dataclass(frozen=True, slots=True)
class _Block:
    """`kind` is `text`, `code`, `item` or `title`."""

    kind: str
    text: str


@dataclass(slots=True)
class _Reading:
    """What all parts of a document are read with; `boxes` are text boxes met on the way."""

    styles: Styles
    relations: dict[str, str]
    boxes: list[Element] = field(default_factory=list)


def read_docx(archive: Archive) -> Document:
    """The document with its notes at the end; headers and footers are left out."""
    reading = _Reading(styles_of(archive), archive.relations(MAIN))
    blocks = list(_blocks(child(archive.tree(MAIN), "body"), reading, 0))
    for kind, part in _NOTES:
        blocks += _notes(archive, kind, part, reading)
    facts = facts_of(archive)
    first = blocks[0] if blocks else None
    title = first.text if first is not None and first.kind == "title" else ""
    kept = blocks[1:] if title else blocks
    return document_of(_joined(kept), "docx", title=title or facts.title, published=facts.created)


def _joined(blocks: list[_Block]) -> str:
    """The blocks in Markdown: items of a list stand together, lines of code share a fence."""
    parts = []
    for kind, group in itertools.groupby(blocks, key=lambda block: block.kind):
        texts = [block.text for block in group]
        if kind == "code":
            parts.append(fence("\n".join(texts)))
        elif kind == "item":
            parts.append("\n".join(texts))
        else:
            parts.extend(f"# {text}" if kind == "title" else text for text in texts)
    return "\n\n".join(parts)


def _blocks(parent: Element | None, reading: _Reading, depth: int) -> Iterator[_Block]:
    for each in () if parent is None else parent:
        name = name_of(each)
        if name == "p":
            yield from _paragraph(each, reading)
            boxes, reading.boxes = reading.boxes, []
            for box in boxes:
                yield from _blocks(box, reading, depth)
        elif name == "tbl":
            yield from _table(each, reading, depth)
        elif name in _WRAPPERS:
            yield from _blocks(each, reading, depth)


def _paragraph(paragraph: Element, reading: _Reading) -> Iterator[_Block]:
    style = reading.styles.of(paragraph)
    text = "".join(_inline(paragraph, reading))
    if not text.strip():
        return
    runs = list(children(paragraph, "r"))
    if style.is_code or (runs and not style.level and all(map(is_mono, runs))):
        yield _Block("code", text.replace("\t", "    ").rstrip())
        return
    text = text.replace("\t", " ").strip()
    flat = " ".join(text.split())
    if style.is_title:
        yield _Block("title", flat)
    elif style.level:
        yield _Block("text", f"{'#' * style.level} {flat}")
    elif bullet := reading.styles.bullet(paragraph, style):
        depth, mark = bullet
        yield _Block("item", f"{'  ' * depth}{mark} {flat}")
    else:
        yield _Block("text", text)


def _inline(parent: Element, reading: _Reading) -> Iterator[str]:
    for each in parent:
        name = name_of(each)
        if name == "t":
            yield each.text or ""
        elif name == "hyperlink":
            yield _link(each, reading)
        elif name in {"footnoteReference", "endnoteReference"}:
            yield f"[^{_label(name.removesuffix('Reference'), attribute(each, 'id'))}]"
        elif name == "txbxContent":
            reading.boxes.append(each)
        elif name in _SIGNS:
            yield _SIGNS[name]
        elif name not in {"del", "Fallback", "pPr", "rPr", "instrText", "moveFrom"}:
            yield from _inline(each, reading)


def _link(element: Element, reading: _Reading) -> str:
    text = "".join(_inline(element, reading))
    target = reading.relations.get(attribute(element, "id"), "")
    is_web = target.startswith(("http://", "https://", "mailto:"))
    return f"[{text.strip()}](<{target}>)" if is_web and text.strip() else text


def _table(table: Element, reading: _Reading, depth: int) -> Iterator[_Block]:
    rows = [
        [_cell(cell, reading, depth) for cell in _unwrapped(row, "tc")]
        for row in _unwrapped(table, "tr")
    ]
    if len(rows) == 1 and len(rows[0]) == 1 and depth < _TABLE_DEPTH:  # a frame around text
        for cell in descendants(table, "tc"):
            yield from _blocks(cell, reading, depth + 1)
            return
    if text := pipe_table(rows):
        yield _Block("text", text)


def _cell(cell: Element, reading: _Reading, depth: int) -> str:
    if depth >= _TABLE_DEPTH:
        return ""
    return " ".join(block.text for block in _blocks(cell, reading, depth + 1))


def _unwrapped(parent: Element, name: str) -> Iterator[Element]:
    for each in parent:
        if name_of(each) == name:
            yield each
        elif name_of(each) in _WRAPPERS:
            yield from _unwrapped(each, name)


def _notes(archive: Archive, kind: str, part: str, reading: _Reading) -> Iterator[_Block]:
    for note in children(archive.tree(part), kind):
        if attribute(note, "type") in {"", "normal"}:
            text = " ".join(block.text for block in _blocks(note, reading, 0))
            if text:
                yield _Block("text", f"[^{_label(kind, attribute(note, 'id'))}]: {text}")


def _label(kind: str, number: str) -> str:
    return number if kind == "footnote" else f"end{number}"
