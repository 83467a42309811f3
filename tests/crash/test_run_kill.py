"""A run of the real command, killed at any moment, loses nothing and pays for nothing twice."""

from __future__ import annotations

import random
import time

import pytest

from intelli.store import Store
from tests.crash.killing import (
    FACTS,
    PAGES,
    check_kept,
    check_resuming,
    check_whole,
    copy_of,
    finished,
    kill_after,
    kill_after_events,
)
from tests.pipeline.kit import Q, pumps, words
from tests.world import Place, World
from tests.world.pages import MARKDOWN, Page, markdown
from tests.world.sessions import write_session

RESEARCH = ("research", Q)
ENGINES = [pytest.param(True, id="llm"), pytest.param(False, id="local")]
MOMENTS = {"research": 80, "refresh": 30, "collate": 15, "prune": 15, "export": 10}
"""For each engine where there are two; together two hundred and more."""


def kill_at_event(world: World, count: int, *, model: bool) -> bool:
    """Whether the run was still at work after so many events."""
    place = world.place(model=model)
    events = kill_after_events(place.start(*RESEARCH, "--events"), count)
    check_whole(place.cache)
    check_kept(place.cache, events)
    check_resuming(world, place, RESEARCH)
    return len(events) >= count


@pytest.mark.parametrize("model", ENGINES)
def test_a_run_killed_as_it_speaks_is_finished_by_resume(world: World, model: bool) -> None:
    pumps(world, PAGES)
    for count in (3, 11, 17):
        assert kill_at_event(world, count, model=model)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("model", ENGINES)
def test_a_run_killed_at_any_event(world: World, model: bool) -> None:
    pumps(world, PAGES)
    count = 1
    while kill_at_event(world, count, model=model):
        count += 1
    assert count > 15, "a run says more than that"


def seconds_of(place: Place, *line: str) -> float:
    began = time.monotonic()
    assert place.run(*line).code == 0
    return time.monotonic() - began


def moments(name: str, seconds: float) -> list[float]:
    chance = random.Random(name)
    return [chance.uniform(0, seconds * 1.05) for _ in range(MOMENTS[name])]


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("model", ENGINES)
def test_a_run_killed_at_random_moments(world: World, model: bool) -> None:
    pumps(world, PAGES)
    for moment in moments("research", seconds_of(world.place(model=model), *RESEARCH)):
        place = world.place(model=model)
        kill_after(place.start(*RESEARCH), moment)
        check_whole(place.cache)
        check_resuming(world, place, RESEARCH)


NEW = "The pump model P2 moves 77 litres a minute at 2.5 bar."


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("model", ENGINES)
def test_a_refresh_killed_at_random_moments(world: World, model: bool) -> None:
    pumps(world, PAGES)
    earlier = world.place(model=model)
    assert earlier.run(*RESEARCH).code == 0
    (old,) = finished(earlier.cache).values()
    page = markdown("Pump 2", [NEW, *words(2)[1:]]).encode()
    world.site.add("/p2", Page(body=page, content_type=MARKDOWN))
    world.knowledge.facts.append(NEW)
    line = ("refresh", "latest")
    for moment in moments("refresh", seconds_of(copy_of(world, earlier, model=model), *line)):
        place = copy_of(world, earlier, model=model)
        kill_after(place.start(*line), moment)
        check_whole(place.cache)
        assert old in finished(place.cache).values()
        check_resuming(world, place, line, [FACTS[0], NEW, *FACTS[2:]])


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("model", ENGINES)
def test_a_collation_killed_at_random_moments(world: World, model: bool) -> None:
    pumps(world, PAGES)
    earlier = world.place(model=model)
    assert earlier.run(*RESEARCH).code == 0
    line = ("collate", "latest", "--query", "how many litres does each pump move")
    for moment in moments("collate", seconds_of(copy_of(world, earlier, model=model), *line)):
        place = copy_of(world, earlier, model=model)
        kill_after(place.start(*line), moment)
        check_whole(place.cache)
        check_resuming(world, place, (line[0], earlier.session().name, *line[2:]))


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_prune_killed_at_random_moments(world: World) -> None:
    earlier = world.place(model=False)
    for n in range(40):
        write_session(earlier.cache, f"question {n}", {"http://a.test/": words(1)[-1]})
    line = ("prune", "--keep", "3")
    before = finished(earlier.cache)
    for moment in moments("prune", seconds_of(copy_of(world, earlier, model=False), *line)):
        place = copy_of(world, earlier, model=False)
        kill_after(place.start(*line), moment)
        left = finished(place.cache)
        assert left.items() <= before.items() and len(left) >= 3
        assert set(left) == {summary.name for summary in Store(place.cache).sessions()}
        assert place.run(*line).code == 0 and len(finished(place.cache)) == 3
        assert not list(place.cache.glob(".t*-*"))


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("form", ["html", "zip"])
def test_an_export_killed_at_random_moments(world: World, form: str) -> None:
    earlier = world.place(model=False)
    write_session(earlier.cache, "question", {"http://a.test/": "word " * 400_000})
    line = ("export", "latest", "-o", f"out.{form}", *(["--zip"] if form == "zip" else []))
    place = copy_of(world, earlier, model=False)
    seconds = seconds_of(place, *line)
    whole = len((place.project / f"out.{form}").read_bytes())
    for moment in moments("export", seconds):
        target = place.project / f"out.{form}"
        target.unlink(missing_ok=True)
        kill_after(place.start(*line), moment)
        assert not target.exists() or len(target.read_bytes()) == whole
