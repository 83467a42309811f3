"""Shows the numbers of a workbook as its cells do: dates, percentages, plain numbers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from intelli.text.xml_tree import Element, attribute, child, children

_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
"""Number formats that every workbook knows without saying (ECMA-376, 18.8.30)."""

_PERCENT = {9: 0, 10: 2}
_LITERAL = re.compile(r"\"[^\"]*\"|\\.|\[[^\]]*\]|_.|\*.")
_DAYS = 2_958_466.0
"""Days up to the end of the year 9999."""


@dataclass(frozen=True, slots=True)
class Formats:
    """What each style of a cell shows: `date`, `percent N` with its decimals, or nothing."""

    by_style: tuple[str, ...]
    epoch: datetime


def formats_of(styles: Element | None, workbook: Element | None) -> Formats:
    """The formats of the cell styles, and the day from which the workbook counts."""
    codes = {
        attribute(each, "numFmtId"): attribute(each, "formatCode")
        for each in children(child(styles, "numFmts"), "numFmt")
    }
    kinds = [
        _kind(attribute(each, "numFmtId"), codes)
        for each in children(child(styles, "cellXfs"), "xf")
    ]
    properties = child(workbook, "workbookPr")
    from_1904 = properties is not None and attribute(properties, "date1904") in {"1", "true"}
    return Formats(tuple(kinds), datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30))


def shown(text: str, style: str, formats: Formats) -> str:
    """A number as a reader sees it; what is none stays as it is."""
    try:
        number = float(text)
    except ValueError:
        return text
    if not math.isfinite(number):
        return ""
    known = style.isascii() and style.isdigit() and len(style) < 7
    place = int(style) if known else len(formats.by_style)
    kind = formats.by_style[place] if place < len(formats.by_style) else ""
    if kind == "date" and 0 <= number < _DAYS:
        return _date(number, formats.epoch)
    if kind.startswith("percent"):
        return f"{number * 100:.{kind[-1]}f}%"
    return f"{number:.15g}" if abs(number) < 1e15 else text


def _kind(identity: str, codes: dict[str, str]) -> str:
    number = int(identity) if identity.isascii() and identity.isdigit() else 0
    if number in _DATES:
        return "date"
    if number in _PERCENT:
        return f"percent {_PERCENT[number]}"
    code = _LITERAL.sub("", codes.get(identity, "")).partition(";")[0].lower()
    if "%" in code:
        return f"percent {min(9, len(code.rpartition('.')[2].rstrip('%')) if '.' in code else 0)}"
    is_date = re.search(r"[ydh]|m+[/.:-]|[/.:-]m", code) is not None
    return "date" if is_date and "general" not in code else ""


def _date(number: float, epoch: datetime) -> str:
    moment = epoch + timedelta(seconds=round(number * 86_400))
    if number < 1:
        return moment.strftime("%H:%M:%S")
    return f"{moment:%Y-%m-%d}" if number == int(number) else f"{moment:%Y-%m-%d %H:%M:%S}"
