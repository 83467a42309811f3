"""`intelli search`: batches, several services at once, what is kept, and who is left alone."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.pipeline.kit import Q, failed, pump, pumps
from tests.world import World

KEYLESS = {"INTELLI_SEARCH__BACKENDS": "exa,duckduckgo"}


def test_a_batch_ends_with_the_ranked_addresses_and_the_next_command(world: World) -> None:
    urls = pumps(world, 5)
    place = world.place(model=False)
    text = place.run("search", "one", "two", "three", "--urls", "5").stdout
    head, _, tail = text.partition("## Addresses to read")
    assert head.index("## one") < head.index("## two") < head.index("## three")
    listed = [line.partition("<")[2].rstrip(">") for line in tail.splitlines() if "<" in line]
    assert listed == urls
    assert tail.rstrip().endswith(f"intelli fetch {urls[0]} {urls[1]} {urls[2]}")
    assert place.run("search", "one", "two", "three", "--urls", "5", "--json").json["urls"] == urls
    fetched = place.shell(tail.strip().splitlines()[-1].strip())
    assert fetched.code == 0 and "pump model P1" in fetched.stdout


def test_the_addresses_survive_any_budget(world: World) -> None:
    pumps(world, 8)
    place = world.place(model=False)
    for budget in (200, 700, 8000):
        text = place.run("search", "one", "two", "--max-chars", str(budget)).stdout
        assert text.rstrip().splitlines()[-1].strip().startswith("intelli fetch http")
        assert len(text) <= max(budget, 400)


def test_three_questions_are_asked_at_a_time(world: World) -> None:
    pump(world, 1)
    world.exa.modes.set("sse")
    assert world.place(model=False).run("search", *"abcdef").code == 0
    assert 1 <= world.exa.server.log.peak <= 3


def test_the_same_question_twice_in_a_batch_is_asked_once(world: World) -> None:
    pump(world, 1)
    groups = world.place(model=False).run("search", "a", "a", "--json").json["groups"]
    assert [group["query"] for group in groups] == ["a", "a"]
    assert all(group["results"] for group in groups)
    assert len(world.exa.server.log.exchanges) == 1


@pytest.mark.parametrize(
    ("query", "word"), [("", "empty"), ("  ", "empty"), ("x" * 4001, "4000")], ids=["", " ", "long"]
)
def test_a_question_that_is_none_is_refused(query: str, word: str, world: World) -> None:
    error = failed(world.place(model=False).run("search", query, "--json"), 2, "usage")["error"]
    assert word in error["message"]
    assert world.exa.server.log.exchanges == []


def test_a_question_of_the_longest_length_is_asked(world: World) -> None:
    pump(world, 1)
    assert world.place(model=False).run("search", "x" * 4000).code == 0


def test_several_services_at_once_are_merged_and_named(world: World) -> None:
    urls = pumps(world, 2)
    place = world.place(model=False)
    run = place.run("search", Q, "--thorough", "--json", **KEYLESS)
    results = run.json["groups"][0]["results"]
    assert [result["url"] for result in results] == urls
    assert {result["backend"] for result in results} == {"exa, duckduckgo"}
    world.exa.modes.set("500")
    run = place.run("search", Q, "--thorough", "--json", **KEYLESS)
    assert run.code == 0
    assert any("exa failed" in warning for warning in run.json["groups"][0]["warnings"])
    world.duckduckgo.modes.set("challenge-202")
    failed(place.run("search", Q, "--thorough", "--json", **KEYLESS), 3, "no-links")


def test_a_search_model_that_fails_is_followed_by_the_keyless_services(world: World) -> None:
    pump(world, 1)
    place = world.place()
    run = place.run("search", Q, "--json", INTELLI_MODELS__SEARCH__API_BASE="http://127.0.0.1:9/v1")
    group = run.json["groups"][0]
    assert group["results"][0]["backend"] == "exa"
    assert any(warning.startswith("perplexity failed") for warning in group["warnings"])


def test_a_budget_that_stops_the_search_model_is_no_reason_to_go_on(world: World) -> None:
    pump(world, 1)
    run = world.place().run("research", Q, "--budget", "0", "--json")
    assert run.code in (2, 7)
    assert world.exa.server.log.exchanges == []


def test_an_answer_is_used_again_for_a_while_and_says_so(world: World) -> None:
    pump(world, 1)
    place = world.place(model=False)
    kept = {"INTELLI_SEARCH__REUSE": "300"}
    first = place.run("search", Q, "--json", **kept)
    again = place.run("search", Q, "--events", **kept)
    assert len(world.exa.server.log.exchanges) == 1
    ages = [event["age_s"] for event in again.events if "age_s" in event]
    assert ages and ages[0] is not None
    assert "kept" in place.run("research", Q, **kept).stderr
    assert len(world.exa.server.log.exchanges) == 1
    assert place.run("search", Q, "--json", "--fresh", **kept).json == first.json
    assert len(world.exa.server.log.exchanges) == 2


def test_a_blank_key_is_no_key(world: World) -> None:
    pump(world, 1)
    run = world.place(model=False).run("search", Q, EXA_API_KEY="  ")
    assert run.code == 0
    assert "x-api-key" not in world.exa.server.log.exchanges[0].request.headers


def test_a_bot_check_is_kept_in_mind_and_the_doctor_says_so(world: World) -> None:
    pump(world, 1)
    world.duckduckgo.modes.set("challenge-200")
    place = world.place(model=False)
    only = ("search", Q, "--backend", "duckduckgo", "--json")
    assert "bot check" in failed(place.run(*only), 3, "no-links")["error"]["message"]
    assert "left alone" in failed(place.run(*only), 3, "no-links")["error"]["message"]
    assert len(world.duckduckgo.server.log.exchanges) == 1
    checks = place.run("doctor", "--json").json["checks"]
    (paused,) = [check for check in checks if check["name"] == "duckduckgo"]
    assert not paused["ok"] and "bot check" in paused["message"]


@pytest.mark.long
def test_a_crowd_of_twenty_commands_takes_its_turns(world: World, tmp_path: Path) -> None:
    pump(world, 1)
    place = world.place(model=False)
    place.env["INTELLI_SEARCH__TIMEOUT"] = "120"
    runs = [place.start("search", f"q {n}", "--backend", "duckduckgo") for n in range(20)]
    assert [running.finish(180).code for running in runs] == [0] * 20
    log = world.duckduckgo.server.log
    assert (len(log.exchanges), log.peak) == (20, 1)
    starts = sorted(exchange.started for exchange in log.exchanges)
    assert min(later - one for one, later in pairwise(starts)) >= 2.0


def test_a_file_that_was_found_is_read_by_a_command_that_can(world: World) -> None:
    place = world.place(model=False)
    (place.project / "a b.md").write_text("# Pump\n\nThe pump drains its queue in 40 ms.\n")
    run = place.run("search", "how does the pump's queue drain", "--docs", ".")
    last = run.stdout.strip().splitlines()[-1].strip()
    assert last.startswith("intelli extract ")
    assert "40 ms" in place.shell(last).stdout


@pytest.mark.parametrize("command", ["search", "research"])
def test_domains_that_let_nothing_through_are_refused(command: str, world: World) -> None:
    place = world.place(model=False)
    for rules in (["--only-domain", ""], ["--domain", "a.org", "--exclude-domain", "a.org"]):
        error = failed(place.run(command, "pump", *rules, "--json"), 2, "usage")["error"]
        assert "domain" in error["message"]
    assert world.exa.server.log.exchanges == []
