"""What of a claim can be checked by machine: code, addresses, figures, dates, quotations, names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from intelli.collate.bounds import PLAIN, Direction, direction
from intelli.collate.claims import Statement, without_marks
from intelli.collate.dates import Date, dates
from intelli.collate.figures import Figure, figures
from intelli.collate.lexicon import HEDGES, ORDINAL_CONTEXT, UNITS
from intelli.collate.names import Name, names
from intelli.text.folding import fold

DetailKind = Literal["code", "line", "identifier", "url", "quote", "date", "figure", "name"]

_CODE_SPAN = re.compile(r"(?<!`)(`{1,3})(?!`)([^\n]*?)(?<!`)\1(?!`)")
_LINK = re.compile(
    r"(!?\[[^\[\]\n]{0,500})\]\(<?([^()\s<>]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?)[^()\n]{0,200}\)"
)
_URL = re.compile(
    r"https?://[^\s<>\"'|\])}]{3,2000}|www\.[^\s<>\"'|\])}]{3,500}|(?:doi:\s?)?\b10\.\d{4,9}/[^\s\"'<>|\])]{2,200}"
)
_QUOTE = re.compile(r"(?<![\w\"])\"([^\"\n]{3,600})\"(?![\w\"])")
_IDENTIFIERS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![\w-])--[A-Za-z][\w-]{0,60}",
        r"(?<![\w\-])-[A-Za-z]{1,2}(?![\w'\-])",
        r"\b[A-Za-z_][\w]{0,80}(?:(?:\.|::|->)[A-Za-z_]\w{0,80}){0,8}\([^()\n]{0,60}\)(?:\.\w{1,60}\(\))?",
        r"(?<![\w/.:])(?:~|\.{1,2})?(?:/[\w.@%+-]{1,80}){2,20}/?",
        r"(?<![\w/.:])@[\w-]{1,60}/[\w.-]{1,80}",
        r"\b[\w-]{1,80}\.(?:py|js|ts|tsx|jsx|json|toml|ya?ml|md|rs|go|java|rb|php|sh|txt|cfg|ini|html|css|lock|xml|sql|csv|env|exe|dll|so|conf)\b",
        r"(?<![\w.])[A-Za-z_]\w{1,60}(?:(?:\.|::)[A-Za-z_]\w{1,60}){1,8}",
        r"(?<!\w)_{0,2}[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+_{0,2}(?!\w)|(?<!\w)__[A-Za-z0-9]+__(?!\w)",
        r"(?<![\w$])\$[A-Z_]{2,60}\b",
        r"\b[a-z]+[A-Z]\w{0,80}|\b[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]{0,80}\b|\b[A-Z]{2,10}[a-z]{2,40}\b",
        r"\b(?!v\d+\.\d)(?=[A-Za-z\d-]{0,40}\d)(?=[\d-]{0,40}[A-Za-z])[A-Za-z\d]+(?:-[A-Za-z\d]+)*\b",
    )
)  # fmt: skip
_NOT_IDENTIFIER = re.compile(
    r"\d+(?:st|nd|rd|th|s|x|k|m|b|bn|mn)$|\d+-?[A-Za-z]{1,14}$|[A-Za-z]+-\d+$|\d+(?:-[A-Za-z]+)+$"
    r"|(?:[A-Za-z]+-)+\d+$|\d+-\d+.*$|\d+(?:_\d+)+$|\d{1,2}-[A-Za-z]{3,9}-\d{2,4}$|\d+x\d+$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\s*(?:\*\*|__)([^*_\n]{1,80})(?:\*\*|__)\s*(?::|-|–|—)|\s*(?:\*\*|__)([^*_\n]{1,80}):(?:\*\*|__)"
)
MAX_DETAILS = 400
MAX_CLAIM = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """One thing to look up. `text` is as written in the claim; `start:end` its place there;
    `needle` is what is searched, folded, case kept."""

    kind: DetailKind
    text: str
    start: int
    end: int
    needle: str = ""
    hedged: bool = False
    direction: Direction = PLAIN
    of_century: bool = False
    figure: Figure | None = None
    date: Date | None = None
    name: Name | None = None


class _Reader:
    """Reads one claim; what one rule has taken is blanked out for those after it."""

    def __init__(self, statement: Statement) -> None:
        self.raw = statement.text[:MAX_CLAIM]
        self.found: list[Detail] = []
        self.folded = fold(self._without_code_and_links(without_marks(self.raw)))
        self.rest = self.folded.text

    def read(self) -> list[Detail]:
        for match in _URL.finditer(self.rest):
            self._take("url", match.start(), match.start() + len(match.group().rstrip(".,;:!?_'")))
        for pattern in _IDENTIFIERS:
            for match in pattern.finditer(self.rest):
                if _is_identifier(match.group()):
                    self._take("identifier", *match.span())
        for match in _QUOTE.finditer(self.rest):
            if len(match.group(1).split()) > 1:
                self._take("quote", *match.span(1), blank=False)
        self._dates_figures_names()
        return self.found

    def _without_code_and_links(self, text: str) -> str:
        blanked = list(text)
        for match in _CODE_SPAN.finditer(text):
            if any(char.isalnum() for char in match.group(2)):
                self._raw("code", *match.span(2))
            blanked[match.start() : match.end()] = " " * (match.end() - match.start())
        for match in _LINK.finditer("".join(blanked)):
            if match.group(2).startswith(("http", "www.")):
                self._raw("url", *match.span(2))
            blanked[match.end(1) : match.end()] = " " * (match.end() - match.end(1))
            blanked[match.start() : match.start(1)] = " " * (match.start(1) - match.start())
        return "".join(blanked)

    def _raw(self, kind: DetailKind, start: int, end: int) -> None:
        written = self.raw[start:end]
        needle = " ".join(fold(written).text.split())
        self.found.append(
            Detail(kind=kind, text=written.strip(), start=start, end=end, needle=needle)
        )

    def _take(self, kind: DetailKind, start: int, end: int, *, blank: bool = True) -> None:
        self._add(Detail(kind=kind, text="", start=start, end=end))
        if blank:
            self.rest = self.rest[:start] + " " * (end - start) + self.rest[end:]

    def _add(self, detail: Detail, start: int | None = None, end: int | None = None) -> None:
        """Complete a detail found in the folded text with its place in the claim and its wording
        (that of `start:end`, where it is more than the detail)."""
        if len(self.found) >= MAX_DETAILS:
            return
        first, last = start or detail.start, end or detail.end
        low, high = self.folded.origin(first, last)
        written = _SIGNS.sub("", self.raw[low:high]).strip("_ ")
        needle = self.folded.text[first:last]
        self.found.append(replace(detail, text=written, start=low, end=high, needle=needle))

    def _dates_figures_names(self) -> None:
        lower, taken = self.rest.lower(), []
        for date in _distinct(dates(lower)):
            if _is_date(date, self.rest):
                day = _WEEKDAY.search(lower, max(0, date.start - 12), date.start)
                taken.append((day.start() if day else date.start, date.end))
                self._add(Detail(kind="date", text="", start=date.start, end=date.end, date=date))
        for figure in _claimed(lower):
            start, end = figure.start, figure.end
            if any(low <= start < high for low, high in taken):
                continue
            hedged = _is_hedged(lower[max(0, start - 40) : start])
            century = lower.startswith(("century", "centuries"), end + 1)
            detail = Detail(kind="figure", text="", start=start, end=end, figure=figure)
            first, last = _written(lower, figure)
            detail = replace(detail, hedged=hedged, of_century=century)
            self._add(replace(detail, direction=direction(lower, figure)), first, last)
            taken.append((first, max(end, figure.unit_end)))
        label = _LABEL.match(self.raw)
        for name in names(self.rest, taken, skip_until=label.end() if label else 0):
            self._add(Detail(kind="name", text="", start=name.start, end=name.end, name=name))


def details_of(statement: Statement) -> list[Detail]:
    """The checkable details of a claim in the order of the text; those of a code block are its
    lines. At most 400 of its first 10,000 characters: no text may cost more."""
    if statement.kind == "code":
        return list(_lines(statement.text))
    return sorted(_Reader(statement).read(), key=lambda each: each.start)


def _lines(code: str) -> Iterator[Detail]:
    position = 0
    for number, line in enumerate(code.split("\n")):
        bare = line.strip()
        if number >= MAX_DETAILS:
            return
        if sum(char.isalnum() for char in bare) > 1:
            start = position + line.index(bare)
            needle = " ".join(fold(bare[:2000]).text.split())
            yield Detail(kind="line", text=bare, start=start, end=start + len(bare), needle=needle)
        position += len(line) + 1


def _is_identifier(text: str) -> bool:
    if _NOT_IDENTIFIER.match(text) or text.lower() in UNITS:
        return False
    return not re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]?|[A-Za-z]+\((?:s|es|ies)\)", text)


def _written(text: str, figure: Figure) -> tuple[int, int]:
    """A figure with its currency sign, scale, unit and the denominator of a rate."""
    start = figure.start
    money = _MONEY.search(text, max(0, start - 6), start)
    start = money.start() if money else start
    return start, max(figure.end, figure.unit_end, figure.rate_end)


def _is_hedged(before: str) -> bool:
    """Whether the words before a figure say that it is no exact one."""
    return before.endswith("~") or any(word.strip("(,") in HEDGES for word in before.split()[-3:])


def _distinct(found: list[Date]) -> list[Date]:
    """Of dates that overlap, the one that says most."""
    best: list[Date] = []
    fullest = sorted(found, key=lambda d: ((d.day is None) + (d.year is None), d.start))
    for date in fullest[:MAX_DETAILS]:
        if all(date.end <= other.start or date.start >= other.end for other in best):
            best.append(date)
    return best


def _is_date(date: Date, text: str) -> bool:
    """A month alone counts when capitalised; `may` and `march` only beside a day or a year, or
    after a word that comes before dates."""
    written = text[date.start : date.end]
    if date.day or date.year:
        return True
    if not written[0].isupper():
        return False
    if written.lower().rstrip("., ") not in ("may", "march", "mar"):
        return len(written.rstrip("., ")) > 3 or written.rstrip("., ").lower() in _SHORT_MONTHS
    before = text[max(0, date.start - 12) : date.start].lower().split()
    return bool(before) and before[-1] in _BEFORE_MONTH


_MONEY = re.compile(
    r"(?:\b(?:us|ca|au?|nz|hk))?[$€£¥₹]\s?-?$|\b(?:usd|eur|gbp|chf|inr|jpy)\s-?$|(?<!\w)-$"
)
_WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s$")
_SHORT_MONTHS = frozenset("may jan feb mar apr jun jul aug sep oct nov dec".split())
_BEFORE_MONTH = frozenset(
    "in of since until till by early late mid last next from to and on".split()
)
_ENUMERATOR = re.compile(r"(?:^|[\s:;,])?\(?\d{1,2}\)\s[^\W\d_]")
_SIGNS = re.compile(r"[*`]+")
_REFERENCE = re.compile(
    r"\b(?:contexts?|sources?|references?|refs?|documents?|footnotes?|citations?)\s"
    r"(?:\d{1,2}(?:,\s|\sand\s|,\sand\s))*$"
)
_ORDINAL_USE = re.compile(rf"[\s-](?:{'|'.join(ORDINAL_CONTEXT)})s?\b")
_UNCOUNTED = frozenset(
    "one ones zero half quarter single once both pair couple "
    "dozens hundreds thousands millions".split()
)


def _widest(found: list[Figure]) -> Iterator[Figure]:
    """The figures without those inside of another: of `4 500` neither 4 nor 500."""
    reach = 0
    for figure in sorted(found, key=lambda each: (each.start, -each.end)):
        if figure.end > reach:
            reach = figure.end
            yield figure


def _claimed(text: str) -> list[Figure]:
    """Figures a claim can be held to: not `one`, `half`, `both`, which are words more often."""
    claimed = []
    for figure in _widest(figures(text)):
        written = text[figure.start : figure.end]
        if figure.kind in ("word", "count") and written in _UNCOUNTED:
            continue
        if _ENUMERATOR.match(text, max(0, figure.start - 2)) and len(figure.digits) < 3:
            continue
        if _REFERENCE.search(text, max(0, figure.start - 40), figure.start):
            continue
        if written in ("first", "second") and not _ORDINAL_USE.match(text, figure.end):
            continue
        claimed.append(figure)
    return claimed
