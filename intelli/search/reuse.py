"""Answers that are used again: of a search a moment ago, and of the same one under way."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from intelli.records import Answer, Link, Query
from intelli.search.backend import Backend
from intelli.store.disk import write_json

MOST_KEPT = 64
"""Answers on disk; the oldest make room."""
_LONGEST = 2_000_000
"""Characters of a file that is read back."""


class Shelf:
    """Answers in small files of the user's, each named by a digest of what was asked.

    A file costs no more than it holds: opening a database would cost every search more than a
    thousand files do. What is broken, too old or from the future counts as absent.
    """

    def __init__(self, folder: Path, seconds: float) -> None:
        self._folder = folder
        self._seconds = seconds

    def get(self, key: str) -> Answer | None:
        """The answer with its age."""
        if not self._seconds:
            return None
        try:
            text = (self._folder / f"{key}.json").read_text(encoding="utf-8")
            data = json.loads(text[:_LONGEST])
            age = time.time() - float(data["at"])
            answer = _answer(data)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        return replace(answer, age_s=age) if 0 <= age < self._seconds else None

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer; where that is impossible, nothing happens."""
        if not self._seconds:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._folder.chmod(0o700)
            data = {"at": time.time(), **asdict(answer)}
            write_json(self._folder / f"{key}.json", data, lasting=False)
            self._clear_out()

    def _clear_out(self) -> None:
        files = sorted(self._folder.iterdir(), key=lambda file: -file.stat().st_mtime)
        now = time.time()
        for n, file in enumerate(files):
            if n >= MOST_KEPT or now - file.stat().st_mtime > self._seconds:
                file.unlink(missing_ok=True)


class Reusing:
    """A backend that does not ask twice: `shelf` has its answers of a moment ago, None to have
    none; and a question that is under way already is waited for.

    `identity` stands for all that an answer depends on beside the query, as the address and whose
    key it is asked with.
    """

    def __init__(self, backend: Backend, identity: str, shelf: Shelf | None) -> None:
        self._backend = backend
        self._identity = identity
        self._shelf = shelf
        self._under_way: dict[str, _Shared] = {}

    @property
    def name(self) -> str:
        return self._backend.name

    async def search(self, query: Query) -> Answer:
        """Raises BackendError. A caller that is cancelled leaves alone; the last one to leave
        ends the request."""
        key = self._key(query)
        kept = self._shelf.get(key) if self._shelf else None
        if kept:
            return kept
        shared = self._under_way.get(key)
        if shared is None or shared.is_over:
            shared = self._under_way[key] = _Shared(self._backend, query)
        try:
            answer = await shared.result()
        finally:
            if shared.is_over and self._under_way.get(key) is shared:
                del self._under_way[key]
        if self._shelf and answer.links:
            self._shelf.put(key, answer)
        return answer

    def _key(self, query: Query) -> str:
        asked = json.dumps([self.name, self._identity, asdict(query)])
        return hashlib.sha256(asked.encode()).hexdigest()[:32]


class _Shared:
    """A request and how many wait for it."""

    def __init__(self, backend: Backend, query: Query) -> None:
        self._task = asyncio.create_task(backend.search(query))
        self._task.add_done_callback(_look_at)
        self._waiting = 0
        self.is_over = False

    async def result(self) -> Answer:
        self._waiting += 1
        try:
            return await asyncio.shield(self._task)
        finally:
            self._waiting -= 1
            self.is_over = not self._waiting or self._task.done()
            if not self._waiting:
                self._task.cancel()


def _look_at(task: asyncio.Task[Answer]) -> None:
    """An error that nobody waits for any more is not reported as forgotten."""
    if not task.cancelled():
        task.exception()


def _answer(data: Mapping[str, Any]) -> Answer:
    links = tuple(_link(link) for link in data["links"])
    if not links:
        raise ValueError("no answer is kept without a link")
    return Answer(links=links, text=str(data["text"]), backend=str(data["backend"]))


def _link(data: Mapping[str, Any]) -> Link:
    known = {field.name: data[field.name] for field in fields(Link)}
    texts = [known[name] for name in ("url", "title", "snippet", "backend")]
    if not all(isinstance(text, str) for text in texts) or not isinstance(known["rank"], int):
        raise ValueError("not a link that was kept")
    return Link(**{**known, "authors": tuple(map(str, known["authors"]))})
