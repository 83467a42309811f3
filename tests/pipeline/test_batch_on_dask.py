"""`intelli batch --on`: a real scheduler and two workers, of which one is killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.world import World
from tests.world.place import Place, validator

QUESTIONS = [f"how fast is the pump P{n}" for n in range(4)]


@contextmanager
def process(place: Place, module: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    running = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.{module}", *arguments],
        cwd=place.project,
        env=place.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield running
    finally:
        running.kill()
        running.wait()


@contextmanager
def cluster(place: Place, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its workers."""
    facts = place.root / "scheduler.json"
    local = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
    with ExitStack() as stack:
        scheduler = (*local, "--scheduler-file", str(facts))
        stack.enter_context(process(place, "dask_scheduler", *scheduler))
        address = address_in(facts)
        options = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", ".")
        started = [
            stack.enter_context(process(place, "dask_worker", address, *options))
            for _ in range(workers)
        ]
        yield address.replace("tcp://", "dask://"), started


def address_in(facts: Path) -> str:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if facts.is_file() and facts.read_text("utf-8").endswith("}"):
            return str(json.loads(facts.read_text("utf-8"))["address"])
        time.sleep(0.05)
    raise AssertionError("no scheduler")


def test_a_killed_worker_loses_nothing_and_nothing_is_paid_for_twice(world: World) -> None:
    for n in range(4):
        world.article(
            f"/pump-{n}", f"Pump P{n}", [f"The pump P{n} moves {n + 10} litres a minute."]
        )
    slow = world.model.computed("collate", delay=4)
    world.model.say("collate", slow, slow, world.model.computed("collate"))
    place = world.place()
    lines = "\n".join(QUESTIONS)
    with cluster(place, 2) as (address, workers):
        running = place.start("batch", "-", "--on", address, stdin=lines)
        running.until(lambda: len(world.model.asked("collate")) == 2)
        workers[0].kill()
        run = running.finish(90)
    assert run.code == 0, run.stderr
    documents = [json.loads(line) for line in run.stdout.splitlines()]
    for document in documents:
        validator("batch").validate(document)
    assert sorted(document["query"] for document in documents) == QUESTIONS
    assert {document["outcome"] for document in documents} == {"completed"}
    extracted = [ask.user for ask in world.model.asked("extract")]
    assert len(extracted) == len(set(extracted)), "no page is paid for twice"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--on", "dask://127.0.0.1"), "HOST:PORT"),
        (("--on", "http://127.0.0.1:1"), "dask://"),
        (("--on", "dask://127.0.0.1:8786", "--budget", "1"), "budget"),
    ],
)
def test_a_cluster_that_cannot_be_used_is_refused(
    world: World, options: tuple[str, ...], words: str
) -> None:
    run = world.place().run("batch", "-", *options, stdin=QUESTIONS[0])
    assert run.code == 2 and words in run.stderr
    assert not world.model.asks
