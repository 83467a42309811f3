"""Puts the search together: the backends of the settings, each polite and none asked twice."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from intelli.records import Answer, Query
from intelli.search.backend import (
    BACKENDS,
    Backend,
    Equipment,
    check_usable,
    make,
    web_chain,
)
from intelli.search.chain import Search
from intelli.search.pacing import Pacer
from intelli.search.polite import Polite, Widening
from intelli.search.race import Source
from intelli.search.reuse import Reusing, Shelf
from intelli.settings import Settings, user_dir


def open_search(
    equipment: Equipment, names: Sequence[str], *, fresh: bool = False, thorough: bool = False
) -> Search:
    """The search stage over the backends of these names; `fresh` uses no kept answer. Raises
    UsageError for a backend that is not known or lacks what it needs.

    Where only services of one trade were chosen (papers, talk, …), the web follows them.
    """
    settings = equipment.settings
    families = {BACKENDS[name].family for name in names}
    is_trade = families and not families & {"web", "local"}
    others = web_chain(settings) if is_trade else ()
    shelf = None if fresh else Shelf(_folder(), settings.number("search.reuse"))
    return Search(
        [_source(name, equipment, shelf) for name in names],
        fallback=[_source(name, equipment, shelf) for name in others],
        limit=_limit((*names, *others), settings),
        thorough=thorough,
    )


def _source(name: str, equipment: Equipment, shelf: Shelf | None) -> Source:
    entry = BACKENDS[name]
    if entry.family == "local":
        return Source(backend=make(name, equipment), family=entry.family)
    check_usable(name, equipment.settings)
    equipment = replace(equipment, name=name)
    identity = _identity(equipment)
    hint = "name another --backend"
    if entry.keys and not equipment.key:
        hint = f"set {equipment.key_name} for higher limits, or {hint}"
    pacer = Pacer(name, identity, interval=entry.interval)
    asked = _Later(name, replace(equipment, leave_alone=pacer.pause))
    backend: Backend = Polite(asked, pacer, hint=hint, final=entry.grounded)
    if entry.narrow:
        backend = Widening(backend)
    return Source(
        backend=Reusing(backend, identity + _choices(equipment), shelf), family=entry.family
    )


class _Later:
    """A backend that is made when it is first asked: most of a chain never are."""

    def __init__(self, name: str, equipment: Equipment) -> None:
        self.name = name
        self._equipment = equipment
        self._made: Backend | None = None

    async def search(self, query: Query) -> Answer:
        if self._made is None:
            self._made = make(self.name, self._equipment)
        return await self._made.search(query)


def _identity(equipment: Equipment) -> str:
    """Who asks whom: limits are counted by address and key. It is only kept as a digest."""
    settings = equipment.settings
    if _setting(equipment, "url") in settings.values:
        facts = [equipment.url, equipment.key]
    else:
        choice = settings.model("search")
        facts = [choice.endpoint, choice.model, settings.secret(choice.key_name)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _choices(equipment: Equipment) -> str:
    """The settings beside these that an answer depends on."""
    parts = (_setting(equipment, ""), "models.search.")
    values = equipment.settings.values
    return json.dumps([(key, values[key]) for key in sorted(values) if key.startswith(parts)])


def _setting(equipment: Equipment, part: str) -> str:
    return f"backends.{equipment.name}.{part}"


def _limit(names: Sequence[str], settings: Settings) -> float:
    """Seconds for the stage: a model that searches has as long as any model, and files and
    addresses that the user named as long as they need."""
    if all(BACKENDS[name].family == "local" for name in names):
        return math.inf
    seconds = settings.number("search.timeout")
    if any(BACKENDS[name].grounded for name in names):
        seconds = max(seconds, settings.number("model.timeout"))
    return seconds


def _folder() -> Path:
    return user_dir("cache") / "answers"
