"""Reads a presentation: each slide under its title, with its tables and notes."""

from __future__ import annotations

from collections.abc import Iterator

from intelli.text.document import Document, document_of
from intelli.text.office.archive import Archive, relation_id
from intelli.text.office.facts import facts_of
from intelli.text.tables import pipe_table
from intelli.text.xml_tree import (
    Element,
    attribute,
    child,
    children,
    descendants,
    name_of,
    text_of,
)

PRESENTATION = "ppt/presentation.xml"
MAX_SLIDES = 2_000
_FURNITURE = frozenset({"sldNum", "dt", "ftr", "hdr", "sldImg"})
_TITLES = frozenset({"title", "ctrTitle"})
_LEVELS = 8


def read_pptx(archive: Archive) -> Document:
    """The slides in the order in which they are shown."""
    relations = archive.relations(PRESENTATION)
    listed = next(descendants(archive.tree(PRESENTATION), "sldIdLst"), None)
    slides_listed = map(relation_id, children(listed, "sldId"))
    parts = [relations[each] for each in slides_listed if each in relations]
    slides = [_slide(archive, part, number) for number, part in enumerate(parts[:MAX_SLIDES], 1)]
    more = len(parts) - MAX_SLIDES
    facts = facts_of(archive)
    return document_of(
        "\n\n".join(slides),
        "pptx",
        title=facts.title,
        published=facts.created,
        left_out=f"{more} more slides" if more > 0 else "",
    )


def _slide(archive: Archive, part: str, number: int) -> str:
    title, blocks = "", []
    for shape in _shapes(child(archive.tree(part), "cSld", "spTree")):
        kind = _placeholder(shape)
        if kind in _TITLES and not title:
            title = _text(shape)
        elif kind not in _FURNITURE:
            blocks.append(_block(shape))
    for notes in archive.related(part, "notesSlide"):
        shapes = _shapes(child(archive.tree(notes), "cSld", "spTree"))
        spoken = [_block(shape) for shape in shapes if _placeholder(shape) == "body"]
        blocks += [f"Notes:\n\n{text}" for text in spoken if text]
    heading = f"## {title}" if title else f"## Slide {number}"
    return "\n\n".join([f"<!-- slide {number} -->", heading, *filter(None, blocks)])


def _shapes(tree: Element | None) -> Iterator[Element]:
    """Shapes and tables, also those in groups; the parser bounds how deep groups go."""
    for each in () if tree is None else tree:
        name = name_of(each)
        if name in {"sp", "graphicFrame", "cxnSp"}:
            yield each
        elif name in {"grpSp", "AlternateContent", "Choice"}:
            yield from _shapes(each)


def _placeholder(shape: Element) -> str:
    found = next(descendants(shape, "ph"), None)
    return "" if found is None else attribute(found, "type")


def _text(shape: Element) -> str:
    """The text of a shape on one line."""
    return " ".join(filter(None, (_line(p) for p in descendants(shape, "p"))))


def _block(shape: Element) -> str:
    table = next(descendants(shape, "tbl"), None)
    if table is not None:
        rows = [
            [" ".join(_line(p) for p in descendants(cell, "p")) for cell in children(row, "tc")]
            for row in children(table, "tr")
        ]
        return pipe_table(rows)
    lines = [(_level(p), _line(p)) for p in descendants(shape, "p")]
    lines = [(level, line) for level, line in lines if line]
    if len(lines) == 1 and lines[0][0] == 0:
        return lines[0][1]
    return "\n".join(f"{'  ' * level}- {line}" for level, line in lines)


def _level(paragraph: Element) -> int:
    found = child(paragraph, "pPr")
    level = "" if found is None else attribute(found, "lvl")
    return min(int(level), _LEVELS) if level.isascii() and level.isdigit() else 0


def _line(paragraph: Element) -> str:
    parts = []
    for each in paragraph.iter():
        name = name_of(each)
        if name == "t":
            parts.append(each.text or "")
        elif name in {"br", "tab"}:
            parts.append(" ")
    return text_of(paragraph) if not parts else " ".join("".join(parts).split())
