"""Tells headings, code and paragraphs among the lines of a PDF by their look."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from intelli.text.fences import fence
from intelli.text.pdf_tables import table_end, table_of

if TYPE_CHECKING:
    from intelli.text.pdf_lines import Line

LARGER = 1.12
HEADING_CHARS = 120
LEVELS = 4
REPEATED = 0.5
RUNNING_CHARS = 90
"""A longer line that pages repeat is text: running heads leave room at their sides."""

RARE = 0.25
SMALL = 0.8
_NUMBERED = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[A-Z](?:\.\d{1,2})+|Chapter \d+)\s+\S")
_BULLET = re.compile(r"^[•●▪‣◦∙·\uf0b7–-]\s+|^[•●▪‣◦∙\uf0b7]")
_ITEM = re.compile(r"^(?:[-*+]|\d{1,3}[.)])\s")
_HYPHEN = re.compile("[\x02\ufffe\u00ad]$")
_ANY_HYPHEN = re.compile("[\x02\ufffe\u00ad]")
_PARTED = re.compile("[\x02\ufffe]")
_TOKEN = 80


@dataclass(frozen=True, slots=True)
class Styles:
    """Font sizes of a document in points: that of its text, and of headings, largest first."""

    body: float
    headings: tuple[float, ...]
    bold_is_rare: bool


def styles_of(pages: list[list[Line]]) -> Styles:
    """What sizes mean in this document."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page:
            sizes[line.size] += len(line.text) if not line.mono else 0
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    larger = sorted({size for size in sizes if size > body * LARGER}, reverse=True)
    lines = [line for page in pages for line in page if line.text]
    bold = sum(line.bold for line in lines)
    return Styles(body=body, headings=tuple(larger), bold_is_rare=bold <= RARE * len(lines))


def without_running_lines(pages: list[list[Line]]) -> list[list[Line]]:
    """Pages without the heads and feet that most of them repeat. Lines with nothing between them
    are text, as on forms and certificates, unless they are a head and a foot alone."""
    if len(pages) < 4:
        return pages
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_running(line) for line in _edges(page)})
    repeated = {text for text, times in seen.items() if text and times >= REPEATED * len(pages)}
    kept = []
    for page in pages:
        edges = [line for line in _edges(page) if _running(line) in repeated]
        rest = [line for line in page if not any(line is edge for edge in edges)]
        is_form = not _has_text(rest) and sum(bool(line.text) for line in page) > 2
        kept.append(page if is_form else rest)
    return kept if any(map(_has_text, kept)) else pages


def _has_text(page: list[Line]) -> bool:
    return any(line.text for line in page)


def markdown_of(page: list[Line], styles: Styles) -> str:
    """One page as Markdown blocks."""
    blocks: list[str] = []
    run: list[Line] = []
    skip = 0
    for place, line in enumerate(page):
        if place < skip:
            continue
        if (end := table_end(page, place)) > place:
            blocks.extend([_block(run, styles)] if run else [])
            blocks.append(table_of(page[place:end]))
            run, skip = [], end
            continue
        kind = _kind(line, styles)
        if run and (kind != _kind(run[-1], styles) or _parts(run[-1], line, kind)):
            blocks.append(_block(run, styles))
            run = []
        if line.text:
            run.append(line)
    if run:
        blocks.append(_block(run, styles))
    return "\n\n".join(block for block in blocks if block)


def mended(text: str) -> str:
    """The text with the words whole that pdfium took from two lines. In paths and names with
    figures the hyphen belongs to them; elsewhere it only parted the word."""

    def hyphen(match: re.Match[str]) -> str:
        before = text[max(0, match.start() - _TOKEN) : match.start()].split()
        return "-" if before and re.search(r"[\d/_.]", before[-1]) else ""

    return _PARTED.sub(hyphen, text)


def _edges(page: list[Line]) -> list[Line]:
    filled = [line for line in page if line.text]
    return [line for line in filled[:2] + filled[-2:] if len(line.text) <= RUNNING_CHARS]


def _running(line: Line) -> str:
    return re.sub(r"\d+|\b[ivxlc]+\b", "0", line.text)


def _kind(line: Line, styles: Styles) -> str:
    if not line.text:
        return "blank"
    if line.mono:
        return "code"
    short = len(line.text) <= HEADING_CHARS and any(map(str.isalpha, line.text))
    if short and line.size > styles.body * LARGER:
        return f"heading {line.size}"
    least = styles.body * (SMALL if _NUMBERED.match(line.text) else 1.0)
    if short and line.bold and line.size >= least and _stands_out(line, styles):
        return "heading 0"
    return "text"


def _stands_out(line: Line, styles: Styles) -> bool:
    if _NUMBERED.match(line.text):
        return True
    return (
        styles.bold_is_rare
        and len(line.text) <= 70
        and not line.text.endswith((".", ",", ";", ":"))
    )


def _parts(before: Line, line: Line, kind: str) -> bool:
    """Whether a new block begins although the kind stays."""
    if kind == "code" or _same_row(before, line):
        return False
    gap = abs(before.bottom - line.bottom)
    size = max(line.size, before.size, 1.0)
    if gap > 1.7 * size or _BULLET.match(line.text) or _ITEM.match(line.text):
        return True
    return kind == "text" and line.left > before.left + size and not before.text.endswith("-")


def _same_row(before: Line, line: Line) -> bool:
    """Whether pdfium only broke the line for a raised mark."""
    return abs(before.bottom - line.bottom) < 0.6 * max(before.size, line.size)


def _block(run: list[Line], styles: Styles) -> str:
    kind = _kind(run[0], styles)
    if kind == "code":
        return _code(run)
    text = _joined(run)
    if kind.startswith("heading"):
        size = float(kind.removeprefix("heading "))
        level = styles.headings.index(size) + 1 if size in styles.headings else LEVELS
        return f"{'#' * min(level, LEVELS)} {' '.join(text.split())}"
    return _BULLET.sub("- ", text)


def _joined(run: list[Line]) -> str:
    text = run[0].text
    for before, line in itertools.pairwise(run):
        cut = _HYPHEN.sub("", text)
        if cut != text:
            text = cut + line.text
        elif _same_row(before, line):
            raised = line.size < SMALL * before.size
            text = f"{text}{line.text}" if raised else f"{text} {line.text}"
        else:
            text = f"{text}\n{line.text}"
    return _HYPHEN.sub("", text)


def _code(run: list[Line]) -> str:
    left = min(line.left for line in run)
    lines = []
    for line in run:
        indent = round((line.left - left) / line.width) if line.width > 0 else 0
        lines.append(" " * min(max(indent, 0), 60) + _ANY_HYPHEN.sub("-", line.text))
    return fence("\n".join(lines))
