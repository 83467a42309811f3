"""A run that is stopped keeps what it has, says how to go on, and pays for nothing twice."""

from __future__ import annotations

import signal

import pytest

from tests.pipeline.kit import (
    Q,
    asked_about,
    asks,
    fact,
    failed,
    pump,
    pumps,
    resume_command,
    statuses,
)
from tests.pipeline.shape import check_research
from tests.world import Place, Running, Say, World

STAGES = ("search", "fetch", "extract", "collate")


def hold(world: World, stage: str) -> None:
    """Two pages, of which the second gets stuck in a stage; its answer never comes."""
    stuck = Say(fault="hang")
    pump(world, 1)
    pump(world, 2, fault="hang" if stage == "fetch" else "")
    if stage == "extract":
        world.model.when("extract", fact(2), stuck)
    elif stage != "fetch":
        world.model.say(stage, stuck)


def wait_for(world: World, place: Place, running: Running, stage: str) -> None:
    """Until the run is stuck, and what was finished before is on disk."""
    waiting = {
        "search": lambda: asks(world, "search"),
        "fetch": lambda: world.site.server.log.of("/p2") and saved(place, "extractions/01-*"),
        "extract": lambda: asked_about(world, 2) and saved(place, "extractions/01-*"),
        "collate": lambda: asks(world, "collate"),
    }
    running.until(waiting[stage])


def saved(place: Place, pattern: str) -> bool:
    return bool(list(place.cache.glob(f"*/{pattern}.md")))


def mend(world: World) -> None:
    """The same two pages and a model that answers."""
    world.clear()
    pumps(world, 2)


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_is_130_and_keeps_what_is_finished(world: World, stage: str) -> None:
    hold(world, stage)
    place = world.place()
    running = place.start("research", Q, "--json")
    wait_for(world, place, running, stage)
    running.signal(signal.SIGINT)
    document = failed(running.finish(), 130, "interrupted")
    check_research(document)
    assert not list(place.cache.glob("*/report.md"))
    assert not list(place.cache.rglob(".tmp-*"))
    if stage == "search":
        assert place.sessions() == [] and document["session"] == ""
        return
    assert document["session"] == place.session().name
    assert (place.session() / "meta.json").is_file() and saved(place, "extractions/01-*")
    done = {"fetch": 1, "extract": 1, "collate": 2}[stage]
    mend(world)
    resumed = place.run("resume", "latest", "--json")
    assert (resumed.code, statuses(resumed.json)) == (0, {1: "ok", 2: "ok"})
    assert resumed.json["session"] == document["session"]
    assert all(fact(n) in resumed.json["summary"] for n in (1, 2))
    assert not asks(world, "search") and not asked_about(world, 1)
    assert len(asks(world, "extract")) == 2 - done
    assert "/p1" not in world.site.server.log.paths()


def test_the_message_after_ctrl_c_holds_the_command_that_goes_on(world: World) -> None:
    hold(world, "extract")
    place = world.place()
    running = place.start("research", Q)
    wait_for(world, place, running, "extract")
    running.signal(signal.SIGINT)
    run = running.finish()
    assert (run.code, run.stdout) == (130, "")
    assert "Traceback" not in run.stderr
    mend(world)
    finished = place.shell(resume_command(run.stderr))
    assert finished.code == 0 and fact(2) in finished.stdout


def test_asking_again_goes_on_where_the_run_was_interrupted(world: World) -> None:
    hold(world, "extract")
    place = world.place()
    running = place.start("research", Q, "--quiet")
    wait_for(world, place, running, "extract")
    running.signal(signal.SIGINT)
    assert running.finish().code == 130
    mend(world)
    run = place.run("research", Q)
    assert run.code == 0
    assert "resuming" in run.stderr and place.session().name in run.stderr
    assert not asks(world, "search") and not asked_about(world, 1)
    assert fact(1) in run.stdout and fact(2) in run.stdout


def test_fresh_does_not_go_on_with_a_stopped_run(world: World) -> None:
    hold(world, "collate")
    place = world.place()
    running = place.start("research", Q, "--quiet")
    wait_for(world, place, running, "collate")
    running.signal(signal.SIGINT)
    running.finish()
    mend(world)
    run = place.run("research", Q, "--fresh", "--json")
    assert run.code == 0
    assert len(asks(world, "search")) == 1 and len(asks(world, "extract")) == 2


def test_another_focus_is_another_question(world: World) -> None:
    hold(world, "collate")
    place = world.place()
    running = place.start("research", Q, "--quiet")
    wait_for(world, place, running, "collate")
    running.signal(signal.SIGINT)
    running.finish()
    mend(world)
    assert place.run("research", Q, "--focus", "the price").code == 0
    assert len(asks(world, "search")) == 1 and len(asks(world, "extract")) == 2


def test_a_killed_run_is_finished_without_asking_for_finished_pages(world: World) -> None:
    hold(world, "extract")
    place = world.place()
    running = place.start("research", Q)
    wait_for(world, place, running, "extract")
    running.signal(signal.SIGKILL)
    assert running.finish().code == -signal.SIGKILL
    mend(world)
    listed = place.run("list", "--json").json
    assert [s["outcome"] for s in listed["sessions"]] == ["interrupted"]
    resumed = place.run("resume", "latest", "--json")
    assert (resumed.code, statuses(resumed.json)) == (0, {1: "ok", 2: "ok"})
    assert not asks(world, "search") and not asked_about(world, 1)
    assert "/p2" not in world.site.server.log.paths(), "the page was stored already"
    assert resumed.json["usage"]["by_role"]["search"]["calls"] == 1, "money spent is not forgotten"
    assert not list(place.cache.rglob(".tmp-*"))


def test_a_killed_run_goes_on_when_its_question_is_asked_again(world: World) -> None:
    hold(world, "collate")
    place = world.place()
    running = place.start("research", Q)
    wait_for(world, place, running, "collate")
    running.signal(signal.SIGKILL)
    running.finish()
    mend(world)
    run = place.run("research", Q)
    assert (run.code, "resuming" in run.stderr) == (0, True)
    assert not asks(world, "search") and not asks(world, "extract")
    assert len(place.sessions()) == 1


def test_sigterm_ends_a_run_like_ctrl_c(world: World) -> None:
    hold(world, "fetch")
    place = world.place()
    running = place.start("research", Q, "--json")
    wait_for(world, place, running, "fetch")
    running.signal(signal.SIGTERM)
    failed(running.finish(), 130, "interrupted")
    mend(world)
    resumed = place.run("resume", "latest", "--json")
    assert (resumed.code, statuses(resumed.json)) == (0, {1: "ok", 2: "ok"})


def test_a_finished_run_cannot_be_resumed(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    place.run("research", Q)
    document = failed(place.run("resume", "latest", "--json"), 2, "usage")
    assert "finished" in document["error"]["message"]
    assert "intelli show" in document["error"]["hint"]


def test_a_run_that_is_still_going_on_cannot_be_resumed_by_another(world: World) -> None:
    hold(world, "extract")
    place = world.place()
    running = place.start("research", Q)
    wait_for(world, place, running, "extract")
    name = place.session().name
    document = failed(place.run("resume", name, "--json"), 2, "usage")
    assert document["error"]["retryable"] is True
    running.signal(signal.SIGINT)
    assert running.finish().code == 130
