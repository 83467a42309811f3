"""A text as claims: sentences, list items, table rows and code blocks with the marks they bear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from intelli.collate.blocks import Block, BlockKind, blocks

UNKNOWN = 0
"""The number of `[?]`, a mark that names no source: what an invented one is left as."""

_NUMBER = r"(?:(?i:sources?)[ \t]*:?[ \t]*)?\^?\d{1,3}"
MARK = re.compile(
    rf"[\[【][ \t]*((?<!\w[\[【])\?|{_NUMBER}(?:[ \t]*(?:[,;\-–—]|and|&)[ \t]*{_NUMBER})*)"
    r"(?:†[^】\n]{0,80})?[ \t]*[\]】](?!\()"
)
_LINK_LABEL = re.compile(r"\[[^\[\]\n]*[^\[\]\n\d,;\s–—-][^\[\]\n]*\]$")
_CODE_SPAN = re.compile(r"(?<!`)(`{1,3})(?!`)[^\n]*?(?<!`)\1(?!`)")
_LINK = re.compile(
    r"!?\[[^\[\]\n]{0,500}\]\([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?[^()\n]{0,200}\)"
)
_URL = re.compile(r"https?://[^\s<>\"')\]]+")
_END = re.compile(
    r"(?:(?:(?<=[^\s.!?…\[【])|(?<=\s)(?=[.!?]\s))[.!?…]{1,4}[\"'”’»)\]*_]{0,4}(?=\s|[\[【][\d?^]|\[(?i:source))"
    r"|[。！？]+[”’」』）]?)"
)
_AFTER_MARKS = re.compile(r"(?:[ \t]*" + MARK.pattern + r")*")
_CLOSING_MARKS = re.compile(r"(?<=\S)\s+(?:" + MARK.pattern + r"\s*){1,9}$")
_OPENING = re.compile(r"\s*[*_\"'“‘«(\[`]*(?:[^\W\d_]|\d|[-/$#&<@]|\?\]|$)")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[\"'“*_])(?:e\.g|i\.e|cf|vs|etc|approx|ca|no|nos|vol|fig|figs|eq|sec|ch|pp?|ed|eds|"
    r"dr|mr|mrs|ms|prof|st|jr|sr|gen|col|lt|sgt|rev|hon|inc|ltd|co|corp|dept|est|al|resp|incl|max|"
    r"min|art|op|cit|viz|z\.b|d\.h|bzw|u\.a|p\.ex|par ex|jan|feb|mar|apr|aug|sept?|oct|nov|dec|"
    r"(?:[a-z]\.)*[a-z])$",
    re.IGNORECASE,
)
_ALWAYS_OPEN = re.compile(
    r"(?:e\.g|i\.e|cf|vs|dr|mr|mrs|ms|prof|fig|gen|col|sgt|rev|approx)$", re.I
)
_SENTENCE_OPENER = re.compile(
    r"(?:the|an?|it|its|this|that|these|those|in|on|at|for|by|from|if|when|while|however|they|we|he|"
    r"she|there|as|but|and|to|use|you|both|some|all|no|after|before|since|with)\b",
    re.IGNORECASE,
)
_ZERO = re.compile(r"(?<!\d)0+(?!\d)")
MAX_MARKS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A claim before it is checked: `text == checked[start:end]`; `item` counts from 1."""

    text: str
    start: int
    end: int
    item: int
    kind: BlockKind
    marks: tuple[int, ...] = ()


def split_claims(text: str) -> list[Statement]:
    """The claims of a Markdown or plain text in document order.

    A sentence without marks takes those at the end of its paragraph or list item; a code block
    and a table take those of a line of marks right after it, else those of the block before it.
    """
    found: list[Statement] = []
    lead: tuple[int, ...] = ()
    for block in blocks(text):
        statements = list(_statements(text, block))
        if not statements:
            marks = _marks(text[block.start : block.end])
            if marks and found:
                _cite_last(found, marks)
                lead = marks
            continue
        if block.kind in ("code", "row") and not statements[-1].marks:
            statements = [replace(each, marks=lead) for each in statements]
        else:  # a table that cites in its rows is not cited by the line before it
            lead = () if block.kind == "row" else statements[-1].marks
        found.extend(statements)
    return _renumbered(found)


def _renumbered(found: list[Statement]) -> list[Statement]:
    """Items without a claim leave no gap in the numbers."""
    numbers: dict[int, int] = {}
    return [replace(each, item=numbers.setdefault(each.item, len(numbers) + 1)) for each in found]


def parse_marks(text: str) -> tuple[int, ...]:
    """The numbers that the marks of `text` name, each once, in order; code is skipped."""
    return _marks(text)


def marks_in(text: str) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Where each mark of `text` starts and ends, and the numbers it names; code is skipped."""
    for match in _mark_matches(text):
        yield match.start(), match.end(), tuple(dict.fromkeys(_numbers(match.group(1))))


def parts(text: str) -> list[tuple[int, tuple[int, ...]]]:
    """Where each part of a sentence ends, and the marks behind it: marks inside a sentence cite
    what stands before them."""
    found: list[tuple[int, tuple[int, ...]]] = []
    for match in _mark_matches(text):
        numbers = tuple(_numbers(match.group(1)))
        if found and not text[found[-1][0] : match.start()].strip(" ,"):
            numbers = (*found.pop()[1], *numbers)
        found.append((match.end(), numbers))
    return found


def without_marks(text: str) -> str:
    """`text` with every mark blanked out, so offsets stay."""
    pieces, position = [], 0
    for match in _mark_matches(text):
        pieces += [text[position : match.start()], " " * len(match.group())]
        position = match.end()
    return "".join([*pieces, text[position:]])


def _statements(text: str, block: Block) -> Iterator[Statement]:
    if block.kind == "code":
        yield _code(text, block)
        return
    spans = _sentences(text, block.start, block.end) if block.kind == "prose" else _whole(block)
    closing = _end_marks(text[block.start : block.end])
    for first, last in spans:
        start, end = _trimmed(text, first, last)
        sentence = text[start:end]
        if not any(char.isalnum() for char in without_marks(sentence)):
            continue
        marks = _marks(sentence) or closing
        yield Statement(
            text=sentence, start=start, end=end, item=block.item, kind=block.kind, marks=marks
        )


def _code(text: str, block: Block) -> Statement:
    """A code block; marks that end one whose fence is never closed are no code."""
    end, marks = block.end, tuple[int, ...]()
    closing = _CLOSING_MARKS.search(text, block.start, end) if block.unclosed else None
    if closing:
        end, marks = closing.start(), parse_marks(closing.group())
    return Statement(
        text=text[block.start : end], start=block.start, end=end,
        item=block.item, kind="code", marks=marks,
    )  # fmt: skip


def _whole(block: Block) -> list[tuple[int, int]]:
    return [(block.start, block.end)]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _cite_last(found: list[Statement], marks: tuple[int, ...]) -> None:
    item = found[-1].item
    k = len(found) - 1
    while k >= 0 and found[k].item == item and (found[k].kind == "code" or not found[k].marks):
        found[k] = replace(found[k], marks=marks)
        k -= 1


def _protected(text: str) -> list[tuple[int, int]]:
    return sorted(
        match.span() for pattern in (_CODE_SPAN, _LINK, _URL) for match in pattern.finditer(text)
    )


def _mark_matches(text: str) -> Iterator[re.Match[str]]:
    if "[" not in text and "【" not in text:
        return
    code, k, last = [match.span() for match in _CODE_SPAN.finditer(text)], 0, 0
    for match in MARK.finditer(text):
        start = match.start()
        while k < len(code) and code[k][1] <= start:
            k += 1
        if k < len(code) and code[k][0] <= start:
            continue
        label = start > last and text[start - 1 : start] == "]"
        if label and _LINK_LABEL.search(text[max(0, start - 200) : start]):
            continue
        if _ZERO.search(match.group(1)) and (
            len(match.group(1)) > 1 or (start and not text[start - 1].isspace())
        ):
            continue  # an interval or an index, not a source
        last = match.end()
        yield match


def _marks(text: str) -> tuple[int, ...]:
    return tuple(
        dict.fromkeys(n for match in _mark_matches(text) for n in _numbers(match.group(1)))
    )


def _numbers(inside: str) -> Iterable[int]:
    if inside == "?":
        return [UNKNOWN]
    parts = re.findall(r"\d+|[-–—]", inside)
    numbers: list[int] = []
    for k, part in enumerate(parts):
        if not part.isdigit():
            continue
        if k >= 2 and not parts[k - 1].isdigit() and numbers:
            numbers.extend(range(numbers[-1] + 1, min(int(part), numbers[-1] + MAX_MARKS)))
        numbers.append(int(part))
    return numbers[:MAX_MARKS]


def _end_marks(text: str) -> tuple[int, ...]:
    """The run of marks that closes `text`; only punctuation may stand between and after them."""
    closing: list[str] = []
    end = len(text)
    for match in reversed(list(_mark_matches(text))):
        if text[match.end() : end].strip(" \t\r\n.,;:!?*_)|”\"'。"):
            break
        closing.append(match.group(1))
        end = match.start()
    return tuple(dict.fromkeys(n for inside in reversed(closing) for n in _numbers(inside)))


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    body = text[start:end]
    protected = _protected(body)
    cuts, k = [0], 0
    for match in _END.finditer(body):
        while k < len(protected) and protected[k][1] <= match.start():
            k += 1
        inside = k < len(protected) and protected[k][0] <= match.start() < protected[k][1] - 1
        if inside or _is_abbreviation(body, match):
            continue
        cut = _after_marks(body, match.end())
        if cut < len(body) and _OPENING.match(body, cut) and cut > cuts[-1]:
            cuts.append(cut)
    return [(start + a, start + b) for a, b in zip(cuts, [*cuts[1:], len(body)], strict=True)]


def _after_marks(body: str, position: int) -> int:
    """Behind the marks that follow a full stop, unless they open the next sentence."""
    match = _AFTER_MARKS.match(body, position)
    end = match.end() if match else position
    if end > position and body[position : position + 1].isspace():
        rest = body[end : end + 40].lstrip()
        if rest and rest[0].islower():
            return position
    return end


def _is_abbreviation(body: str, match: re.Match[str]) -> bool:
    if not match.group().startswith(".") or len(match.group().rstrip("\"'”’»)]*_")) > 1:
        return False
    following = body[match.end() : match.end() + 40].lstrip()
    if following[:1].islower():
        return True
    before = body[max(0, match.start() - 16) : match.start()]
    if not _ABBREVIATION.search(before):
        return False
    if _ALWAYS_OPEN.search(before) or following[:1].isdigit():
        return True
    word = before.split()[-1].lstrip("(\"'*_[") if before.split() else ""
    initials = word.replace(".", "").isupper() and len(word) % 2 == 1 and word != "I"
    return initials and not _SENTENCE_OPENER.match(following)
