"""Reads OpenDocument files: texts, sheets and slides as Markdown."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from intelli.text.document import Document, date_of, document_of
from intelli.text.fences import fence
from intelli.text.office.archive import Archive, ArchiveError
from intelli.text.office.sheets import Sheet, sheet_text
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

CONTENT = "content.xml"
MAX_ROWS = 20_000
MAX_COLUMNS = 200
MAX_CELLS = 500_000
REPEATED = 100
"""Rows or cells that one element may stand for."""

_KINDS = {"text": "odt", "spreadsheet": "ods", "presentation": "odp"}
_UNSEEN = frozenset("tracked-changes annotation annotation-end forms sequence-decls".split())
_LISTS = 8


@dataclass(slots=True)
class _Reading:
    """Notes met on the way, and the styles that set code."""

    code: frozenset[str]
    notes: list[str] = field(default_factory=list)
    depth: int = 0


def read_odf(archive: Archive) -> Document:
    """The document, its notes at the end. Raises ArchiveError with `office-encrypted`."""
    manifest = archive.tree("META-INF/manifest.xml")
    if next(descendants(manifest, "encryption-data"), None) is not None:
        raise ArchiveError("office-encrypted")
    root = archive.tree(CONTENT)
    body = child(root, "body")
    main = next(iter(() if body is None else body), None)
    kind = _KINDS.get("" if main is None else name_of(main), "odt")
    reading = _Reading(code=_code_styles(root, archive.tree("styles.xml")))
    blocks = list(_blocks(main, reading))
    meta = child(archive.tree("meta.xml"), "meta")
    return document_of(
        "\n\n".join([*_merged(blocks), *reading.notes]),
        kind,
        title=text_of(child(meta, "title")),
        published=date_of(text_of(child(meta, "creation-date"))),
        language=text_of(child(meta, "language")),
    )


def _code_styles(*roots: Element | None) -> frozenset[str]:
    """Styles of preformatted text, and those derived from them."""
    styles = [each for root in roots for each in descendants(root, "style")]
    found = {attribute(each, "name") for each in styles} & {
        "Preformatted_20_Text",
        "Source_20_Code",
    }
    found |= {attribute(e, "name") for e in styles if attribute(e, "parent-style-name") in found}
    return frozenset(found)


def _blocks(parent: Element | None, reading: _Reading) -> Iterator[tuple[str, str]]:
    """Kind and Markdown of each block."""
    by_name: dict[str, Callable[[Element, _Reading], str]] = {
        "h": _heading, "table": _table, "list": _list, "page": _slide,
    }  # fmt: skip
    for each in () if parent is None else parent:
        name = name_of(each)
        if name == "p":
            is_code = attribute(each, "style-name") in reading.code
            text = "".join(_inline(each, reading))
            if text.strip():
                yield ("code", text) if is_code else ("text", " ".join(text.split()))
        elif name in by_name:
            if text := by_name[name](each, reading):
                yield "text", text
        elif name and name not in _UNSEEN:
            yield from _blocks(each, reading)


def _merged(blocks: list[tuple[str, str]]) -> list[str]:
    """The blocks, neighbouring lines of code in one fence."""
    merged: list[str] = []
    code: list[str] = []
    for kind, text in [*blocks, ("end", "")]:
        if kind == "code":
            code.append(text)
            continue
        if code:
            merged.append(fence("\n".join(code)))
            code = []
        merged.append(text)
    return merged[:-1]


def _heading(element: Element, reading: _Reading) -> str:
    level = attribute(element, "outline-level")
    depth = min(6, max(1, int(level))) if level.isascii() and level.isdigit() else 1
    text = " ".join("".join(_inline(element, reading)).split())
    return f"{'#' * depth} {text}" if text else ""


def _list(element: Element, reading: _Reading) -> str:
    if reading.depth >= _LISTS:
        return ""
    lines = []
    reading.depth += 1
    for item in element:
        parts = [text for _, text in _blocks(item, reading)]
        if parts:
            rest = "\n".join(f"  {line}" for part in parts[1:] for line in part.split("\n"))
            lines.append(f"- {parts[0]}\n{rest}".rstrip() if parts[0][:2] != "- " else parts[0])
    reading.depth -= 1
    return "\n".join(lines)


def _slide(element: Element, reading: _Reading) -> str:
    notes = [_merged(list(_blocks(each, reading))) for each in children(element, "notes")]
    for each in list(children(element, "notes")):
        element.remove(each)
    blocks = _merged(list(_blocks(element, reading)))
    spoken = [f"Notes:\n\n{text}" for parts in notes if (text := "\n\n".join(parts))]
    name = attribute(element, "name")
    return "\n\n".join([f"## {name}", *blocks, *spoken]) if blocks or spoken else ""


def _table(element: Element, reading: _Reading) -> str:
    rows = list(_rows(element, reading))
    name = attribute(element, "name")
    parent = element.getparent()
    is_sheet = parent is not None and name_of(parent) == "spreadsheet"
    return sheet_text(Sheet(name, rows)) if is_sheet else pipe_table(rows)


def _rows(table: Element, reading: _Reading) -> Iterator[list[str]]:
    cells = 0
    for row in itertools.islice(descendants(table, "table-row"), MAX_ROWS):
        line: list[str] = []
        for cell in row:
            if name_of(cell) in {"table-cell", "covered-table-cell"}:
                text = " ".join(text for _, text in _blocks(cell, reading))
                line += [text] * _repeats(cell, "number-columns-repeated")
            if len(line) >= MAX_COLUMNS:
                break
        for _ in range(_repeats(row, "number-rows-repeated") if any(line) else 0):
            yield line[:MAX_COLUMNS]
            cells += len(line)
            if cells > MAX_CELLS:
                return


def _repeats(element: Element, name: str) -> int:
    value = attribute(element, name)
    return (
        min(REPEATED, int(value)) if value.isascii() and value.isdigit() and len(value) < 9 else 1
    )


def _inline(element: Element, reading: _Reading) -> Iterator[str]:
    yield element.text or ""
    for each in element:
        name = name_of(each)
        if name == "s":
            value = attribute(each, "c")
            yield " " * (min(60, int(value)) if value.isascii() and value.isdigit() else 1)
        elif name in {"tab", "line-break"}:
            yield "\t" if name == "tab" else "\n"
        elif name == "note":
            yield _note(each, reading)
        elif name == "a":
            yield _link(each, reading)
        elif name and name not in _UNSEEN:
            yield from _inline(each, reading)
        yield each.tail or ""


def _note(element: Element, reading: _Reading) -> str:
    mark = text_of(child(element, "note-citation")) or str(len(reading.notes) + 1)
    body = " ".join(text for _, text in _blocks(child(element, "note-body"), reading))
    reading.notes.append(f"[^{mark}]: {body}")
    return f"[^{mark}]"


def _link(element: Element, reading: _Reading) -> str:
    text = "".join(_inline(element, reading))
    target = attribute(element, "href")
    is_web = target.startswith(("http://", "https://", "mailto:"))
    return f"[{text.strip()}](<{target}>)" if is_web and text.strip() else text
