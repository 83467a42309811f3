"""What the styles and lists of a DOCX mean: headings, code, bullets and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from intelli.text.office.archive import Archive
from intelli.text.xml_tree import Element, attribute, child, children

_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo|заголовок)\s*([1-9])$", re.I)
_CODE = re.compile(r"\bcode\b|source|preformatted|verbatim|listing|macro text|plain text", re.I)
_MONO = re.compile(r"courier|consol|mono|menlo|lucida console|source code", re.I)
_ANCESTORS = 12


@dataclass(frozen=True, slots=True)
class Style:
    """`level` is 1 to 6 for a heading, else 0; `numbering` the list it puts a paragraph into."""

    level: int = 0
    is_title: bool = False
    is_code: bool = False
    numbering: str = ""


@dataclass(frozen=True, slots=True)
class Styles:
    """Styles by id, and the number format of each list by its id and level."""

    by_id: dict[str, Style]
    formats: dict[tuple[str, str], str]

    def of(self, paragraph: Element) -> Style:
        """The style of a paragraph; its own outline level makes it a heading too."""
        properties = child(paragraph, "pPr")
        style = self.by_id.get(value_of(child(properties, "pStyle")), Style())
        level = _outline(properties)
        return Style(level=level) if level and not style.level else style

    def bullet(self, paragraph: Element, style: Style) -> tuple[int, str] | None:
        """Depth and mark of a list item; None for what is none."""
        numbering = child(paragraph, "pPr", "numPr")
        identity = value_of(child(numbering, "numId")) or style.numbering
        if not identity or identity == "0":
            return None
        level = value_of(child(numbering, "ilvl")) or "0"
        mark = self.formats.get((identity, level), "bullet")
        if mark == "none":
            return None
        depth = int(level) if level.isascii() and level.isdigit() else 0
        return min(depth, 8), "-" if mark == "bullet" else "1."


def styles_of(archive: Archive) -> Styles:
    """The styles of a document, those they are based on followed."""
    elements = {
        attribute(style, "styleId"): style
        for style in children(archive.tree("word/styles.xml"), "style")
    }
    by_id = {name: _style(elements, name) for name in elements}
    return Styles(by_id=by_id, formats=_formats(archive.tree("word/numbering.xml")))


def value_of(element: Element | None) -> str:
    """The `val` of a property; empty for none."""
    return "" if element is None else attribute(element, "val")


def is_mono(run: Element) -> bool:
    """Whether a run names a font of fixed pitch."""
    fonts = child(run, "rPr", "rFonts")
    return fonts is not None and _MONO.search(attribute(fonts, "ascii")) is not None


def _style(elements: dict[str, Element], name: str) -> Style:
    level, numbering, is_title, is_code = 0, "", False, False
    for style in _line_of(elements, name):
        called = value_of(child(style, "name"))
        heading = _HEADING.match(called)
        level = level or (min(6, int(heading[1])) if heading else _outline(child(style, "pPr")))
        numbering = numbering or value_of(child(style, "pPr", "numPr", "numId"))
        is_title = is_title or called.lower() == "title"
        is_code = is_code or _CODE.search(called) is not None or is_mono(style)
    return Style(level=level, is_title=is_title, is_code=is_code, numbering=numbering)


def _line_of(elements: dict[str, Element], name: str) -> Iterator[Element]:
    """A style and those that it is based on, which may run in a circle."""
    for _ in range(_ANCESTORS):
        style = elements.get(name)
        if style is None:
            return
        yield style
        name = value_of(child(style, "basedOn"))


def _outline(properties: Element | None) -> int:
    value = value_of(child(properties, "outlineLvl"))
    return int(value) + 1 if value in {"0", "1", "2", "3", "4", "5"} else 0


def _formats(root: Element | None) -> dict[tuple[str, str], str]:
    abstract = {
        attribute(each, "abstractNumId"): {
            attribute(level, "ilvl"): value_of(child(level, "numFmt"))
            for level in children(each, "lvl")
        }
        for each in children(root, "abstractNum")
    }
    found = {}
    for number in children(root, "num"):
        levels = abstract.get(value_of(child(number, "abstractNumId")), {})
        for level, mark in levels.items():
            found[attribute(number, "numId"), level] = mark
    return found
