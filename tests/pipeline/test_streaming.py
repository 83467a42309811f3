"""Pages flow: each is extracted while others still come, and a lost one is replaced."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.pipeline.kit import Q, asks, fact, peak, pump, pumps, statuses, words
from tests.world import Say, World
from tests.world.pages import Page, article, challenge, login, markdown, missing, soft_404
from tests.world.sessions import write_session

CHROME = b"""<div><p>Accept all cookies to go on.</p><p>Was this page helpful?</p>
<ul><li><a href="/s1">Share on one network</a></li><li><a href="/s2">Share on another</a></li>
<li><a href="/buy">Buy the pump now with 20 % off</a></li><li><a href="/q">Sign in</a></li></ul>
<p>Sign up for our newsletter and never miss an offer.</p><p>Skip to main content</p></div>"""
MANUAL = [
    "Before first use rinse the housing with clear water and let the gasket dry in the shade.",
    "The impeller turns clockwise when seen from the motor; an arrow on the casing shows it.",
    "Connect the suction hose with two clamps, otherwise air enters and the column breaks off.",
    "In winter drain the chamber through the lower screw, because frost splits cast iron.",
    "A rattling noise tells of cavitation: shorten the hose, lower the lift or widen the inlet.",
    "The thermal switch stops the motor when windings exceed their limit and resets by itself.",
    "Grease the bearing with lithium soap once a season, never with oil from the kitchen.",
    "Spare parts are listed in the appendix, together with torque values for every bolt.",
]


def test_extraction_starts_before_the_slowest_page_has_landed(world: World) -> None:
    pump(world, 1, delay=0.4)
    pump(world, 2)
    run = world.place().run("research", Q, "--json")
    assert statuses(run.json) == {1: "ok", 2: "ok"}
    first = asks(world, "extract")[0]
    (slow,) = world.site.server.log.of("/p1")
    assert slow.finished is not None and first.started < slow.finished
    assert fact(2) in first.request.json["messages"][-1]["content"]


def test_as_many_pages_and_calls_are_open_at_once_as_the_settings_say(world: World) -> None:
    pumps(world, 6, delay=0.08)
    world.model.say("extract", world.model.computed("extract", delay=0.08))
    limits = {"INTELLI_FETCH__CONCURRENCY": "3", "INTELLI_EXTRACT__CONCURRENCY": "2"}
    run = world.place().run("research", Q, "--json", **limits)
    assert set(statuses(run.json).values()) == {"ok"}
    assert peak(world.site.server.log.exchanges) == 3
    assert peak(asks(world, "extract")) == 2


def test_the_next_link_takes_the_place_of_a_lost_page_and_numbers_stay(world: World) -> None:
    pump(world, 1)
    world.serve("/gone", missing(), title="Gone")
    world.serve("/copy", article("Copy", words(1), delay=0.3), title="Copy")
    world.serve("/other", article("Weather", ["It rains."]), title="Weather")
    pump(world, 5)
    pump(world, 6)
    place = world.place()
    run = place.run("research", Q, "--urls", "3", "--json")
    assert run.code == 0
    assert statuses(run.json) == {
        1: "ok", 2: "failed", 3: "duplicate", 4: "irrelevant", 5: "ok", 6: "ok",
    }  # fmt: skip
    by_number = {source["n"]: source for source in run.json["sources"]}
    assert by_number[2]["error"] == "http-404" and by_number[2]["source_path"] is None
    assert by_number[5]["source_path"].startswith("sources/05-")
    assert f"{fact(5)} [5]" in run.json["summary"]
    stored = (place.session() / by_number[5]["source_path"]).read_text(encoding="utf-8")
    assert fact(5) in stored
    report = place.run("show", "latest").stdout
    assert all(part in report for part in ("[Pump 5](<", "## Not used", "/gone> — failed"))
    assert place.run("show", "latest", "--json").json == run.json


def test_no_more_pages_are_asked_for_than_are_still_wanted(world: World) -> None:
    world.serve("/gone", missing(), title="Gone")
    pumps(world, 5)
    world.place().run("research", Q, "--urls", "2")
    asked = [path for path in world.site.server.log.paths() if path.startswith("/p")]
    assert sorted(asked) == ["/p1", "/p2"]


def test_a_page_that_hangs_is_left_behind_when_the_others_are_done(world: World) -> None:
    pump(world, 1)
    pump(world, 2, fault="hang")
    run = world.place().run("research", Q, "--json", INTELLI_FETCH__GRACE="0.3")
    assert run.code == 0
    assert statuses(run.json) == {1: "ok", 2: "late"}
    assert run.json["sources"][1]["error"] == "late"
    assert fact(1) in run.json["summary"]


def test_an_extraction_under_way_is_paid_for_and_waited_for(world: World) -> None:
    pumps(world, 2)
    slow = world.model.computed("extract", delay=0.6)
    world.model.when("extract", fact(2), slow)
    run = world.place().run("research", Q, "--json", INTELLI_FETCH__GRACE="0")
    assert statuses(run.json) == {1: "ok", 2: "ok"}


def test_a_page_that_is_not_the_page_is_told_by_what_came_instead(world: World) -> None:
    """Kept from us is `blocked`; a page that does not exist is `failed`, although it came with
    200."""
    for name, page in {"shut": challenge(), "in": login(), "lost": soft_404()}.items():
        world.serve(f"/{name}", page, title=name)
    pump(world, 4)
    place = world.place(model=False)
    run = place.run("research", Q, "--json")
    assert run.code == 0
    assert statuses(run.json) == {1: "blocked", 2: "blocked", 3: "failed", 4: "ok"}
    sources = run.json["sources"]
    assert [source["verdict"] for source in sources] == ["challenge", "login", "soft-404", "ok"]
    assert all(source["error"] and source["source_path"] is None for source in sources[:3])
    files = [path.name[:2] for path in (place.session() / "sources").iterdir()]
    assert files == ["04"]


def test_the_markdown_of_a_page_wins_over_html_full_of_chrome(world: World) -> None:
    text = [*words(1), *MANUAL]
    named = '<link rel="alternate" type="text/markdown" href="/p1.md">'
    body = article("Pump 1", text, head=named).body
    body = body.replace(b"</h1>", b"</h1>" + CHROME).replace(b"</article>", CHROME + b"</article>")
    world.serve("/p1", Page(body=body), title="Pump 1", facts=words(1))
    twin = Page(body=markdown("Pump 1", text).encode(), content_type="text/markdown")
    world.site.add("/p1.md", twin)
    place = world.place()
    source = place.run("research", Q, "--json").json["sources"][0]
    assert (source["via"], source["status"]) == ("markdown", "ok")
    stored = (place.session() / source["source_path"]).read_text(encoding="utf-8")
    assert fact(1) in stored and "newsletter" not in stored
    explained = place.run("fetch", source["url"], "--explain").stdout
    assert "Won: markdown" in explained
    assert "Candidate: html" in explained and "Candidate: markdown" in explained


def test_markdown_that_the_server_offers_is_read_as_it_is(world: World) -> None:
    text = [*words(1), "| mode | litres |\n| --- | --- |\n| eco | 7 |", "It hums at night."]
    twin = markdown("Pump 1", text)
    world.serve("/p1", article("Pump 1", text, twin=twin), title="Pump 1", facts=text)
    place = world.place()
    source = place.run("research", Q, "--json").json["sources"][0]
    assert source["via"] == "markdown"
    assert "| eco | 7 |" in (place.session() / source["source_path"]).read_text(encoding="utf-8")


def test_an_earlier_session_on_the_same_thing_is_named(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    first = place.run("research", "which pump model moves most litres a minute", "--json").json
    assert first["related"] == []
    second = place.run("research", "which pump model moves most litres an hour", "--json").json
    (related,) = second["related"]
    assert related["session"] == first["session"]
    assert related["query"] == first["query"] and related["timestamp"] and related["why"]
    assert first["session"] in place.run("show", "latest").stdout


def test_a_judge_is_shown_twenty_and_its_answer_means_what_it_was_shown(world: World) -> None:
    pump(world, 1, delay=0.5)
    place = world.place()
    for n in range(30):
        question = f"litres of pump number {n}{' in a minute' * (n % 2)}"
        write_session(place.cache, question, {"http://a.test/": "text"}, day=f"2026-04-{n + 1:02}")
    write_session(place.cache, f"{Q.upper()} ?", {"http://a.test/": "text"})
    write_session(place.cache, "bread", {"http://a.test/": "text"})
    chosen = [{"index": 20, "relevance": "the last"}, {"index": 21}, {"index": 0}, {"index": 1}]
    world.model.say("suggest", Say(text=f"Here: {json.dumps(chosen)}"))
    related = place.run("research", Q, "--json").json["related"]
    (ask,) = world.model.asked("suggest")
    shown = re.findall(r"^(\d+)\. (.+)$", ask.user, re.MULTILINE)
    assert [int(number) for number, _ in shown] == list(range(1, 21))
    assert [each["query"] for each in related] == [shown[19][1], shown[0][1]]
    assert "bread" not in ask.user and Q.upper() not in ask.user, "the same question is no news"


@pytest.mark.parametrize(
    "say",
    [Say(fault="hang"), Say(status=500, error={"message": "away"}), Say(text="I would say: 1")],
    ids=["hangs", "fails", "talks"],
)
def test_a_judge_of_earlier_sessions_never_holds_the_report_back(world: World, say: Say) -> None:
    pumps(world, 1)
    place = world.place()
    place.run(
        "research", "which pump model moves most litres a minute", INTELLI_MODEL__ATTEMPTS="1"
    )
    world.model.say("suggest", say)
    run = place.run(
        "research",
        "which pump model moves most litres an hour",
        "--json",
        INTELLI_MODEL__ATTEMPTS="1",
    )
    assert (run.code, run.json["outcome"]) == (0, "completed")
    assert asks(world, "suggest"), "the model was asked"


def test_a_source_file_is_written_while_the_run_goes_on(world: World) -> None:
    pump(world, 1)
    pump(world, 2, delay=0.5)
    place = world.place()
    running = place.start("research", Q)

    def first() -> list[Path]:
        return list(place.cache.glob("*/extractions/01-*.md"))

    running.until(first)
    assert not list(place.cache.glob("*/report.md"))
    assert running.finish().code == 0
