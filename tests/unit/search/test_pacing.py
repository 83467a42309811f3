"""Turns and pauses across processes, and whatever may happen to their state."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from intelli.search.pacing import paused
from tests.unit.search.services import (
    ASK,
    ROOT,
    Service,
    ask,
    challenge,
    left,
    limited,
    polite,
    state,
)


def test_turns_come_one_at_a_time_and_apart(home: Path) -> None:
    service = Service(delay=0.1)
    backends = [polite(service, interval=0.2) for _ in range(2)]

    async def all_at_once() -> None:
        async with asyncio.TaskGroup() as group:
            for n in range(4):
                group.create_task(backends[n % 2].search(ASK))

    asyncio.run(all_at_once())
    gaps = [b - a for a, b in pairwise(service.times)]
    assert service.peak == 1
    assert min(gaps) >= 0.3


def test_a_lock_out_ends_the_waiting_of_those_in_line(home: Path) -> None:
    service = Service([challenge()] * 9, delay=0.1)

    async def all_at_once() -> list[str]:
        async with asyncio.TaskGroup() as group:
            backend = polite(service, interval=0.1)
            tasks = [group.create_task(asyncio.to_thread(ask, polite(service, interval=0.1)))]
            tasks += [group.create_task(asyncio.to_thread(ask, backend)) for _ in range(1)]
        return sorted(task.result() for task in tasks)

    assert asyncio.run(all_at_once()) == ["challenge", "paused"]
    assert len(service.asked) == 1


PROGRAM = """
import asyncio, sys, time
from intelli.records import Answer, Query
from intelli.search.pacing import Pacer
from intelli.search.polite import Polite

class Service:
    name = "service"
    async def search(self, query):
        with open(sys.argv[1], "a") as log:
            log.write(f"{time.time()} ")
            log.flush()
            await asyncio.sleep(float(sys.argv[2]))
            log.write(f"{time.time()}\\n")
        return Answer(links=())

asyncio.run(Polite(Service(), Pacer("service", "x", interval=0.2)).search(Query(text="q")))
"""


def start(log: Path, delay: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PROGRAM, str(log), str(delay)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)


@pytest.mark.parametrize("count", [4, pytest.param(20, marks=pytest.mark.long)])
def test_processes_take_turns_and_none_is_lost(count: int, home: Path) -> None:
    log = home / "log"
    running = [start(log, 0.02) for _ in range(count)]
    assert [process.communicate()[1] for process in running] == [b""] * count
    spans = sorted(tuple(map(float, line.split())) for line in log.read_text().splitlines())
    assert len(spans) == count
    assert all(later[0] - one[1] >= 0.199 for one, later in pairwise(spans))


def test_a_process_that_is_killed_in_its_turn_blocks_nobody(home: Path) -> None:
    log = home / "log"
    victim = start(log, 60)
    while not (log.exists() and log.read_text()):
        assert victim.poll() is None
        time.sleep(0.01)
    victim.kill()
    victim.communicate()
    assert ask(polite(Service(), identity="x", interval=0.2)) == "ok"


def test_a_lock_that_nobody_frees_does_not_count_for_ever(home: Path) -> None:
    from filelock import FileLock

    assert ask(polite(Service(), interval=0.1)) == "ok"
    (path,) = (home / "state").rglob("service-*.lock")
    with FileLock(path):
        os.utime(path, (time.time() - 500,) * 2)
        assert ask(polite(Service(), interval=0.1)) == "ok"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"last": 1}', '{"last": NaN, "since": 0, "until": 1e999, "strikes": 1}',
     '{"last": "x", "since": null, "until": {}, "strikes": []}', "[" * 100_000, "\x00\xff"],
)  # fmt: skip
def test_a_state_that_is_no_state_counts_as_none(text: str, home: Path) -> None:
    ask(polite(Service([challenge()])))
    state(home).write_text(text)
    assert paused() == []
    assert ask(polite(Service())) == "ok"
    assert ask(polite(Service([challenge()]))) == "challenge"
    assert left(home) == 300


def test_a_clock_that_was_set_back_makes_nobody_wait_longer(home: Path) -> None:
    ask(polite(Service([limited(60)] * 2)))
    ahead = 10**6
    data = json.loads(state(home).read_text())
    moved = {name: data[name] + ahead for name in ("last", "since", "until")}
    state(home).write_text(json.dumps({**data, **moved}))
    assert ask(polite(Service())) == "paused"
    assert paused()[0].until < time.time() + 61
    moved["until"] = moved["since"]
    state(home).write_text(json.dumps({**data, **moved}))
    assert ask(polite(Service(), interval=0.1)) == "ok"


@pytest.mark.parametrize("blocked", ["file", "read-only"])
def test_a_state_that_cannot_be_kept_is_kept_in_memory(blocked: str, home: Path) -> None:
    if blocked == "file":
        (home / "state").write_text("a file where the directory should be")
    else:
        ask(polite(Service(), interval=0.1))
        state(home).parent.chmod(0o500)
        state(home).chmod(0o400)
        if os.access(state(home), os.W_OK):
            pytest.skip("nothing is read-only for this user")
    service = Service([challenge()] * 9)
    backend = polite(service, interval=0.1)
    assert [ask(backend), ask(backend)] == ["challenge", "paused"]
    assert len(service.asked) == 1
    assert ask(polite(Service(), interval=0.1)) == "ok"
