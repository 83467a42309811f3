"""The real command, killed; what it left, and what it had asked of whom by then."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from intelli.store import Store, StoredSession
from tests.pipeline.kit import asks, fact, words
from tests.world import Place, Running, World

PAGES = 4
FACTS = tuple(fact(n) for n in range(1, PAGES + 1))
KEPT = {"page-fetched": "sources", "page-extracted": "extractions"}
"""What an event promises to be on disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """How often each page was fetched and shown to the model, and how often a search was paid."""

    fetched: tuple[int, ...]
    extracted: tuple[int, ...]
    searched: int


def bill(world: World) -> Bill:
    numbers = range(1, PAGES + 1)
    return Bill(
        fetched=tuple(len(world.site.server.log.of(f"/p{n}")) for n in numbers),
        extracted=tuple(
            sum(f"model P{n} moves" in ask.user for ask in world.model.asked("extract"))
            for n in numbers
        ),
        searched=len(asks(world, "search")) + len(world.exa.server.log.exchanges),
    )


def kill_after_events(running: Running, count: int) -> list[dict[str, Any]]:
    """Kill as soon as it has said `count` events; those that it said."""
    process = running.process
    assert process.stderr is not None
    lines = []
    while len(lines) < count and (line := process.stderr.readline()):
        lines.append(line)
    process.kill()
    rest = process.stderr.read().splitlines(keepends=True)
    process.communicate()
    return [json.loads(line) for line in (*lines, *rest) if line.endswith(b"\n")]


def kill_after(running: Running, seconds: float) -> None:
    time.sleep(seconds)
    running.process.kill()
    running.process.communicate()


def copy_of(world: World, place: Place, *, model: bool) -> Place:
    """The same project in a place of its own."""
    copy = world.place(model=model)
    if place.cache.exists():
        shutil.copytree(place.cache, copy.cache, symlinks=True)
    return copy


def check_whole(cache: Path) -> None:
    """Every session that can be listed can be read, and none of its files is half a file."""
    store = Store(cache)
    for summary in store.sessions():
        session = store.open(summary.name)
        assert bool(session.report) == summary.finished
        for source in session.sources:
            page = source.record.page
            assert page is None or any(text in page.text for text in _ends()), source.path
            if summary.finished and source.status == "ok":
                assert source.text and source.extraction
        if summary.finished:
            assert session.answer.claims and session.outcome == "completed"
    index = cache / ".index.json"
    if index.exists():
        for entry in json.loads(index.read_text(encoding="utf-8"))["searches"]:
            assert {"slug", "query", "timestamp"} <= entry.keys()


def _ends() -> list[str]:
    return [words(n)[-1] for n in range(1, PAGES + 1)]


def finished(cache: Path) -> dict[str, str]:
    """The reports there are, by the name of their session."""
    paths = (path for path in cache.glob("*/report.md") if path.parent.name[0] != ".")
    return {path.parent.name: path.read_text(encoding="utf-8") for path in paths}


def unfinished(cache: Path) -> StoredSession | None:
    """The session that a killed run left, None where it had saved nothing or was done."""
    store = Store(cache)
    names = [summary.name for summary in store.sessions() if not summary.finished]
    assert len(names) <= 1
    return store.open(names[0]) if names else None


def saved(session: StoredSession | None, what: Callable[[Any], object]) -> set[int]:
    return {source.n for source in session.sources if what(source)} if session else set()


def check_kept(cache: Path, events: list[dict[str, Any]]) -> None:
    """What was said to be done is on disk."""
    for event in events:
        folder = KEPT.get(event["event"])
        if folder:
            found = list(cache.glob(f"*/{folder}/{event['n']:02}-*.md"))
            assert found, event


def check_resuming(
    world: World, place: Place, again: tuple[str, ...], facts: Sequence[str] = FACTS
) -> None:
    """The run is finished, and nothing that was on disk is asked for again."""
    left, before, reports = unfinished(place.cache), bill(world), finished(place.cache)
    pages = saved(left, lambda source: source.text)
    extracts = saved(left, lambda source: source.extraction)
    run = place.run("resume", left.name, "--json") if left else place.run(*again, "--json")
    assert run.code == 0, run.stdout + run.stderr
    after = bill(world)
    for n in pages:
        assert after.fetched[n - 1] == before.fetched[n - 1], f"page {n} was fetched twice"
    for n in extracts:
        assert after.extracted[n - 1] == before.extracted[n - 1], f"page {n} was paid twice"
    if left and left.meta.answer.links:
        assert after.searched == before.searched, "the search was paid twice"
    done = run.json
    assert [source["status"] for source in done["sources"]] == ["ok"] * len(facts)
    assert all(text in done["summary"] for text in facts), done["summary"]
    check_whole(place.cache)
    kept = set(finished(place.cache).values())
    assert set(reports.values()) <= kept, "a finished report is lost"
    leftovers = [*place.cache.rglob(".tmp-*"), *place.cache.glob(".trash-*")]
    assert not leftovers and not list(place.cache.glob("*.partial*"))
