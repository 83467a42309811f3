"""Extraction by a model: one call for a page, its answer read leniently and held against it."""

from __future__ import annotations

import asyncio
import re
from itertools import islice

from intelli.errors import ExtractError, ModelError
from intelli.events import Emit, NotesChecked, Warned, silent
from intelli.extract.currency import currency
from intelli.extract.preselection import preselect
from intelli.extract.source_type import source_type
from intelli.extract.verbatim import Checked, checked
from intelli.model.client import Models
from intelli.model.prompts import data_block, fill
from intelli.records import Extract, Page, Query, SourceType
from intelli.report_text import fence_after

_TYPE_LINE = re.compile(r"^\W*source type\W*:\W*(?P<rest>.*)$", re.IGNORECASE)
_TYPE_LINE_WITHIN = 3
_NOTHING = re.compile(r"\W*NOTHING RELEVANT\W*", re.IGNORECASE)
_PARTING = re.compile(r"\s*[•|;–—]\s*|\s+-\s+|,\s+|\s*\((?=[^)]*\)\W*$)")
_PICTURE = re.compile(r"!\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^()]*\)")
_DIGITS = re.compile(r"\d+(?:\.\d+)*")
_TYPES: tuple[tuple[SourceType, re.Pattern[str]], ...] = (
    ("official-docs", re.compile(r"\bofficial\b|^(?:\w+ )?(?:docs?|documentation|manual)\b")),
    ("reference", re.compile(r"\breference\b|\bencyclop|\bspecification\b|\bapi\b")),
    ("tutorial", re.compile(r"\btutorial\b|\bhow to\b|\bguide\b|\bcourse\b")),
    ("forum", re.compile(r"\bforum\b|\bthread\b|\bq a\b|\bstack ?(?:overflow|exchange)\b")),
    ("paper", re.compile(r"\bpaper\b|\bpreprint\b|\bjournal\b")),
    ("blog", re.compile(r"\bblog\b|\bpost\b|\barticle\b|\bnews\b")),
    ("code", re.compile(r"\bcode\b|\brepository\b")),
    ("other", re.compile(r"\bother\b")),
)  # fmt: skip
"""What models write for a type, the first that fits; by whole words."""


class ModelExtractor:
    """Asks the model of role `extract` for what the focus wants from a page."""

    def __init__(self, models: Models, max_chars: int, emit: Emit = silent) -> None:
        self._models = models
        self._max_chars = max_chars
        self._emit = emit

    async def extract(self, page: Page, query: Query) -> Extract:
        """Text "" when the model finds nothing. What it copied wrongly is put right or left out,
        and said as an event. Raises ExtractError when it gives no answer."""
        shown = await asyncio.to_thread(_shown_of, page.text, query, self._max_chars)
        prompt = fill(
            "extract",
            query=query.text,
            focus=f"Focus: {query.focus}\n" if query.focus else "",
            page=data_block(_headed(page, shown), "PAGE"),
        )
        try:
            reply = await self._models.ask("extract", prompt)
        except ModelError as error:
            raise ExtractError(error.message, code=error.code, hint=error.hint) from error
        if not reply.text:
            spent = reply.finish_reason == "length"
            raise ExtractError(
                "the model answered with nothing" + ", it spent its tokens" * spent,
                code="empty-extraction",
                hint="raise `models.extract.max_tokens`" if spent else "",
            )
        if reply.finish_reason == "length":
            said = f"the notes on {page.final_url} were cut off: raise `models.extract.max_tokens`"
            self._emit(Warned(message=said))
        extract, found = await asyncio.to_thread(read_notes, reply.text, page)
        if found.repaired or found.dropped:
            self._emit(
                NotesChecked(url=page.final_url, repaired=found.repaired, dropped=found.dropped)
            )
        if found.dropped and not extract.text:
            raise ExtractError(
                "nothing of what the model wrote stands on the page", code="empty-extraction"
            )
        return extract


def _shown_of(text: str, query: Query, most: int) -> str:
    """The parts of a page that may answer, without what stands for its pictures: words that no
    reader sees, of which there may be many, and chosen for machines."""
    fence = ""
    lines = []
    for line in text.split("\n"):
        was, fence = fence, fence_after(line, fence)
        is_plain = not was and not fence and "![" in line and "`" not in line
        lines.append(_PICTURE.sub("", line) if is_plain else line)
    return preselect("\n".join(lines), query, most).text


def read_notes(answer: str, page: Page) -> tuple[Extract, Checked]:
    """The extraction in a model's answer about `page`, and what became of its notes."""
    words, notes = _parted(answer)
    kind, remark = _type_of(words)
    found = checked("" if _says_nothing(notes) else notes, page.text)
    extract = Extract(
        page=page,
        text=found.text,
        source_type=kind or source_type(page),
        currency=remark if remark and _is_of(remark, page) else currency(page),
        spans=found.spans,
        reply="" if found.text == notes else answer,
    )
    return extract, found


def _headed(page: Page, text: str) -> str:
    published = f"\nPublished: {page.published}" if page.published else ""
    return f"Title: {page.title}\nAddress: {page.final_url}{published}\n\n{text}"


def _parted(answer: str) -> tuple[str, str]:
    """What the line about the type says, and the notes after it; such a line stands near the top
    or is not there."""
    lines = answer.strip().splitlines()
    for n, line in islice(enumerate(lines), _TYPE_LINE_WITHIN):
        if found := _TYPE_LINE.match(line):
            return found["rest"], "\n".join(lines[n + 1 :]).strip()
    return "", answer.strip()


def _says_nothing(notes: str) -> bool:
    return bool(_NOTHING.fullmatch(notes.partition("\n")[0]))


def _type_of(words: str) -> tuple[SourceType | None, str]:
    """The type, and the remark on how current the page is as the model wrote it."""
    parts = words.split("·", 1) if "·" in words else _PARTING.split(words, maxsplit=1)
    name = " ".join(re.findall(r"[a-z]+", parts[0].lower()))
    kind = next((kind for kind, pattern in _TYPES if pattern.search(name)), None)
    return kind, parts[1].strip(" .*_`)") if len(parts) > 1 else ""


def _is_of(remark: str, page: Page) -> bool:
    """Whether each figure of a remark is one of the page: a date may not come from memory."""
    facts = f"{page.title}\n{page.final_url}\n{page.published or ''}\n{page.text}"
    return all(figure in facts for figure in _DIGITS.findall(remark))
