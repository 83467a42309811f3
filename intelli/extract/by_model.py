"""Extraction by a model: one call for a page, its answer read leniently and kept."""

from __future__ import annotations

import re

from intelli.errors import ExtractError, ModelError
from intelli.extract.source_type import source_type
from intelli.model.client import Models
from intelli.model.prompts import data_block, fill
from intelli.records import SOURCE_TYPES, Extract, Page, Query, SourceType

_TYPE_LINE = re.compile(r"^\W*source type\W*:\W*(?P<rest>.*)$", re.IGNORECASE)
_NOTHING = re.compile(r"^\W*NOTHING RELEVANT\W*$", re.IGNORECASE | re.MULTILINE)
_BLOCK = re.compile(r"\n\s*\n")
_SHORTEST_SPAN = 20


class ModelExtractor:
    """Asks the model of role `extract` for what the focus wants from a page."""

    def __init__(self, models: Models, max_chars: int) -> None:
        self._models = models
        self._max_chars = max_chars

    async def extract(self, page: Page, query: Query) -> Extract:
        """Text "" when the model finds nothing. Raises ExtractError when it gives no answer."""
        prompt = fill(
            "extract",
            query=query.text,
            focus=f"Focus: {query.focus}\n" if query.focus else "",
            page=data_block(self._shown(page), "PAGE"),
        )
        try:
            reply = await self._models.ask("extract", prompt)
        except ModelError as error:
            raise ExtractError(error.message, code=error.code, hint=error.hint) from error
        if not reply.text:
            raise ExtractError("the model answered with nothing", code="empty-extraction")
        return _read(reply.text, page)

    def _shown(self, page: Page) -> str:
        text = clip(page.text, self._max_chars)
        return f"Title: {page.title}\nAddress: {page.final_url}\n\n{text}"


def clip(text: str, limit: int) -> str:
    """The head of `text`, cut between blocks, with a line that says how much is missing."""
    if len(text) <= limit:
        return text
    cut = text.rfind("\n\n", limit // 2, limit)
    head = text[: cut if cut > 0 else limit]
    return f"{head}\n\n[TRUNCATED: {len(text) - len(head)} more characters]"


def _read(text: str, page: Page) -> Extract:
    first, _, rest = text.lstrip().partition("\n")
    found = _TYPE_LINE.match(first)
    kind, currency = _type_of(found["rest"]) if found else (None, "")
    notes = (rest if found else text).strip()
    if not notes or _NOTHING.fullmatch(notes) or _NOTHING.fullmatch(first.strip()):
        notes = ""
    return Extract(
        page=page,
        text=notes,
        source_type=kind or source_type(page),
        currency=currency,
        spans=verbatim_spans(notes, page.text),
    )


def _type_of(words: str) -> tuple[SourceType | None, str]:
    name, _, currency = words.partition("·")
    flat = re.sub(r"[^a-z]+", "-", name.lower()).strip("-")
    aliases = {"official-documentation": "official-docs", "api-reference": "reference"}
    flat = aliases.get(flat, flat)
    kind = next((known for known in SOURCE_TYPES if flat.startswith(known)), None)
    return kind, currency.strip(" .*_`")


def verbatim_spans(notes: str, source: str) -> tuple[tuple[int, int], ...]:
    """Where blocks of the notes stand word for word in the source, in the source's order."""
    spans = set()
    for block in _BLOCK.split(notes):
        body = block.strip()
        start = source.find(body) if len(body) >= _SHORTEST_SPAN else -1
        if start >= 0:
            spans.add((start, start + len(body)))
    return tuple(sorted(spans))
