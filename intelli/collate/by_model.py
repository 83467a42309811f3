"""Collation by a model: one call over all extractions, its answer read leniently and kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

from intelli.collate.claims import parse_marks
from intelli.collate.conflicts import parse_conflicts
from intelli.errors import CollationFailed, ModelError
from intelli.model.client import Models
from intelli.model.prompts import data_block, fill
from intelli.records import Query, Report, Source
from intelli.report_text import fence_after

_HEADING = re.compile(r"^#{1,3}[ \t]*(summary|conflicts|source assessment)\b.*$", re.I | re.M)


class ModelCollator:
    """Asks the model of role `collate` for the report."""

    def __init__(self, models: Models) -> None:
        self._models = models

    async def collate(self, query: Query, sources: Sequence[Source], answer: str) -> Report:
        """Whatever the model writes becomes the report. Raises CollationFailed when it is nothing.

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
        return _read(reply.text, cut_off=reply.finish_reason == "length")


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


def _read(text: str, *, cut_off: bool) -> Report:
    sections = _sections(text)
    warnings = []
    if cut_off:
        warnings.append("the report was cut off: raise `models.collate.max_tokens`")
    summary = _closed(sections.get("summary", "").strip())
    if not summary:
        warnings.append("the model did not keep to the form asked for; its text is shown as it is")
        return Report(summary=_closed(text.strip()), warnings=tuple(warnings))
    return Report(
        summary=summary,
        conflicts=parse_conflicts(sections.get("conflicts", "")),
        assessment=sections.get("source assessment", "").strip(),
        warnings=tuple(warnings),
    )


def _closed(text: str) -> str:
    """A code block that the model left open would swallow all that follows."""
    fence = ""
    for line in text.splitlines():
        fence = fence_after(line, fence)
    return f"{text}\n{fence}" if fence else text


def _sections(text: str) -> dict[str, str]:
    """Text under each of the known headings; the first of a name counts."""
    found = list(_HEADING.finditer(text))
    sections: dict[str, str] = {}
    for i, match in enumerate(found):
        end = found[i + 1].start() if i + 1 < len(found) else len(text)
        sections.setdefault(match[1].lower(), text[match.end() : end])
    return sections


def unknown_marks(summary: str, sources: Sequence[Source]) -> tuple[int, ...]:
    """Numbers cited in the text that belong to no source, ascending; code cites nothing."""
    known = {source.n for source in sources}
    return tuple(sorted(set(parse_marks(summary)) - known))
