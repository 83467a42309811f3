"""Replies that are used again: the same model, asked the same, need not be paid twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from intelli.model.prompts import Prompt
from intelli.model.reply import Reply
from intelli.model_choice import ModelChoice
from intelli.records import Spend

T = TypeVar("T")
FORM = 1
"""Part of every key: replies that an earlier version kept in another form are not read."""


class Shelf(Protocol):
    """Where JSON values are kept by text keys; neither call waits for a slow disk."""

    async def look(self, key: str, read: Callable[[Any], T | None]) -> T | None:
        """What `read` makes of the value, None when there is none or not in time."""
        ...

    def keep(self, key: str, pack: Callable[[], object], expire_s: float) -> None:
        """Keep the value that `pack` returns."""
        ...


class KeptReplies:
    """Replies by all that they depend on: model, parameters and every word of the prompt, so that a
    changed page or prompt file asks anew."""

    def __init__(self, shelf: Shelf, seconds: float) -> None:
        self._shelf = shelf
        self._seconds = seconds

    async def look(self, choice: ModelChoice, prompt: Prompt) -> Reply | None:
        """The reply that was kept; its `spend` is what it has cost then."""
        return await self._shelf.look(_key(choice, prompt), _unpacked)

    def keep(self, choice: ModelChoice, prompt: Prompt, reply: Reply) -> None:
        """Keep a reply that is whole and says something; others are let go."""
        if reply.text and reply.finish_reason in ("stop", "end_turn", None):
            self._shelf.keep(_key(choice, prompt), lambda: _packed(reply), self._seconds)


def _key(choice: ModelChoice, prompt: Prompt) -> str:
    """A digest: nobody reads a page or an address out of it."""
    facts = [
        FORM, choice.endpoint, choice.model, choice.max_tokens, choice.temperature,
        choice.reasoning_effort, choice.extra, prompt.system, prompt.user,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _packed(reply: Reply) -> dict[str, object]:
    spend = reply.spend
    return {
        "text": reply.text,
        "usd": spend.usd,
        "input_tokens": spend.input_tokens,
        "output_tokens": spend.output_tokens,
    }


def _unpacked(value: Any) -> Reply | None:
    """What `_packed` made, None for anything else."""
    try:
        usd = value["usd"]
        spend = Spend(
            calls=1,
            usd=None if usd is None else float(usd),
            input_tokens=int(value["input_tokens"]),
            output_tokens=int(value["output_tokens"]),
        )
        text = value["text"]
    except (TypeError, KeyError, ValueError):
        return None
    return Reply(text=text, finish_reason="stop", spend=spend) if isinstance(text, str) else None
