"""Any number of processes on one cache directory, on disks with file locks and without."""

from __future__ import annotations

import errno
import fcntl
import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from intelli.store.disk import NO_LOCKS
from tests.pipeline.kit import Q, fact, failed, pumps
from tests.world import Place, Running, Say, World
from tests.world.sessions import write_session

LOCKLESS = """
import fcntl, os
real = fcntl.flock
def flock(file, how):
    number = file if isinstance(file, int) else file.fileno()
    if "/.search/" in os.readlink(f"/proc/self/fd/{number}"):
        raise OSError(int(os.environ["LOCK_ERROR"]), "no locks here")
    return real(file, how)
fcntl.flock = flock
"""
"""What Python loads before the command, so that the cache lies on a disk without locks."""


def docs(place: Place) -> Place:
    (place.project / "docs").mkdir()
    (place.project / "docs" / "p.md").write_text(f"# Pump\n\n{fact(1)}\n", encoding="utf-8")
    return place


def research_at_once(place: Place, count: int) -> None:
    """So many questions, each in a process of its own and all at the same time."""
    lines = [("research", Q + "?" * n, "--docs", "docs", "--json") for n in range(count)]
    for run in place.run_together(*lines):
        assert (run.code, run.stderr) == (0, ""), run.stdout + run.stderr
    assert len({path.name for path in place.sessions()}) >= count


def check_no_leftovers(place: Place, count: int) -> None:
    entries = json.loads((place.cache / ".index.json").read_text(encoding="utf-8"))["searches"]
    assert sum(entry["query"].startswith(Q) for entry in entries) == count
    assert len({entry["slug"] for entry in entries}) == len(entries)
    hidden = {path.name for path in place.cache.rglob(".*")}
    assert hidden <= {".lock", ".index.json", ".gitignore"}
    listed = place.run("list", "--json", "--limit", "100", "--words", Q).json
    assert listed["total"] == count


def test_processes_that_add_at_once_lose_nothing(world: World) -> None:
    place = docs(world.place(model=False))
    research_at_once(place, 6)
    check_no_leftovers(place, 6)


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("before", [0, 1100], ids=["empty", "large"])
def test_fifty_processes_that_add_at_once_lose_nothing(world: World, before: int) -> None:
    place = docs(world.place(model=False))
    for n in range(before):
        write_session(place.cache, f"older {n}", {"http://a.test/": "text"}, day="2025-01-01")
    if before:
        assert place.run("list", "--json").json["total"] == before
    research_at_once(place, 50)
    check_no_leftovers(place, 50)


@contextmanager
def locked(cache: Path) -> Iterator[None]:
    with (cache / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_a_slow_holder_of_the_lock_is_waited_for_and_not_broken(world: World) -> None:
    place = docs(world.place(model=False))
    research_at_once(place, 1)
    with locked(place.cache):
        running = place.start("research", Q, "--docs", "docs", "--fresh", "--json")
        time.sleep(1.5)
        assert running.process.poll() is None
        assert len(place.sessions()) == 1, "nobody goes in while it is held"
    assert running.finish().code == 0 and len(place.sessions()) == 2


def test_waiting_for_the_lock_can_be_interrupted(world: World) -> None:
    place = docs(world.place(model=False))
    research_at_once(place, 1)
    with locked(place.cache):
        line = ("research", Q, "--docs", "docs", "--fresh", "--json", "--events")
        running = place.start(*line)
        assert running.process.stderr is not None
        while b"links_found" not in running.process.stderr.readline():
            pass
        running.signal(signal.SIGINT)
        run = running.finish(patience=20)
    assert run.code == 130 and run.json["outcome"] == "interrupted"


@pytest.fixture
def lockless(world: World, tmp_path: Path) -> Place:
    (tmp_path / "sitecustomize.py").write_text(LOCKLESS, encoding="utf-8")
    place = docs(world.place())
    (place.root / "tmp").mkdir()
    place.env |= {"PYTHONPATH": str(tmp_path), "TMPDIR": str(place.root / "tmp")}
    place.env |= {"LOCK_ERROR": str(errno.ENOLCK)}
    return place


@pytest.mark.parametrize("error", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_disk_without_locks_is_worked_on_and_named(
    world: World, lockless: Place, error: int
) -> None:
    pumps(world, 2)
    lockless.env["LOCK_ERROR"] = str(error)
    run = lockless.run("research", Q, "--json")
    assert run.code == 0 and NO_LOCKS in run.json["warnings"]
    assert lockless.run("prune", "latest").code == 0 and not lockless.sessions()


def test_processes_are_kept_apart_on_a_disk_without_locks(lockless: Place) -> None:
    lines = [("research", Q + "?" * n, "--docs", "docs", "--engine", "local") for n in range(4)]
    assert [run.code for run in lockless.run_together(*lines)] == [0] * 4
    check_no_leftovers(lockless, 4)


def stuck(world: World, place: Place) -> Running:
    """A run that waits for an answer that never comes, with a page on disk."""
    pumps(world, 1)
    world.model.say("collate", Say(fault="hang"))
    running = place.start("research", Q)
    running.until(lambda: list(place.cache.glob("*/extractions/01-*")))
    return running


def test_a_live_run_is_seen_on_a_disk_without_locks(world: World, lockless: Place) -> None:
    running = stuck(world, lockless)
    try:
        name = lockless.session().name
        assert lockless.run("list", "--json").json["sessions"][0]["outcome"] == "running"
        error = failed(lockless.run("resume", name, "--json"), 2, "usage")["error"]
        assert error["code"] == "session-running"
        assert failed(lockless.run("prune", name, "--json"), 2, "usage")
        assert lockless.session().name == name
    finally:
        running.signal(signal.SIGKILL)
        running.finish()


def test_a_dead_run_blocks_nobody_on_a_disk_without_locks(world: World, lockless: Place) -> None:
    running = stuck(world, lockless)
    running.signal(signal.SIGKILL)
    running.finish()
    world.model.say("collate", Say(text=world.knowledge.collate))
    assert lockless.run("list", "--json").json["sessions"][0]["outcome"] == "interrupted"
    resumed = lockless.run("resume", "latest", "--json")
    assert resumed.code == 0 and fact(1) in resumed.json["summary"]
    assert not list((lockless.root / "tmp").rglob("*run*"))
