"""Conversations with the world's model that share what is remembered between calls and runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from intelli.events import Event, Warned
from intelli.model.client import Memory, Models, Reply
from intelli.model.fields import RefusedFields
from intelli.model.kept import KeptReplies
from intelli.model.ledger import Ledger
from intelli.model.prompts import Prompt, data_block
from intelli.net.client import Network
from intelli.records import Role
from intelli.settings import load
from tests.world import World

T = TypeVar("T")
PARAGRAPHS = [f"Paragraph {n} says that the pump moves {n} litres." for n in range(400)]
LONG = Prompt(
    system="Be brief.",
    user="Question: how fast?\n\n" + data_block("\n\n".join(PARAGRAPHS), "PAGE") + "\n\nAnswer.",
)


class Shelf:
    """A shelf in memory."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    async def look(self, key: str, read: Callable[[Any], T | None]) -> T | None:
        return read(self.values[key]) if key in self.values else None

    def keep(self, key: str, pack: Callable[[], object], expire_s: float) -> None:
        assert expire_s == 60
        self.values[key] = pack()


class Asked:
    """Conversations with the world's model that share what is remembered."""

    def __init__(
        self, world: World, *, budget: float | None = None, file: Path | None = None, **env: str
    ) -> None:
        self.shelf = Shelf()
        self.events: list[Event] = []
        self.ledger = Ledger(budget)
        self.memory = Memory(replies=KeptReplies(self.shelf, 60), refused=RefusedFields(file))
        self._environ = {"INTELLI_MODEL__ATTEMPTS": "2", **world.env(), **env}

    def ask(self, prompt: Prompt = LONG, role: Role = "extract", **env: str) -> Reply:
        return asyncio.run(self._ask(prompt, role, env))

    async def _ask(self, prompt: Prompt, role: Role, env: dict[str, str]) -> Reply:
        settings = load(environ={**self._environ, **env})
        async with Network(allow_private=True, max_bytes=1_000_000) as network:
            models = Models(settings, network, self.ledger, self.events.append, self.memory)
            if self.ledger.budget is not None:
                models.keep_room()
            return await models.ask(role, prompt)

    @property
    def warnings(self) -> list[str]:
        return [event.message for event in self.events if isinstance(event, Warned)]
