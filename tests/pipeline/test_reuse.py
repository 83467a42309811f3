"""`--reuse`: the same question, with the same options, is answered from a session at once."""

from __future__ import annotations

import json

import pytest

from tests.pipeline.kit import Q, asks, failed, pumps
from tests.world import Place, Run, World


@pytest.fixture
def place(world: World) -> Place:
    pumps(world, 2)
    place = world.place(model=False)
    first = place.run("research", Q, "--focus", "speed", "--domain", "a.test", "--urls", "2")
    assert first.code == 0
    world.exa.server.log.clear()
    world.site.server.log.clear()
    return place


def again(place: Place, question: str, *options: str) -> Run:
    given = ("--focus", "speed", "--domain", "a.test", "--urls", "2", *options)
    return place.run("research", question, *given, "--reuse", "1h", "--json")


@pytest.mark.parametrize(
    "question",
    [Q, Q.upper(), f"  {Q}  ", f"{Q}?", f"{Q} !", Q.replace(" ", "   "), f"{Q.title()}..."],
)
def test_spacing_case_and_final_marks_do_not_matter(
    world: World, place: Place, question: str
) -> None:
    run = again(place, question)
    assert run.code == 0 and run.json["session"] == place.session().name
    assert not world.exa.server.log.exchanges and not world.site.server.log.exchanges


@pytest.mark.parametrize(
    ("question", "options"),
    [
        (f"{Q} exactly", ()),
        (Q, ("--focus", "noise")),
        (Q, ("--domain", "b.test")),
        (Q, ("--only-domain", "127.0.0.1")),
        (Q, ("--exclude-domain", "c.test")),
        (Q, ("--urls", "1")),
        (Q, ("--fresh",)),
    ],
)
def test_another_question_or_option_is_asked_anew(
    world: World, place: Place, question: str, options: tuple[str, ...]
) -> None:
    again(place, question, *options)
    assert world.exa.server.log.exchanges
    assert len(place.sessions()) == 2


def test_another_engine_is_asked_anew(world: World) -> None:
    pumps(world, 2)
    place = world.place()
    place.run("research", Q, "--engine", "local")
    assert place.run("research", Q, "--reuse", "1h", "--json").json["engine"] == "llm"
    assert len(asks(world, "collate")) == 1


def test_what_was_not_paid_again_is_said_to_be_saved(world: World) -> None:
    pumps(world, 2)
    place = world.place()
    paid = place.run("research", Q, "--json").json["usage"]
    calls = sum(role["calls"] for role in paid["by_role"].values())
    assert calls > 2
    usage = place.run("research", Q, "--reuse", "1h", "--json").json["usage"]
    assert (usage["usd"], usage["by_role"], usage["saved"]["calls"]) == (0.0, {}, calls)
    assert usage["saved"]["usd"] == paid["usd"]
    said = place.run("research", Q, "--reuse", "1h").stderr
    assert f"saved by {calls} kept replies" in said
    shown = place.run("show", "latest", "--json").json["usage"]
    assert shown == paid, "what the run has cost stays what it was"


@pytest.mark.parametrize(
    "timestamp", ["2999-01-01T00:00:00+00:00", "2026-04-19T10:00:00+00:00", "soon", ""]
)
def test_a_session_of_no_known_age_answers_nothing(
    world: World, place: Place, timestamp: str
) -> None:
    path = place.session() / "meta.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"timestamp": timestamp}))
    again(place, Q)
    assert world.exa.server.log.exchanges and len(place.sessions()) == 2


@pytest.mark.parametrize("age", ["", "0", "soon", "-1d", "1.5h", "7 days", "1e3d", "999999d", "d"])
def test_what_is_no_age_is_wrong_usage(place: Place, age: str) -> None:
    error = failed(place.run("research", Q, "--reuse", age, "--json"), 2, "usage")["error"]
    assert error["code"] == "bad-age" and "7d" in error["hint"]


def test_a_refreshed_session_is_the_one_that_answers(world: World, place: Place) -> None:
    text = "The pump model P2 moves 77 litres a minute at 2.5 bar."
    world.article("/p2", "Pump 2", [text])
    assert place.run("refresh", "latest", "--quiet").code == 0
    assert text in again(place, f"{Q}?").json["summary"]
