"""The index loses nothing, heals itself and leaves the keys of other programs alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from intelli.errors import StoreError
from intelli.records import Query
from intelli.store import Store, Summary, index
from tests.unit.store.samples import NAME, QUESTION, WHEN, begin, research, write

ROOT = Path(__file__).resolve().parents[3]
ADDING = """
import os, sys
from pathlib import Path
from intelli.store import Summary, index
children = []
for child in range(20):
    pid = os.fork()
    if pid == 0:
        for k in range(3):
            name = f"2026-01-01-{child}-{k}-abcdef"
            index.add(Path(sys.argv[1]), Summary(name=name, query=f"{child} {k}", timestamp="2026"))
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
        index.add(tmp_path, summary(k))
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
    index.add(tmp_path, summary(1))
    assert {e["slug"] for e in listed(tmp_path)} >= {NAME, "2026-04-18-copied-abcdef"}


def test_entries_without_a_directory_are_not_shown(tmp_path: Path) -> None:
    index.add(tmp_path, summary(1))
    assert Store(tmp_path).sessions() == ()


def test_the_newest_thousand_are_listed(tmp_path: Path) -> None:
    entries = [{"slug": s.name, "query": s.query, "timestamp": s.timestamp}
               for s in map(summary, range(1000))]  # fmt: skip
    (tmp_path / ".index.json").write_text(json.dumps({"searches": entries}))
    index.add(tmp_path, summary(1000))
    found = listed(tmp_path)
    assert (len(found), found[0]["query"], found[-1]["query"]) == (1000, "q1", "q1000")


def test_an_index_that_cannot_be_written_is_an_error_of_the_store(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("a file")
    with pytest.raises(StoreError, match="cannot save"):
        index.add(tmp_path / "c", summary(1))
