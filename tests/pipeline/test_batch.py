"""`intelli batch`: many questions, a few at a time, none of them asked or paid for twice."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest

from tests.pipeline.kit import asks, peak
from tests.world import World
from tests.world.place import Place, Run, validator

QUESTIONS = [f"how fast is the pump P{n}" for n in range(6)]


@pytest.fixture
def place(world: World) -> Place:
    for n in range(6):
        world.article(
            f"/pump-{n}", f"Pump P{n}", [f"The pump P{n} moves {n + 10} litres a minute."]
        )
    place = world.place()
    (place.project / "questions.txt").write_text("\n".join(QUESTIONS), encoding="utf-8")
    return place


def documents(run: Run) -> list[dict[str, Any]]:
    """By line, each as `intelli schema batch` says."""
    found = [json.loads(line) for line in run.stdout.splitlines()]
    for document in found:
        validator("batch").validate(document)
    return sorted(found, key=lambda document: int(document["line"]))


def test_each_question_has_a_document_and_a_session(place: Place) -> None:
    run = place.run("batch", "questions.txt", "--jobs", "3")
    assert run.code == 0, run.stderr
    found = documents(run)
    assert [document["query"] for document in found] == QUESTIONS
    assert {document["outcome"] for document in found} == {"completed"}
    assert {path.name for path in place.sessions()} == {d["session"] for d in found}
    assert "[6/6]" in run.stderr and "6 completed" in run.stderr


def test_a_line_may_have_options_of_its_own_and_comments_say_nothing(place: Place) -> None:
    lines = ["# pumps", "", json.dumps({"query": QUESTIONS[0], "focus": "litres"}), QUESTIONS[1]]
    run = place.run("batch", "-", "--focus", "speed", stdin="\n".join(lines))
    assert [(d["line"], d["focus"]) for d in documents(run)] == [(3, "litres"), (4, "speed")]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"query": 7}', "line 2"),
        ('{"query": "x", "fokus": "y"}', "fokus"),
        ('{"query": "x"', "line 2"),
        ('{"focus": "x"}', "query"),
    ],
)
def test_a_bad_line_is_named_before_anything_is_asked(
    world: World, place: Place, line: str, words: str
) -> None:
    run = place.run("batch", "-", stdin=f"{QUESTIONS[0]}\n{line}\n")
    assert run.code == 2 and words in run.stderr
    assert not world.model.asks and not run.stdout


@pytest.mark.parametrize("name", ["nowhere.txt", ".", "empty.txt"])
def test_a_file_without_questions_is_wrong_usage(place: Place, name: str) -> None:
    (place.project / "empty.txt").write_text("\n# nothing\n", encoding="utf-8")
    run = place.run("batch", name)
    assert run.code == 2 and name in run.stderr


def test_one_that_fails_does_not_hurt_the_others(world: World, place: Place) -> None:
    world.model.say("extract", world.model.computed("extract"))
    lines = [QUESTIONS[0], json.dumps({"query": QUESTIONS[1], "urls": 99}), QUESTIONS[2]]
    run = place.run("batch", "-", stdin="\n".join(lines))
    assert [d["outcome"] for d in documents(run)] == ["completed", "usage", "completed"]
    assert run.code == 2 and "1 usage" in run.stderr


def test_as_many_run_at_once_as_jobs_say(world: World, place: Place) -> None:
    world.model.say("collate", world.model.computed("collate", delay=0.3))
    assert place.run("batch", "questions.txt", "--jobs", "2").code == 0
    assert peak(asks(world, "collate")) == 2


def test_a_second_time_nothing_is_asked_and_everything_is_told(world: World, place: Place) -> None:
    first = documents(place.run("batch", "questions.txt"))
    asked = len(world.model.asks)
    second = documents(place.run("batch", "questions.txt"))
    assert [d["session"] for d in second] == [d["session"] for d in first]
    assert len(world.model.asks) == asked
    place.run("batch", "questions.txt", "--fresh")
    assert len(world.model.asks) >= 2 * asked  # by now earlier sessions may be suggested, too


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_batch_goes_on_where_it_was(
    world: World, place: Place, how: signal.Signals
) -> None:
    slow = world.model.computed("collate", delay=30)
    world.model.say("collate", world.model.computed("collate"), slow)
    running = place.start("batch", "questions.txt", "--jobs", "2")
    running.until(lambda: len(world.model.asked("collate")) == 3)
    running.signal(how)
    stopped = running.finish()
    assert stopped.code == (130 if how == signal.SIGINT else -9)
    world.model.say("collate", world.model.computed("collate"))
    run = place.run("batch", "questions.txt")
    assert run.code == 0, run.stderr
    assert [d["outcome"] for d in documents(run)] == ["completed"] * 6
    extracted = [ask.user for ask in world.model.asked("extract")]
    assert len(extracted) == len(set(extracted)), "no page is paid for twice"


def test_all_together_never_spend_more_than_the_budget(world: World, place: Place) -> None:
    """The world's model bills 0.001 a call; each question needs three."""
    prices = {
        f"INTELLI_MODELS__{role}__{side}_PRICE": "1"
        for role in ("SEARCH", "EXTRACT", "COLLATE", "SUGGEST")
        for side in ("INPUT", "OUTPUT")
    }
    limit = 0.05
    run = place.run("batch", "questions.txt", "--jobs", "2", "--budget", str(limit), **prices)
    found = documents(run)
    billed = 0.001 * len(world.model.asks)
    assert billed <= limit
    assert {d["outcome"] for d in found} <= {"completed", "stopped"}


def test_the_questions_of_a_batch_take_turns_at_a_polite_service(
    world: World, place: Place
) -> None:
    world.duckduckgo.modes.set("ok")
    run = place.run(
        "batch", "-", "--jobs", "3", "--backend", "duckduckgo", stdin="\n".join(QUESTIONS[:3])
    )
    assert run.code == 0, run.stderr
    assert (len(world.duckduckgo.server.log.exchanges), world.duckduckgo.server.log.peak) == (3, 1)
