"""Makes cut sentences whole again, from the page they were cut from."""

from __future__ import annotations

import re

_REACH = 500
"""Characters a quotation may grow either way; a longer sentence stays cut."""

_CLOSING = "\"'”’)]*_`」』）"
_ENDS = ".!?…:;。！？：；"
_ABBREVIATIONS = (
    "e.g",
    "i.e",
    "cf",
    "vs",
    "al",
    "Fig",
    "No",
    "Dr",
    "Mr",
    "Mrs",
    "St",
    "approx",
    "z.B",
)
_NOT_ABBREVIATED = "".join(rf"(?<!\b{re.escape(word)}\.)" for word in _ABBREVIATIONS)
_ABBREVIATION = re.compile(rf"\b(?:{'|'.join(map(re.escape, _ABBREVIATIONS))})\.\Z")
_STOP = rf"(?:[.]{_NOT_ABBREVIATED}|[!?…])[\"'”’)\]*_]*"
_BOUNDARY = re.compile(
    rf"{_STOP}\s+|[。！？][」』”）]*\s*|\n[ \t]*\n\s*|^#[^\n]*\n\s*", re.MULTILINE
)
_SENTENCE_END = re.compile(rf"{_STOP}(?=\s|\Z)|[。！？][」』”）]*|(?=\n[ \t]*\n)|\Z")
_OTHER_BLOCK = re.compile(r"^[ \t]*(?:>|`{3}|~{3}|\||[-*+] )", re.MULTILINE)
_LEANS_BACK = re.compile(
    r"(?:It|Its|This|These|That|Those|They|Their|He|His|She|Her|Such|Both|But|And|So|Then|Thus|Hence"
    r"|Therefore|However|Moreover|Otherwise|Instead|Also|Nevertheless|Furthermore|Secondly|Finally"
    r"|Next|As (?:well|mentioned|noted|above)|In (?:addition|contrast|this case)|Dies|Diese[rs]?"
    r"|Daher|Aber|Jedoch|Это|Эти|Этот|Он[аио]?|Однако|这|该|因此|但是?|然而)(?:\b|(?<=[\u3400-\u9fff]))"
)


def whole_sentences(piece: str, page: str) -> str:
    """`piece` grown to the sentences of `page` that it was cut from; one whose first sentence
    leans on the one before (This …, However …) gets that too. Unchanged where `page` lacks it."""
    start = page.find(piece) if piece else -1
    if start < 0:
        return piece
    first, end = start, start + len(piece)
    before = page[max(0, start - _REACH) : start]
    if _inside_paragraph(before) and (not _is_ended(before) or leans_back(piece)):
        first = _previous_start(before, start)
    last = end
    if not _is_ended(piece):
        match = _SENTENCE_END.search(page, end, min(len(page), end + _REACH))
        last = match.end() if match else end
    if _OTHER_BLOCK.search(page[first:start]) or _OTHER_BLOCK.search(page[end:last]):
        return piece
    return page[first:last].strip()


def leans_back(text: str) -> bool:
    """Whether the first sentence goes on from one before it."""
    return bool(_LEANS_BACK.match(text.lstrip("*_ ")))


def without_overlap(text: str, before: str) -> str:
    """`text` less the sentences at its start that `before` ends with."""
    for boundary in reversed(list(_BOUNDARY.finditer(text, 0, 2 * _REACH))):
        if before.endswith(text[: boundary.end()].strip()):
            return text[boundary.end() :]
    return text


def _inside_paragraph(before: str) -> bool:
    """Whether text of the same paragraph comes right before."""
    stripped = before.rstrip()
    gap = before[len(stripped) :]
    last_line = stripped.rpartition("\n")[2]
    return bool(stripped) and gap.count("\n") < 2 and not last_line.startswith("#")


def _is_ended(text: str) -> bool:
    stripped = text.rstrip().rstrip(_CLOSING)
    return stripped.endswith(tuple(_ENDS)) and not _ABBREVIATION.search(stripped[-12:])


def _previous_start(before: str, start: int) -> int:
    """Where the sentence begins that `before` ends in or with; `start` if out of reach."""
    stripped = before.rstrip()
    starts = [m.end() for m in _BOUNDARY.finditer(stripped) if m.end() < len(stripped)]
    if starts:
        return start - len(before) + starts[-1]
    return start if len(before) == _REACH else start - len(before)
