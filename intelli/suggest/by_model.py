"""Suggestion by a model: it judges a window of earlier questions and names those that help."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from intelli.model.client import Models
from intelli.model.prompts import data_block, fill
from intelli.records import Query, Related

WINDOW = 20
MOST = 5


async def judge(query: Query, candidates: Sequence[Related], models: Models) -> tuple[Related, ...]:
    """Those of the candidates that the model finds helpful; ModelError when it cannot be asked.

    The list that is shown is the list that the answer is read against.
    """
    window = candidates[:WINDOW]
    if not window:
        return ()
    lines = (f"{i}. {' '.join(r.query.split())[:200]}" for i, r in enumerate(window, start=1))
    prompt = fill(
        "suggest",
        query=query.text,
        focus=f"Focus: {query.focus}\n" if query.focus else "",
        sessions=data_block("\n".join(lines), "SESSIONS"),
    )
    reply = await models.ask("suggest", prompt)
    return _read(reply.text, window)


def _read(text: str, window: Sequence[Related]) -> tuple[Related, ...]:
    """Prose around the array is ignored; anything that is no array counts as no suggestion."""
    start, end = text.find("["), text.rfind("]")
    try:
        items = json.loads(text[start : end + 1]) if start >= 0 else []
    except (ValueError, RecursionError):
        return ()
    chosen: dict[int, Related] = {}
    for item in items if isinstance(items, list) else ():
        index = _index(item, len(window))
        if index is not None:
            related = window[index - 1]
            why = " ".join(str(item.get("relevance") or related.why).split())[:200]
            chosen.setdefault(
                index,
                Related(
                    session=related.session,
                    query=related.query,
                    timestamp=related.timestamp,
                    why=why,
                ),
            )
    return tuple(chosen.values())[:MOST]


def _index(item: Any, size: int) -> int | None:
    index = item.get("index") if isinstance(item, dict) else None
    valid = isinstance(index, int) and not isinstance(index, bool) and 1 <= index <= size
    return index if valid else None
