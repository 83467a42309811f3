"""Reads a workbook: each sheet that is shown, as a table."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import lxml.etree

from intelli.text.document import Document, document_of
from intelli.text.office.archive import Archive, relation_id
from intelli.text.office.cells import Formats, formats_of, shown
from intelli.text.office.facts import facts_of
from intelli.text.office.sheets import Sheet, sheet_text
from intelli.text.xml_tree import Element, attribute, child, children, descendants, texts_of

WORKBOOK = "xl/workbook.xml"
MAX_SHEETS = 200
MAX_ROWS = 20_000
MAX_COLUMNS = 200
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ROWS = "{*}row"


@dataclass(frozen=True, slots=True)
class _Book:
    strings: list[str]
    formats: Formats


def read_xlsx(archive: Archive) -> Document:
    """The sheets in their order; hidden ones are left out."""
    relations = archive.relations(WORKBOOK)
    root = archive.tree(WORKBOOK)
    book = _Book(
        strings=_strings(archive, relations),
        formats=formats_of(archive.tree("xl/styles.xml"), root),
    )
    texts = []
    is_cut = False
    for sheet in itertools.islice(children(child(root, "sheets"), "sheet"), MAX_SHEETS):
        if attribute(sheet, "state") in {"", "visible"}:
            part = relations.get(relation_id(sheet), "")
            rows = list(_rows(archive.read(part), book))
            is_cut = is_cut or len(rows) > MAX_ROWS
            texts.append(sheet_text(Sheet(attribute(sheet, "name"), rows[:MAX_ROWS])))
    facts = facts_of(archive)
    return document_of(
        "\n\n".join(filter(None, texts)),
        "xlsx",
        title=facts.title,
        published=facts.created,
        left_out=f"Rows of a sheet after the first {MAX_ROWS:,}" if is_cut else "",
    )


def _strings(archive: Archive, relations: dict[str, str]) -> list[str]:
    part = next((each for each in relations.values() if each.endswith("sharedStrings.xml")), "")
    return [_plain(entry) for entry in children(archive.tree(part), "si")]


def _plain(entry: Element) -> str:
    """The text of a string without the readings that Japanese ones carry along."""
    runs = [entry, *children(entry, "r")]
    return "".join(t.text or "" for run in runs for t in children(run, "t"))


def _rows(data: bytes, book: _Book) -> Iterator[list[str]]:
    """The rows of a sheet, one more than are shown, read piece by piece: a sheet may be large
    beyond all use."""
    events = lxml.etree.iterparse(
        io.BytesIO(data), tag=_ROWS, recover=True, resolve_entities=False, no_network=True,
        load_dtd=False,
    )  # fmt: skip
    try:
        for _, row in itertools.islice(events, MAX_ROWS + 1):
            yield _cells(row, book)
            row.clear()
    except lxml.etree.LxmlError:
        return


def _cells(row: Element, book: _Book) -> list[str]:
    line: list[str] = []
    for cell in children(row, "c"):
        column = _column(attribute(cell, "r"), len(line))
        if column >= MAX_COLUMNS:
            break
        line += [""] * (column - len(line))
        line.append(_value(cell, book))
    return line


def _column(reference: str, following: int) -> int:
    """The column of a reference such as `AB12`, from 0; a cell without one follows the last."""
    letters = [mark for mark in reference[:4].upper() if mark in _LETTERS]
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return max(number - 1, following) if letters else following


def _value(cell: Element, book: _Book) -> str:
    kind = attribute(cell, "t")
    if kind == "inlineStr":
        return "".join("".join(texts_of(t)) for t in descendants(cell, "t"))
    value = child(cell, "v")
    text = "" if value is None else (value.text or "").strip()
    if kind == "s":
        known = text.isascii() and text.isdigit() and len(text) < 10
        return book.strings[int(text)] if known and int(text) < len(book.strings) else ""
    if kind == "b":
        return "TRUE" if text == "1" else "FALSE"
    if kind in {"str", "e", "d"}:
        return text
    return shown(text, attribute(cell, "s"), book.formats)
