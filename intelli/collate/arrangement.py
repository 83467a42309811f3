"""Sets the chosen units out for a reader: the best first, the others under headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from intelli.collate.quoting import paragraphs, with_marks
from intelli.collate.sentences import without_overlap
from intelli.collate.units import Part, Unit

_SHORT = 1_200
"""A report of fewer characters, or of one section, reads better without headings."""

_HEADING_WIDTH = 64
_HEAD_ROWS = 2
_GENERIC = re.compile(
    r"(?:abstract|argument|basic|configuration|description|detail|example|faq|feature|general|info"
    r"|information|install|installation|introduction|main|method|note|option|overview|parameter"
    r"|reference|remark|result|return|setup|summary|syntax|usage|text|quick ?start|tip|value|more"
    r"|other|how to use|getting started)s?",
    re.IGNORECASE,
)
_SITE_NAME = re.compile(r"\s+[|·•–—-]\s+[^|·•–—]{2,40}$|\s+[—–]\s+[^—–]*documentation$")
_EMPHASIS = re.compile(
    r"(?:(?<!\w)(?P<mark>_{1,3})|(?P<star>\*{1,3}))(?=\S)(?P<text>.+?)(?<=\S)"
    r"(?:(?(mark)(?P=mark)(?!\.?\w)|(?P=star)))"
)
"""Underscores within `a_name` or around `__init__.py` are no emphasis."""

_EDGES = re.compile(r"^[^\w(]*(?:\d{1,2}(?:\.\d{1,2})?[.)]?\s+(?=[A-Z]))?|[\s:#*¶]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A unit the report takes, its relevance, and every source that says the same."""

    unit: Unit
    score: float
    sources: tuple[int, ...]

    @property
    def marks(self) -> str:
        """What a reader sees behind it: `[1][3]`."""
        return "".join(f"[{n}]" for n in self.sources)


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    members: list[Chosen]


def arranged(chosen: Sequence[Chosen], titles: Mapping[int, str]) -> str:
    """Markdown of all that was chosen, most relevant first; `titles` are the sources' own.

    The first unit opens the text. The rest follows under the headings of the sources, a section
    where its best unit ranks, within it source by source in the order of the page.
    """
    opening, rest = _opening(_with_whole_tables(chosen))
    sections = _sections(rest, titles)
    total = sum(len(each.unit.text) for each in chosen)
    headed = total >= _SHORT and len(sections) > 1
    parts = _rendered(opening, titles, None)
    for section in sections:
        if headed:
            parts.append(f"### {section.title}")
        parts += _rendered(section.members, titles, section.title if headed else None)
    return "\n\n".join(parts)


def _with_whole_tables(chosen: Sequence[Chosen]) -> list[Chosen]:
    """What was chosen, with the pieces of one table as one in the place of the best."""
    pieces: dict[object, list[Chosen]] = {}
    for each in chosen:
        first = each.unit.parts[0]
        head = first.text.split("\n")[:_HEAD_ROWS] if first.kind == "table" else [id(each)]
        key = (each.sources, each.unit.source, each.unit.heading, len(each.unit.parts) == 1, *head)
        pieces.setdefault(key, []).append(each)
    return [_joined(found) for found in pieces.values()]


def _joined(found: Sequence[Chosen]) -> Chosen:
    best, *others = found
    if not others:
        return best
    first, *more = (
        each.unit.parts[0].text.split("\n") for each in sorted(found, key=lambda x: x.unit.order)
    )
    rows = [*first, *(row for lines in more for row in lines[_HEAD_ROWS:])]
    table = Part(kind="table", text="\n".join(rows))
    return replace(best, unit=replace(best.unit, parts=(table,)))


def _opening(chosen: Sequence[Chosen]) -> tuple[list[Chosen], list[Chosen]]:
    """The most relevant unit, and the code right after it on its page. Where that is bare code, the
    most relevant words that were chosen, those of its page first, say before it what it is for."""
    first, *rest = chosen
    if first.unit.parts[0].kind in ("code", "table"):
        words = [each for each in rest if each.unit.parts[0].kind == "prose"]
        here = [each for each in words if each.unit.source == first.unit.source]
        said = (here or words)[:1]
        return [*said, first], [each for each in rest if each not in said]
    follower = [
        each
        for each in rest
        if each.unit.source == first.unit.source
        and each.unit.order == first.unit.order + 1
        and each.unit.heading == first.unit.heading
        and each.unit.parts[0].kind == "code"
    ]
    return [first, *follower], [each for each in rest if each not in follower]


def _sections(chosen: Iterable[Chosen], titles: Mapping[int, str]) -> list[_Section]:
    found: dict[str, _Section] = {}
    for each in chosen:
        title = heading(each.unit, titles[each.unit.source])
        found.setdefault(title.casefold(), _Section(title, [])).members.append(each)
    for section in found.values():
        rank = {each.unit.source: n for n, each in reversed(list(enumerate(section.members)))}
        section.members.sort(key=lambda each: (rank[each.unit.source], each.unit.order))
    return list(found.values())


def heading(unit: Unit, title: str) -> str:
    """The nearest heading above the unit that says something by itself, else one with what it is
    about before it, else the title of the page."""
    names = [_tidy(name) for name in unit.heading]
    page = _tidy(_SITE_NAME.sub("", title))
    if not names or not names[-1]:
        return page or "More"
    if not _GENERIC.fullmatch(names[-1]):
        return names[-1]
    above = next((n for n in reversed(names[:-1]) if n and not _GENERIC.fullmatch(n)), page)
    return f"{above}: {names[-1]}" if above and above != names[-1] else names[-1]


def _tidy(name: str) -> str:
    """The name on one short line; a character of Chinese or Japanese is as wide as two."""
    name = _EDGES.sub("", _EMPHASIS.sub(r"\g<text>", " ".join(paragraphs(name))))
    width = 0
    for n, char in enumerate(name):
        width += 2 if "\u2e80" <= char <= "\uffef" else 1
        if width > _HEADING_WIDTH:
            return name[:n].rsplit(" ", 1)[0].rstrip(" ,;:-–—(") + "…"
    return name


def _rendered(members: Iterable[Chosen], titles: Mapping[int, str], above: str | None) -> list[str]:
    """Parts with their marks. A block that opens a section, or comes after other marks, is
    introduced by a line that bears its own."""
    parts: list[str] = []
    previous: Chosen | None = None
    for each in members:
        unit = _continued(each.unit, previous)
        follows = previous is not None and previous.marks == each.marks
        if unit.parts[0].kind in ("code", "table") and not (follows and _ends_in_text(parts)):
            parts.append(_introduction(each, titles, above))
        parts += [_with_marks(part, each.marks) for part in unit.parts]
        previous = each
    return parts


def _ends_in_text(parts: Sequence[str]) -> bool:
    """Whether the last part is one whose marks cover the block after it."""
    return bool(parts) and not parts[-1].startswith(("#", "|"))


def _continued(unit: Unit, previous: Chosen | None) -> Unit:
    """Without the sentence that the unit before it already ends with."""
    first, *others = unit.parts
    if previous is None or first.kind != "prose" or previous.unit.parts[-1].kind != "prose":
        return unit
    text = without_overlap(first.text, previous.unit.parts[-1].text)
    kept = (Part(kind="prose", text=text), *others) if text else tuple(others)
    return replace(unit, parts=kept or unit.parts)


def _introduction(each: Chosen, titles: Mapping[int, str], above: str | None) -> str:
    named = heading(each.unit, titles[each.unit.source])
    if named == above:
        named = _tidy(_SITE_NAME.sub("", titles[each.unit.source]))
    repeats = not named or named.casefold() == (above or "").casefold()
    return f"The source has: {each.marks}" if repeats else f"From *{named}*: {each.marks}"


def _with_marks(part: Part, marks: str) -> str:
    return part.text if part.kind in ("code", "table") else with_marks(part.text, marks)
