"""Parts of a long text: a window of so many characters, a place by its words, a section."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from intelli.records import record

Span = tuple[int, int]
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t](.*)")
_ROW = re.compile(r"[ \t]*\|")
_RULE = re.compile(r"([=\-~^\"*+#`:.'_])\1{2,}[ \t]*")
_RULE_LEVELS = {"=": 1, "-": 2, "~": 3, "^": 4, '"': 5}
_OTHER_RULE_LEVEL = 3
_NO_TITLE = re.compile(r"[ \t]|[>|]|#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]")
_LONGEST_TITLE = 150
_JOINER = "\u200d"


@record
class Window:
    """`text` is characters `start` to `end` of a text of `total`; `hits` are the places in that
    text where `find` found something."""

    text: str
    start: int
    end: int
    total: int
    hits: tuple[Span, ...] = ()

    @property
    def more(self) -> bool:
        return self.end < self.total


@record
class _Line:
    """`start` to `end` with its line break; `block` is where the code block around it starts."""

    start: int
    end: int
    block: int | None
    row: bool
    level: int
    heading: str


def window(text: str, start: int, budget: int) -> Window:
    """At most `budget` characters from `start`, at least one if there is any.

    The end falls before a code block or a table row rather than inside, and then between lines,
    words or at least characters as a reader sees them.
    """
    start = min(max(start, 0), len(text))
    limit = start + max(budget, 1)
    end = len(text) if limit >= len(text) else _cut(text, start, limit)
    return Window(text=text[start:end], start=start, end=end, total=len(text))


def find(text: str, needle: str, context: int) -> Window | None:
    """The first of the `hits` in at most `context` characters of its surroundings, None without
    one."""
    found = hits(text, needle)
    if not found:
        return None
    first, last = found[0]
    if last - first >= context:
        return replace(window(text, first, context), hits=found)
    room = (context - (last - first)) // 2
    start = _before_code(text, _line_start(text, first, room), first, last - context)
    around = window(text, start, context)
    end = max(around.end, last)
    return Window(text=text[start:end], start=start, end=end, total=len(text), hits=found)


def hits(text: str, needle: str) -> tuple[Span, ...]:
    """Every place of `needle`, read literally, but in any case and with any white space for its
    own. Where there is none, the places that differ in accents, quotes, dashes or emphasis alone,
    as the verification of a report reads them."""
    words = needle.split()
    if not words:
        return ()
    before, behind = (r"\s" if needle[at].isspace() else "" for at in (0, -1))
    pattern = before + r"\s+".join(map(re.escape, words)) + behind
    literal = tuple(match.span() for match in re.finditer(pattern, text, re.IGNORECASE))
    return literal or _folded_hits(text, needle)


def _folded_hits(text: str, needle: str) -> tuple[Span, ...]:
    from intelli.text.folding import fold, fold_plain

    wanted = fold_plain(needle).strip()
    if not wanted:
        return ()
    folded = fold(text)
    places = re.finditer(re.escape(wanted), folded.lower)
    return tuple(_whole(text, *folded.origin(*match.span())) for match in places)


def _whole(text: str, start: int, end: int) -> Span:
    """With the accents of the last letter, which folding drops."""
    while end < len(text) and _clings(text, end):
        end += 1
    return start, end


def sections(text: str, heading: str) -> list[Window]:
    """Each from a heading whose words are `heading` to the next one of the same or a higher
    level; where none is, from those that begin with it, and else that contain it."""
    lines = list(_lines(text))
    wanted = _plain(heading)
    titles = [(i, _plain(line.heading)) for i, line in enumerate(lines) if line.level]
    for test in (str.__eq__, str.startswith, str.__contains__):
        found = [i for i, words in titles if wanted and test(words, wanted)]
        if found:
            return [_section(text, lines, at) for at in found]
    return []


def _section(text: str, lines: Sequence[_Line], at: int) -> Window:
    after = (line.start for line in lines[at + 1 :] if 0 < line.level <= lines[at].level)
    start, end = lines[at].start, next(after, len(text))
    return Window(text=text[start:end], start=start, end=end, total=len(text))


def headings(text: str) -> list[str]:
    """The words of every heading in order, without the marks of its level."""
    return [line.heading.strip() for line in _lines(text) if line.level and line.heading.strip()]


def _plain(heading: str) -> str:
    return " ".join(heading.strip().lstrip("#").split()).casefold().strip("*_` ")


def _cut(text: str, start: int, limit: int) -> int:
    """Where to end a window that cannot reach the end of the text."""
    lines = list(_lines(text))
    line = lines[bisect_right([each.start for each in lines], limit) - 1]
    if line.block is not None and line.block > start:
        return line.block
    if line.start > start and (line.block is not None or line.row or line.start == limit):
        return line.start
    floor = start + (limit - start) // 2
    if line.start > floor:
        return line.start
    space = max(text.rfind(" ", floor, limit), text.rfind("\n", floor, limit)) + 1
    return _between_characters(text, start, space or limit)


def _between_characters(text: str, start: int, limit: int) -> int:
    """Not before a combining mark, nor at a joiner that makes two signs one."""
    end = limit
    while end > start + 1 and _clings(text, end):
        end -= 1
    return end if not _clings(text, end) else limit


def _clings(text: str, at: int) -> bool:
    char = text[at]
    joined = _JOINER in (char, text[at - 1])
    modifier = "\U0001f3fb" <= char <= "\U0001f3ff"
    if joined or modifier or unicodedata.category(char) in ("Mn", "Me", "Mc"):
        return True
    return _is_half_flag(char) and _half_flags_before(text, at) % 2 == 1


def _is_half_flag(char: str) -> bool:
    return "🇦" <= char <= "🇿"


def _half_flags_before(text: str, at: int) -> int:
    first = at
    while first and _is_half_flag(text[first - 1]):
        first -= 1
    return at - first


def _line_start(text: str, at: int, room: int) -> int:
    """A start at most `room` before `at`: at a line, else at a word."""
    start = max(at - room, 0)
    if start == 0:
        return 0
    for mark in ("\n", " "):
        place = text.find(mark, start - 1, at)
        if place >= 0:
            return place + 1
    return start


def _before_code(text: str, start: int, at: int, earliest: int) -> int:
    """`start`, or where it would fall into a code block: before the block if that is not before
    `earliest`, else behind it, unless what is looked for at `at` stands in it."""
    lines = list(_lines(text))
    starts = [line.start for line in lines]
    line = lines[bisect_right(starts, start) - 1]
    block = line.block
    if block is None or block == start:
        return start
    if block >= earliest:
        return block
    if lines[bisect_right(starts, at) - 1].block == block:
        return start
    return next(each.start for each in lines if each.start > start and each.block != block)


def _lines(text: str) -> Iterator[_Line]:
    """Every line with what it belongs to; a code block without an end reaches to the last line."""
    fence, block, position = "", None, 0
    raws = _split(text)
    underlined = _underlined([raw.rstrip("\r\n") for raw in raws])
    for number, raw in enumerate(raws):
        line = raw.rstrip("\r\n")
        match = _FENCE.fullmatch(line) if number not in underlined.rules else None
        inside = block
        if block is None and match and not ("`" in match[2] and match[1][0] == "`"):
            fence, block = match[1], position
            inside = block
        elif block is not None and match and match[1].startswith(fence) and not match[2].strip():
            block = None
        heading = _heading(line, underlined.titles.get(number)) if inside is None else (0, "")
        yield _Line(
            start=position,
            end=position + len(raw),
            block=inside,
            row=inside is None and bool(_ROW.match(line)),
            level=heading[0],
            heading=heading[1],
        )
        position += len(raw)


def _heading(line: str, underlined: tuple[int, str] | None) -> tuple[int, str]:
    """Level and words of the heading in a line, level 0 for none."""
    if match := _HEADING.fullmatch(line):
        return len(match[1]), match[2].strip().rstrip("#").rstrip()
    return underlined or (0, "")


@record
class _Underlined:
    """By number of line: level and words of each heading where it starts, and its rules of `~`
    or backticks, which open no code."""

    titles: dict[int, tuple[int, str]]
    rules: frozenset[int]


def _underlined(lines: list[str]) -> _Underlined:
    """Headings with a rule below, or above and below; blank space or a rule is above them."""
    titles: dict[int, tuple[int, str]] = {}
    rules: set[int] = set()
    for at in range(1, len(lines)):
        rule = _RULE.fullmatch(lines[at])
        if rule is None or not _is_title(lines[at - 1], rule):
            continue
        above = lines[at - 2].rstrip() if at > 1 else ""
        over = _RULE.fullmatch(above)
        # A rule of hyphens in the first line opens front matter.
        if over is not None and over[1] == rule[1] and (at > 2 or rule[1] != "-"):
            titles[at - 2] = (_level(rule), lines[at - 1].strip())
            rules |= {at - 2, at}
        elif not above and not lines[at - 1][0].isspace():
            titles[at - 1] = (_level(rule), lines[at - 1].strip())
            rules.add(at)
    return _Underlined(titles=titles, rules=frozenset(rules))


def _level(rule: re.Match[str]) -> int:
    return _RULE_LEVELS.get(rule[1], _OTHER_RULE_LEVEL)


def _is_title(line: str, rule: re.Match[str]) -> bool:
    words = line.strip()
    if not words or len(words) > _LONGEST_TITLE or _RULE.fullmatch(words):
        return False
    # Markdown takes any length of the first two; other rules are reST's, as long as the title.
    long_enough = rule[1] in "=-" or len(rule[0].rstrip()) >= len(words)
    return long_enough and not _NO_TITLE.match(line.lstrip())


def _split(text: str) -> list[str]:
    """Lines with their line feed; other separators of `splitlines` may stand inside a line."""
    return re.findall(r"[^\n]*\n|[^\n]+", text) or [""]
