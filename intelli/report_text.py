"""A finished run as Markdown, section by section: for `report.md` and for standard output."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence

from intelli.records import CLAIM_STATUSES, Claim, Conflict, Research, Source, record

FLAGGED = frozenset({"partial", "misattributed", "unsupported"})
SUMMARY = "Summary"
SOURCES = "Sources"
CUT = "\n\n[cut at "
"""What the closing lines of a cut report begin with; they are no Markdown."""
APPENDICES = frozenset(
    {
        "Conflicts",
        "Verification",
        "Sources",
        "Not used",
        "Warnings",
        "Related research",
        "Source assessment",
        "Source index",
        "Blocked/Failed",
    }
)
"""Sections of a report that list rather than state; the last two are pi-intelli-search's."""
_NOT_NEWLINE = re.compile(r"[^\n]")
FLAG_WORDS = {
    "partial": "not found",
    "misattributed": "found in another source",
    "unsupported": "not found",
}


@record
class Section:
    """A heading of the second level and the records under it, none of which may be cut."""

    title: str
    blocks: tuple[str, ...]
    tight: bool = False
    """True where blocks are list items, which need no blank line between them."""

    def markdown(self, blocks: Sequence[str] | None = None) -> str:
        body = ("\n" if self.tight else "\n\n").join(self.blocks if blocks is None else blocks)
        return f"## {self.title}\n\n{body}"


def render(research: Research) -> tuple[Section, ...]:
    """All sections that have something to say, the answer first."""
    report = research.report
    sections = (
        Section(title=SUMMARY, blocks=split_blocks(report.summary)),
        Section(title="Conflicts", blocks=tuple(map(_conflict, report.conflicts)), tight=True),
        Section(title="Verification", blocks=_verification(report.claims), tight=True),
        Section(title=SOURCES, blocks=_sources(research.sources), tight=True),
        Section(title="Not used", blocks=_unused(research.sources), tight=True),
        Section(title="Warnings", blocks=_items(research.warnings), tight=True),
        Section(title="Related research", blocks=_related(research), tight=True),
        Section(title="Source assessment", blocks=split_blocks(report.assessment)),
    )
    return tuple(section for section in sections if section.blocks)


def title_of(research: Research) -> str:
    """The question as one heading line."""
    return "# " + " ".join(research.query.text.split())[:200]


def whole(research: Research) -> str:
    """The text of `report.md`."""
    facts = [f"{research.timestamp} · engine {research.engine}"]
    if research.query.focus:
        facts.append(f"focus: {' '.join(research.query.focus.split())}")
    parts = [title_of(research), "> " + " · ".join(facts)]
    return "\n\n".join([*parts, *(section.markdown() for section in render(research))]) + "\n"


def pack(research: Research, budget: int, at: str = "") -> str:
    """The report within `budget` characters: whole records only, and a last line that shows the
    rest, with `at` among its options. Room is kept for the sources, without which the marks in
    the summary say nothing; once something is left out nothing but they follow."""
    sections = render(research)
    full = "\n\n".join([title_of(research), *(section.markdown() for section in sections)]) + "\n"
    if len(full) <= budget:
        return full
    tail = _tail(research, budget, len(full), at)
    title = title_of(research)[: max(20, budget // 5)].rstrip()
    room = budget - len(title) - len(tail)
    kept = min(room // 3, sum(len(s.markdown()) + 2 for s in sections if s.title == SOURCES))
    parts, is_cut = [title], False
    for section in sections:
        is_source = section.title == SOURCES
        if is_cut and not is_source:
            continue
        text = _fit(section, room - (0 if is_source else kept) - 2)
        if text:
            parts.append(text)
            room -= len(text) + 2
        is_cut = is_cut or text != section.markdown()
    return "\n\n".join(parts) + tail


def _tail(research: Research, budget: int, size: int, at: str) -> str:
    more = f"--max-chars {_round_up(size)}"
    if not research.session:
        return f"{CUT}{budget} characters; {more} shows the rest]\n"
    command = f"intelli show{at} {shlex.quote(research.session)} {more}"
    return f"{CUT}{budget} characters; the rest:]\n\n{command}\n"


def _fit(section: Section, room: int) -> str:
    """As many whole blocks as fit, and how many were left out. Of an answer whose first block is
    too long by itself there is the beginning; "" where not even that fits."""
    if len(section.markdown()) <= room:
        return section.markdown()
    mark = "- " if section.tight else ""
    for count in range(len(section.blocks) - 1, 0, -1):
        note = f"{mark}[{len(section.blocks) - count} more left out]"
        text = section.markdown([*section.blocks[:count], note])
        if len(text) <= room:
            return text
    if section.title != SUMMARY:
        return ""
    head = section.blocks[0][: max(0, room - len(section.markdown([" […]"])))]
    cut = head.rpartition(" ")[0]
    return section.markdown([f"{cut} […]"]) if cut else ""


def _round_up(size: int) -> int:
    return (size // 1000 + 1) * 1000


def split_blocks(markdown: str) -> tuple[str, ...]:
    """Paragraphs, lists and fenced blocks; a fence is never cut, a heading stays with its text."""
    blocks: list[str] = []
    lines: list[str] = []
    fence = ""
    for line in markdown.strip().splitlines():
        fence = fence_after(line, fence)
        if line.strip() or fence:
            lines.append(line)
        elif lines and not _only_heading(lines):
            blocks.append("\n".join(lines))
            lines = []
        elif lines:
            lines.append(line)
    return (*blocks, "\n".join(lines)) if lines else tuple(blocks)


def _only_heading(lines: Sequence[str]) -> bool:
    return all(line.startswith("#") or not line.strip() for line in lines)


def _conflict(conflict: Conflict) -> str:
    sides = "; ".join(f"{_marks(p.sources)} {p.statement.rstrip('.')}" for p in conflict.positions)
    noted = f"- **{conflict.topic}**: {sides}"
    if conflict.preferred is None:
        return noted
    marks = _marks(conflict.positions[conflict.preferred].sources)
    return f"{noted} ({conflict.reason or 'higher authority'}: {marks})"


def _marks(numbers: Iterable[int]) -> str:
    return "".join(f"[{n}]" for n in numbers)


def _verification(claims: Sequence[Claim]) -> tuple[str, ...]:
    """A line of totals, then only what is wrong."""
    if not claims:
        return ()
    return (totals_line(claims), *(flag_line(claim) for claim in claims if claim.status in FLAGGED))


def totals_line(claims: Sequence[Claim]) -> str:
    counts = Counter(claim.status for claim in claims)
    parts = [f"{counts[status]} {status}" for status in CLAIM_STATUSES if counts[status]]
    noun = "statement" if len(claims) == 1 else "statements"
    found = f": {', '.join(parts)}" if parts else ""
    return f"{len(claims)} {noun} checked against the stored sources{found}."


def flag_line(claim: Claim) -> str:
    """`- ! unsupported [2]: "…" · not found: `3.13``: readable without colour."""
    quote = " ".join(claim.text.split())
    quote = quote if len(quote) <= 160 else quote[:157].rstrip() + "…"
    missing = ", ".join(f"`{' '.join(m.split())[:60]}`" for m in claim.missing[:5])
    where = _marks(claim.sources) or "no source"
    detail = f" · {FLAG_WORDS[claim.status]}: {missing}" if missing else ""
    return f"- ! {claim.status} {where}: “{quote}”{detail}"


def _sources(sources: Iterable[Source]) -> tuple[str, ...]:
    return tuple(_source(source) for source in sources if source.status == "ok")


def _source(source: Source) -> str:
    """A bullet with the number in it: Markdown counts the items of a numbered list by itself."""
    page, extract = source.page, source.extract
    title = _escape((page.title if page else "") or source.link.title or source.link.url)
    url = page.final_url if page else source.link.url
    facts = [extract.source_type if extract else "", (page.published or "") if page else ""]
    if page and page.is_excerpt:
        facts.append("only an excerpt that the search showed")
    elif page and page.verdict != "ok":
        facts.append(page.verdict)
    known = ", ".join(fact for fact in facts if fact)
    return f"- [{source.n}] {_named(title, url)}" + (f" — {known}" if known else "")


def _named(title: str, url: str) -> str:
    """A link; of a local file its path, since Markdown readers open no file addresses."""
    if not url.startswith("file://"):
        return f"[{title}](<{url}>)"
    from urllib.parse import unquote, urlsplit

    return f"{title} (`{unquote(urlsplit(url).path)}`)"


def _escape(title: str) -> str:
    return " ".join(title.split()).replace("[", "(").replace("]", ")")[:120]


def _unused(sources: Iterable[Source]) -> tuple[str, ...]:
    return tuple(
        f"- [{source.n}] {_address(source.link.url)} — {source.status}: {_why(source)}"
        for source in sources
        if source.status != "ok"
    )


def _address(url: str) -> str:
    return f"`{url}`" if url.startswith("file://") else f"<{url}>"


def _why(source: Source) -> str:
    failure = source.failure
    if failure is None or failure.code == source.status:
        return failure.reason if failure else source.status
    return f"{failure.reason} ({failure.code})"


def _items(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"- {' '.join(line.split())}" for line in lines)


def _related(research: Research) -> tuple[str, ...]:
    return tuple(
        f"- `{r.session}`: {' '.join(r.query.split())} — {r.why}" for r in research.related
    )


def statements_only(report: str) -> str:
    """A stored report with everything but its statements blanked out, so that offsets stay true.

    The statements are what stands under `## Summary`, or the whole text where that is missing;
    our own lists of sources, flags and relations are no statements.
    """
    found = _sections(report)
    if SUMMARY not in (title for title, _, _ in found):
        return report
    pieces = [_blank(report[: found[0][1]])]
    for title, start, end in found:
        pieces.append(_blank(report[start:end]) if title in APPENDICES else report[start:end])
    return "".join(pieces)


def _sections(report: str) -> list[tuple[str, int, int]]:
    """(title, start, end) of each section of the second level; code blocks have none."""
    starts: list[tuple[str, int]] = []
    position, fence = 0, ""
    for line in report.splitlines(keepends=True):
        fence = fence_after(line, fence)
        if not fence and line.startswith("## "):
            starts.append((line[3:].strip(), position))
        position += len(line)
    ends = [start for _, start in starts[1:]] + [len(report)]  # one too many where none starts
    return [(title, start, end) for (title, start), end in zip(starts, ends, strict=False)]


def fence_after(line: str, fence: str) -> str:
    """The marks of the code block that is open after `line`; "" outside of one. `fence` is what
    was open before it."""
    stripped = line.strip()
    if fence:
        closes = stripped.startswith(fence) and not stripped.strip(fence[0])
        return "" if closes else fence
    if stripped.startswith(("```", "~~~")):
        return stripped[: len(stripped) - len(stripped.lstrip(stripped[0]))]
    return ""


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(" ", text)
