"""The index loses nothing, heals itself and leaves the keys of other programs alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from intelli.records import Query
from intelli.store import Store, Summary, index
from intelli.store.disk import cache_lock
from intelli.store.summary import summarise as real
from tests.unit.store.samples import NAME, QUESTION, WHEN, begin, research, write
from tests.world.sessions import write_session

ROOT = Path(__file__).resolve().parents[3]
ADDING = """
import os, sys
from pathlib import Path
from intelli.store import Summary
from tests.unit.store.test_index import add
children = []
for child in range(20):
    pid = os.fork()
    if pid == 0:
        for k in range(3):
            name = f"2026-01-01-{child}-{k}-abcdef"
            add(Path(sys.argv[1]), Summary(name=name, query=f"{child} {k}", timestamp="2026-01-01"))
        os._exit(0)
    children.append(pid)
sys.exit(any(os.waitpid(pid, 0)[1] for pid in children))
"""


def listed(cache: Path) -> list[dict[str, Any]]:
    found = json.loads((cache / ".index.json").read_text(encoding="utf-8"))["searches"]
    assert isinstance(found, list)
    return found


def summary(k: int, **more: Any) -> Summary:
    moment = WHEN + timedelta(minutes=k)
    return Summary(
        name=f"2026-01-01-{k:04d}-abcdef", query=f"q{k}", timestamp=moment.isoformat(), **more
    )


def finished(session: Path) -> None:
    session.mkdir(parents=True, exist_ok=True)
    (session / "report.md").write_text("# Done\n")


def add(cache: Path, told: Summary) -> None:
    """List a session as the end of a run does."""
    finished(cache / told.name)
    with cache_lock(cache):
        index.add_locked(cache, [told])


def test_an_entry_has_the_shared_keys(tmp_path: Path) -> None:
    write(tmp_path)
    (entry,) = listed(tmp_path)
    shared = {key: entry[key] for key in ("slug", "query", "timestamp")}
    assert shared == {
        "slug": NAME,
        "query": QUESTION.text,
        "timestamp": "2026-04-19T10:00:00+00:00",
    }
    assert (entry["engine"], entry["sources"]) == ("local", 2)


def test_a_refresh_keeps_one_entry_and_archives_are_not_listed(tmp_path: Path) -> None:
    for _ in range(3):
        write(tmp_path)
    assert [entry["slug"] for entry in listed(tmp_path)] == [NAME]


def test_the_newest_entry_is_the_last(tmp_path: Path) -> None:
    for k in (3, 1, 2, 1):
        add(tmp_path, summary(k))
    assert [entry["query"] for entry in listed(tmp_path)] == ["q1", "q2", "q3"]


def test_many_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", ADDING, str(tmp_path / "c")], cwd=ROOT, check=True)
    assert {entry["query"] for entry in listed(tmp_path / "c")} == {
        f"{child} {k}" for child in range(20) for k in range(3)
    }
    assert not list((tmp_path / "c").glob(".tmp-*"))


def test_keys_of_other_programs_stay(tmp_path: Path) -> None:
    other = {"slug": NAME, "query": "old words", "timestamp": "2026-01-01", "stars": 5}
    stranger = {
        "slug": "2026-01-01-x-abcdef",
        "query": "x",
        "timestamp": "2026-01-01T00:00:00.000Z",
    }
    document = {"version": 2, "searches": [stranger, "noise", {"query": "no slug"}, other]}
    finished(tmp_path / stranger["slug"])
    (tmp_path / ".index.json").write_text(json.dumps(document))
    write(tmp_path)
    assert json.loads((tmp_path / ".index.json").read_text())["version"] == 2
    first, second = listed(tmp_path)
    assert first == stranger
    assert second["stars"] == 5 and second["query"] == QUESTION.text


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"searches": 3}', "\xff", '{"searches": [', None]
)
def test_a_damaged_or_missing_index_is_rebuilt_from_the_directories(
    tmp_path: Path, damage: str | None
) -> None:
    for k, text in enumerate(("One?", "Two?", "One?")):
        moment = WHEN + timedelta(hours=k)
        with begin(Store(tmp_path), query=Query(text=text), when=moment) as session:
            session.finish(research(query=Query(text=text)))
    before = listed(tmp_path)
    path = tmp_path / ".index.json"
    path.unlink()
    if damage is not None:
        path.write_bytes(damage.encode("latin-1"))
    assert {s.query for s in Store(tmp_path).sessions()} == {"One?", "Two?"}
    write(tmp_path)
    assert [e for e in listed(tmp_path) if e["slug"] != NAME] == before
    assert NAME in {e["slug"] for e in listed(tmp_path)}


def test_sessions_that_the_index_misses_are_listed_and_mended(tmp_path: Path) -> None:
    write(tmp_path)
    shutil.copytree(tmp_path / NAME, tmp_path / "2026-04-18-copied-abcdef")
    assert len(Store(tmp_path).sessions()) == 2
    assert len(listed(tmp_path)) == 1
    add(tmp_path, summary(1))
    assert {e["slug"] for e in listed(tmp_path)} >= {NAME, "2026-04-18-copied-abcdef"}


def test_a_session_that_is_gone_is_not_shown_and_leaves_the_index(tmp_path: Path) -> None:
    add(tmp_path, summary(1))
    add(tmp_path, summary(2))
    shutil.rmtree(tmp_path / summary(1).name)
    assert [found.query for found in Store(tmp_path).sessions()] == ["q2"]
    add(tmp_path, summary(3))
    assert [entry["query"] for entry in listed(tmp_path)] == ["q2", "q3"]


def test_a_session_without_its_report_is_not_listed_as_finished(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / NAME / "report.md").unlink()
    (found,) = Store(tmp_path).sessions()
    assert not found.finished and found.outcome == "interrupted"


@pytest.mark.parametrize(
    "change",
    [
        {"query": 7},
        {"timestamp": "yesterday"},
        {"timestamp": None},
        {"query": ["a"], "sources": "two", "timestamp": {}},
    ],
)
def test_an_entry_with_values_that_are_none_is_told_by_its_directory(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    write(tmp_path)
    before = listed(tmp_path)
    document = {"searches": [{**before[0], **change}, "noise", {**before[0], **change}]}
    (tmp_path / ".index.json").write_text(json.dumps(document))
    (found,) = Store(tmp_path).sessions()
    assert (found.query, found.timestamp) == (QUESTION.text, before[0]["timestamp"])
    add(tmp_path, summary(1))
    assert before[0] in listed(tmp_path) and len(listed(tmp_path)) == 2


def test_an_entry_that_stands_there_twice_counts_once(tmp_path: Path) -> None:
    write(tmp_path)
    (entry,) = listed(tmp_path)
    (tmp_path / ".index.json").write_text(json.dumps({"searches": [entry, entry, entry]}))
    assert len(Store(tmp_path).sessions()) == 1
    add(tmp_path, summary(1))
    assert len(listed(tmp_path)) == 2


def test_an_index_that_is_too_large_to_be_one_is_rebuilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    (entry,) = listed(tmp_path)
    monkeypatch.setattr(index, "LARGEST", 1000)
    (tmp_path / ".index.json").write_text(json.dumps({"searches": [], "noise": "x" * 2000}))
    assert [found.name for found in Store(tmp_path).sessions()] == [NAME]
    add(tmp_path, summary(1))
    assert entry in listed(tmp_path)


def test_an_index_is_refilled_with_the_newest_sessions_it_misses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "LIMIT", 3)
    read: list[str] = []
    monkeypatch.setattr(
        index, "summarise", lambda path, root: read.append(path.name) or real(path, root)
    )
    for day in range(1, 9):
        write_session(
            tmp_path, f"question {day}", {"http://a.test/": "text"}, day=f"2026-04-{day:02}"
        )
    (tmp_path / ".index.json").write_text('{"searches": []}')
    add(tmp_path, replace(summary(1), timestamp="2026-05-01T00:00:00Z"))
    assert [entry["query"] for entry in listed(tmp_path)] == ["question 7", "question 8", "q1"]
    assert len(read) == 3, "older ones are not even read"


def test_the_newest_thousand_are_listed(tmp_path: Path) -> None:
    entries = [{"slug": s.name, "query": s.query, "timestamp": s.timestamp}
               for s in map(summary, range(1000))]  # fmt: skip
    for entry in entries:
        finished(tmp_path / entry["slug"])
    (tmp_path / ".index.json").write_text(json.dumps({"searches": entries}))
    add(tmp_path, summary(1000))
    found = listed(tmp_path)
    assert (len(found), found[0]["query"], found[-1]["query"]) == (1000, "q1", "q1000")
