"""The fields of a request beside its messages, and which of them a model has refused before."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection
from pathlib import Path
from time import time
from typing import Any

from intelli.model_choice import ModelChoice

LIMITS = ("max_tokens", "max_completion_tokens")
"""Names of the limit of an answer; OpenAI's own reasoning models refuse the older one, everybody
else knows it best."""
REMEMBERED = 30 * 86400.0
"""Seconds for which a refusal is remembered: models and servers learn."""
MOST = 1000
"""Models in the file."""


def fields_of(choice: ModelChoice, refused: Collection[str]) -> dict[str, object]:
    """What a model is told beside its messages, without what it has refused."""
    own = choice.provider == "openai" and not choice.api_base
    limits = reversed(LIMITS) if own else LIMITS
    limit = next((name for name in limits if name not in refused), "")
    wanted: dict[str, object] = {limit: choice.max_tokens, "temperature": choice.temperature}
    if choice.provider == "openrouter":
        wanted["usage"] = {"include": True}
    if choice.reasoning_effort not in ("", "default"):
        wanted |= _reasoning(choice)
    wanted |= choice.extra_fields
    return {k: v for k, v in wanted.items() if k and v is not None and k not in refused}


def _reasoning(choice: ModelChoice) -> dict[str, object]:
    """OpenRouter has a field of its own for it, which keeps the thoughts out of the answer too. It
    is only sent where the user wants it: models that do not reason may refuse the call for it."""
    if choice.provider == "openrouter":
        return {"reasoning": {"effort": choice.reasoning_effort, "exclude": True}}
    return {"reasoning_effort": choice.reasoning_effort}


class RefusedFields:
    """Fields that models have refused, in this run and in those before it.

    `file` None remembers for the run alone; a file that cannot be read or written does as well.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._known: dict[str, frozenset[str]] | None = None

    def of(self, choice: ModelChoice) -> frozenset[str]:
        if self._known is None:
            self._known = {key: names for key, (names, _) in self._read().items()}
        return self._known.get(_key(choice), frozenset())

    def add(self, choice: ModelChoice, names: Collection[str]) -> None:
        """Remember that the model takes none of `names`."""
        known = self.of(choice) | set(names)
        assert self._known is not None
        self._known[_key(choice)] = known
        if self._file is None:
            return
        entries = self._read() | {_key(choice): (known, time())}
        newest = sorted(entries.items(), key=lambda entry: entry[1][1])[-MOST:]
        data = {key: {"fields": sorted(names), "at": at} for key, (names, at) in newest}
        partial = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            partial.write_text(json.dumps(data, indent=1), encoding="utf-8")
            partial.replace(self._file)
        except OSError:
            self._file = None

    def _read(self) -> dict[str, tuple[frozenset[str], float]]:
        if self._file is None:
            return {}
        try:
            data = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        entries = data.items() if isinstance(data, dict) else ()
        read = {key: _entry(value) for key, value in entries}
        return {key: entry for key, entry in read.items() if entry}


def _entry(value: Any) -> tuple[frozenset[str], float] | None:
    """A line of the file, None for one that is too old or none of ours."""
    try:
        names, at = frozenset(map(str, value["fields"])), float(value["at"])
    except (TypeError, KeyError, ValueError):
        return None
    return (names, at) if 0 <= time() - at < REMEMBERED else None


def _key(choice: ModelChoice) -> str:
    """As a digest: an address may hold a password."""
    facts = json.dumps([choice.endpoint, choice.model])
    return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()[:32]
