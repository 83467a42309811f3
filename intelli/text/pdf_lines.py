"""Takes the lines of a PDF page out of pdfium, with what their look says about them."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

FIXED_PITCH = 1
MONO_NAMES = (b"mono", b"courier", b"consol", b"typewriter", b"cmtt", b"fixed", b"menlo")
BOLD = 600
_SPACES = re.compile(" +")
_LAM_ALEF = re.compile("[\u0622\u0623\u0625\u0627]\u0644")


GAP = 0.9
"""White space wider than this part of the font size parts two cells of a row."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a line that stands apart; edges in points."""

    text: str
    left: float
    right: float


@dataclass(slots=True)
class Line:
    """One line as printed. `size`, `left` and `bottom` are in points; `width` is that of a
    character, 0 where it was not measured."""

    text: str
    size: float = 0.0
    left: float = 0.0
    bottom: float = 0.0
    width: float = 0.0
    bold: bool = False
    mono: bool = False
    cells: tuple[Cell, ...] = ()


def lines_of(page: pypdfium2.PdfPage) -> list[Line]:
    """The lines of a page in reading order; a blank line has empty text."""
    textpage = page.get_textpage()
    try:
        text = textpage.get_text_range()
        lines, start = [], 0
        for raw in text.split("\r\n"):
            lines.append(_line(textpage.raw, raw, start))
            # pdfium counts characters in UTF-16 units, as get_text_range takes them out.
            start += len(raw) + sum(mark > "\uffff" for mark in raw) + 2
        return lines
    finally:
        textpage.close()


def _line(textpage: object, raw: str, start: int) -> Line:
    text = raw.replace("\r", " ").replace("\n", " ").strip()
    if not text:
        return Line(text="")
    first = start + len(raw) - len(raw.lstrip())
    last = start + len(raw.rstrip()) - 1
    text = _with_ligatures(textpage, text, first)
    # A blank may be one that pdfium made up: it has no font.
    middle = first + next(n for n in range(len(text) // 2, -1, -1) if text[n] != " ")
    box = _box(textpage, first)
    size = _size(textpage, first)
    fonts = [_font(textpage, place) for place in (first, middle, last)]
    return Line(
        text=text,
        size=size,
        left=box[0],
        bottom=box[1],
        width=box[2] - box[0],
        bold=all(bold for bold, _ in fonts),
        mono=all(mono for _, mono in fonts),
        cells=_cells(textpage, text, first, size) if " " in text else (),
    )


def _with_ligatures(textpage: object, text: str, first: int) -> str:
    """The line with the two letters of each Arabic ligature of lam and alef in the order in which
    they are read: pdfium names them from left to right, at one place."""
    if any(mark > "\uffff" for mark in text):
        return text
    for match in _LAM_ALEF.finditer(text):
        place = first + match.start()
        if _box(textpage, place) == _box(textpage, place + 1):
            text = f"{text[: match.start()]}{match[0][::-1]}{text[match.end() :]}"
    return text


def _cells(textpage: object, text: str, first: int, size: float) -> tuple[Cell, ...]:
    """The cells of a line; none where it does not part. `first` is the place of its first
    character."""
    if size <= 0 or any(mark > "\uffff" for mark in text):
        return ()
    parts, left, begin = [], _box(textpage, first)[0], 0
    for gap in _SPACES.finditer(text):
        before = _box(textpage, first + gap.start() - 1)[2]
        after = _box(textpage, first + gap.end())[0]
        if after - before > GAP * size:
            parts.append(Cell(text[begin : gap.start()], left, before))
            left, begin = after, gap.end()
    if not parts:
        return ()
    right = _box(textpage, first + len(text) - 1)[2]
    return (*parts, Cell(text[begin:], left, right))


def _size(textpage: object, place: int) -> float:
    """Font size as printed: the nominal one times the scale of the text matrix; 0 for text that
    runs up or down the page."""
    matrix = pdfium.FS_MATRIX()
    nominal = float(pdfium.FPDFText_GetFontSize(textpage, place))
    if not pdfium.FPDFText_GetMatrix(textpage, place, matrix):
        return round(nominal, 1)
    if abs(matrix.b) > abs(matrix.a):
        return 0.0
    scale = (matrix.c**2 + matrix.d**2) ** 0.5
    return round(nominal * (scale or 1.0), 1)


def _box(textpage: object, place: int) -> tuple[float, float, float]:
    rect = pdfium.FS_RECTF()
    if not pdfium.FPDFText_GetLooseCharBox(textpage, place, rect):
        return 0.0, 0.0, 0.0
    return rect.left, rect.bottom, rect.right


def _font(textpage: object, place: int) -> tuple[bool, bool]:
    """Whether the character is bold and whether its font has a fixed pitch."""
    flags = ctypes.c_int()
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(textpage, place, name, 128, flags)
    lower = name.value.lower()
    bold = pdfium.FPDFText_GetFontWeight(textpage, place) >= BOLD or b"bold" in lower
    mono = bool(flags.value & FIXED_PITCH) or any(part in lower for part in MONO_NAMES)
    return bold, mono
