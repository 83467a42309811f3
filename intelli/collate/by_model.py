"""Collation by a model: one call over all extractions; its answer is mended, and always kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from intelli.collate.conflicts import parse_conflicts
from intelli.errors import CollationFailed, ModelError, Stopped
from intelli.model.client import Models
from intelli.model.prompts import Prompt, data_block, fill
from intelli.model.reply import Reply
from intelli.records import Query, Report, Source
from intelli.report_text import APPENDICES, fence_after
from intelli.text.characters import clean

_NAMES = "summary|conflicts|source assessment"
_HEADING = re.compile(
    rf"#{{1,2}}[ \t]*(?:\d{{1,2}}[.)][ \t]*)?[*_]{{0,2}}(?P<name>{_NAMES})\b"
    rf"|(?:#{{3,4}}[ \t]*|\*\*|__)[*_]{{0,2}}(?P<plain>{_NAMES})[:*_]{{0,5}}[ \t]*$",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"\A(`{3,}|~{3,})(?:markdown|md)?[ \t]*\n(.*)\n\1[ \t]*\Z", re.DOTALL | re.I)
_LONGEST_OVERLAP = 400
_SHORTEST_OVERLAP = 8
"""Characters that a continuation may repeat of what it goes on from."""


class ModelCollator:
    """Asks the model of role `collate` for the report."""

    def __init__(self, models: Models) -> None:
        self._models = models

    async def collate(self, query: Query, sources: Sequence[Source], answer: str) -> Report:
        """Whatever the model writes becomes the report. Raises CollationFailed when it is nothing,
        also with more room, and Stopped by the budget.

        `answer`, what a search model wrote, is no evidence and is not shown to the model.
        """
        prompt = fill(
            "collate",
            query=query.text,
            focus=f"Focus: {query.focus}\n" if query.focus else "",
            sources="\n\n".join(_shown(source) for source in sources),
        )
        try:
            reply = await self._models.ask("collate", prompt)
        except ModelError as error:
            raise CollationFailed(error.message, code=error.code, hint=error.hint) from error
        if not reply.text:
            reason = "it spent its tokens" if reply.finish_reason == "length" else "no text"
            raise CollationFailed(
                f"the model wrote no report ({reason})",
                code="empty-collation",
                hint="raise `models.collate.max_tokens`",
            )
        if reply.finish_reason == "length":
            reply = await self._continued(prompt, reply)
        return read_report(_unwrapped(reply.text), cut_off=reply.finish_reason == "length")

    async def _continued(self, prompt: Prompt, begun: Reply) -> Reply:
        """The report with the rest that there was no room for; as it is when that cannot be had."""
        choice = self._models.choice("collate")
        wider = replace(choice, max_tokens=choice.max_tokens * 2)
        more = fill("continue", beginning=data_block(begun.text, "BEGINNING"))
        asked = replace(prompt, user=f"{prompt.user}\n\n{more.user}")
        try:
            rest = await self._models.ask("collate", asked, choice=wider)
        except (ModelError, Stopped):
            return begun
        if not rest.text:
            return begun
        is_whole = rest.finish_reason != "length"
        return replace(rest, text=_joined(begun.text, rest.text, is_whole=is_whole))


def _shown(source: Source) -> str:
    assert source.extract is not None
    page = source.extract.page
    facts = [
        f"Source [{source.n}]: {page.title or page.final_url}",
        f"Address: {page.final_url}",
        f"Type: {source.extract.source_type}",
        f"Published: {page.published}" if page.published else "",
        f"Currency: {source.extract.currency}" if source.extract.currency else "",
    ]
    head = "\n".join(fact for fact in facts if fact)
    return data_block(f"{head}\n\n{source.extract.text}", f"SOURCE {source.n}")


def read_report(text: str, *, cut_off: bool) -> Report:
    """The report in a model's reply, which is kept beside it: a replay reads it again."""
    return replace(_parsed(clean(text), cut_off=cut_off), reply=text, cut_off=cut_off)


def _parsed(text: str, *, cut_off: bool) -> Report:
    sections = _sections(text)
    warnings = []
    if cut_off:
        warnings.append("the report was cut off: raise `models.collate.max_tokens`")
    summary = _written_out(sections.get("summary", ""))
    if not summary:
        warnings.append("the model did not keep to the form asked for; its text is shown as it is")
        return Report(summary=_written_out(text), warnings=tuple(warnings))
    return Report(
        summary=summary,
        conflicts=parse_conflicts(sections.get("conflicts", "")),
        assessment=sections.get("source assessment", "").strip(),
        warnings=tuple(warnings),
    )


def _written_out(text: str) -> str:
    """The text as the first section of the report. What would swallow what follows is put right: a
    heading that names another section gets a lower level, a code block left open is closed."""
    lines, fence = [], ""
    for line in text.strip().splitlines():
        lines.append(line if fence else _lowered(line))
        fence = fence_after(line, fence)
    return "\n".join([*lines, fence] if fence else lines)


def _lowered(line: str) -> str:
    return f"#{line}" if line[:3] == "## " and line[3:].strip() in APPENDICES else line


def _sections(text: str) -> dict[str, str]:
    """Text under each of the known headings; the first of a name counts."""
    found = list(_headings(text))
    sections: dict[str, str] = {}
    for i, (name, _, start) in enumerate(found):
        end = found[i + 1][1] if i + 1 < len(found) else len(text)
        sections.setdefault(name, text[start:end])
    return sections


def _headings(text: str) -> Iterator[tuple[str, int, int]]:
    """Name of each known heading, where its line starts and where the text under it does; a line
    of a code block is none, unless the block is never closed."""
    fence, position, opened = "", 0, 0
    for line in text.splitlines(keepends=True):
        match = None if fence else _HEADING.match(line.rstrip())
        if match:
            name = match["name"] or match["plain"]
            yield name.lower(), position, position + len(line)
        fence, before = fence_after(line, fence), fence
        position += len(line)
        opened = position if fence and not before else opened
    if fence:
        for name, start, end in _headings(text[opened:]):
            yield name, opened + start, opened + end


def _unwrapped(text: str) -> str:
    """The report inside of the code block that some models put all of it into."""
    wrapped = _WRAPPED.match(text)
    if wrapped is None or not any(True for _ in _headings(wrapped[2])):
        return text
    return wrapped[2].strip()


def _joined(begun: str, rest: str, *, is_whole: bool) -> str:
    """A text and its continuation, which may repeat the end of it or begin anew."""
    first = next(_headings(begun), None)
    again = next(_headings(rest), None)
    if again and again[1] == 0 and (first is None or again[0] == first[0]):
        return rest if is_whole else max(begun, rest, key=len)
    longest = min(len(begun), len(rest), _LONGEST_OVERLAP)
    overlaps = range(longest, _SHORTEST_OVERLAP - 1, -1)
    overlap = next((n for n in overlaps if begun.endswith(rest[:n])), 0)
    is_new_block = not overlap and rest.startswith(("#", "- ", "```", "|"))
    middle = "\n\n" if is_new_block else "" if overlap or begun[-1].isspace() else _space(rest)
    return f"{begun}{middle}{rest[overlap:]}"


def _space(rest: str) -> str:
    """Servers cut within words as well as between them; a capital begins a new one."""
    return " " if rest[:1].isupper() or rest[:1] in "([`*" else ""
