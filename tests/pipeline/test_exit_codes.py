"""Every way a run ends has its code, its outcome, one document and nothing but errors on stderr."""

from __future__ import annotations

import pytest

from tests.pipeline.kit import Q, asks, fact, failed, pump, pumps, resume_command, statuses
from tests.pipeline.shape import check_research
from tests.world import Say, World, refuse
from tests.world.pages import missing


def test_wrong_usage_is_2_and_names_the_word(world: World) -> None:
    place = world.place()
    document = failed(place.run("research", Q, "--backend", "gogle", "--json"), 2, "usage")
    assert "gogle" in document["error"]["message"]
    assert "duckduckgo" in document["error"]["message"] + document["error"]["hint"]
    wanted = failed(place.run("research", Q, "--urls", "many", "--json"), 2, "usage")
    assert "many" in wanted["error"]["message"]
    assert failed(place.run("research", Q, "--urls", "0", "--json"), 2, "usage")
    near = failed(place.run("research", Q, "--ful", "--json"), 2, "usage")
    assert "--ful" in near["error"]["message"]
    assert not place.sessions() and not world.model.asks


def test_no_link_is_3(world: World) -> None:
    world.exa.modes.set("empty")
    world.duckduckgo.modes.set("none")
    place = world.place(model=False)
    document = failed(place.run("research", Q, "--json"), 3, "no-links")
    check_research(document)
    message = document["error"]["message"]
    assert "exa" in message and "duckduckgo" in message
    assert (document["sources"], document["session"], place.sessions()) == ([], "", [])


def test_no_session_is_3(world: World) -> None:
    place = world.place()
    for command in ("show", "read", "resume", "verify"):
        document = failed(place.run(command, "abcdef", "--json"), 3, "not-found")
        assert "abcdef" in document["error"]["message"], command


def test_every_fetch_failed_is_4(world: World) -> None:
    world.serve("/gone", missing(), title="Gone")
    world.link("http://127.0.0.1:9/nobody", "Nobody listens")
    document = failed(world.place().run("research", Q, "--json"), 4, "fetch-failed")
    check_research(document)
    assert statuses(document) == {1: "failed", 2: "failed"}
    assert [s["error"] for s in document["sources"]] == ["http-404", "connection"]
    assert document["usage"]["by_role"]["search"]["calls"] == 1


@pytest.mark.parametrize(
    "say",
    [Say(text="NOTHING RELEVANT"), refuse(400, "the page is too long for this model")],
    ids=["nothing relevant", "refused"],
)
def test_every_extraction_failed_is_5(world: World, say: Say) -> None:
    pumps(world, 2)
    world.model.say("extract", say)
    document = failed(world.place().run("research", Q, "--json"), 5, "extraction-failed")
    check_research(document)
    assert set(statuses(document).values()) <= {"irrelevant", "failed"}
    assert document["sources"][0]["chars"] > 0


def test_a_failed_collation_is_6_and_resume_finishes_it(world: World) -> None:
    pumps(world, 2)
    world.model.say("collate", refuse(400, "too long"))
    place = world.place()
    document = failed(place.run("research", Q, "--json"), 6, "collation-failed")
    check_research(document)
    assert statuses(document) == {1: "ok", 2: "ok"}
    assert len(list((place.session() / "extractions").iterdir())) == 2
    world.model.say("collate", world.model.computed("collate"))
    resumed = place.run("resume", "latest", "--json")
    assert (resumed.code, resumed.json["outcome"]) == (0, "completed")
    assert resumed.json["session"] == document["session"]
    assert len(asks(world, "extract")) == 2, "extractions are not paid for twice"
    assert resumed.json["usage"]["by_role"]["extract"]["calls"] == 2, "but they are counted"


def test_the_deadline_is_7_and_what_was_done_is_kept(world: World) -> None:
    pump(world, 1)
    pump(world, 2)
    world.model.when("extract", fact(2), Say(fault="hang"))
    place = world.place()
    document = failed(place.run("research", Q, "--timeout", "1", "--json"), 7, "stopped")
    check_research(document)
    assert statuses(document)[1] == "ok"
    assert "intelli resume" in document["error"]["hint"]
    assert [p.name[:2] for p in (place.session() / "extractions").iterdir()] == ["01"]
    world.clear()
    pumps(world, 2)
    resumed = place.run("resume", "latest", "--json")
    assert (resumed.code, statuses(resumed.json)) == (0, {1: "ok", 2: "ok"})
    assert not asks(world, "search") and len(asks(world, "extract")) == 1


def test_the_budget_is_7_and_is_not_passed(world: World) -> None:
    """The world charges 0.001 for a call. That is not known before the first one, but then: there
    is no use in a page that leaves nothing for the report."""
    pumps(world, 8)
    place = world.place()
    stingy = ("research", Q, "--urls", "2", "--budget", "0.0025", "--budget-unknown-ok")
    run = place.run(*stingy, "--json")
    document = failed(run, 7, "stopped")
    assert document["error"]["code"] == "budget"
    assert len(world.model.asks) == 1
    assert document["usage"]["usd"] == pytest.approx(0.001)
    paths = world.site.server.log.paths()
    assert len(paths) == 2, "pages that nobody can pay for are not fetched"
    more = place.run("resume", "latest", "--budget", "1", "--budget-unknown-ok", "--json")
    assert (more.code, set(statuses(more.json).values())) == (0, {"ok"})


@pytest.mark.parametrize(("budget", "pages"), [("0.0031", 1), ("0.0062", 4)])
def test_a_budget_buys_as_many_pages_as_leave_room_for_the_report(
    world: World, budget: str, pages: int
) -> None:
    pumps(world, 8)
    run = world.place().run("research", Q, "--budget", budget, "--budget-unknown-ok", "--json")
    assert run.code == 0, run.stdout
    assert [*statuses(run.json).values()].count("ok") == pages
    assert len(world.model.asks) * 0.001 <= float(budget)


@pytest.mark.parametrize("stop", [6, 7])
def test_the_message_of_a_stopped_run_holds_the_command_that_finishes_it(
    world: World, stop: int
) -> None:
    pumps(world, 1)
    world.model.say("collate", refuse(400, "too long") if stop == 6 else Say(fault="hang"))
    place = world.place()
    run = place.run("research", Q, "--timeout", "1")
    assert run.code == stop
    world.model.say("collate", world.model.computed("collate"))
    finished = place.shell(resume_command(run.stderr))
    assert finished.code == 0 and fact(1) in finished.stdout


def test_a_budget_without_a_known_price_is_refused_before_anything_is_spent(world: World) -> None:
    pumps(world, 1)
    run = world.place().run("research", Q, "--budget", "1", "--json")
    document = failed(run, 2, "usage")
    assert "--budget-unknown-ok" in document["error"]["hint"]
    assert not world.model.asks


def test_a_price_that_is_not_known_is_null(world: World) -> None:
    pumps(world, 1)
    world.model.say("extract", world.model.computed("extract", cost=None))
    usage = world.place().run("research", Q, "--json").json["usage"]
    assert usage["usd"] is usage["by_role"]["extract"]["usd"] is None
    assert usage["by_role"]["collate"]["usd"] == pytest.approx(0.001)


def test_strict_is_8_when_something_is_flagged_and_the_report_is_there(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    assert place.run("research", Q, "--strict").code == 0
    wrong = "The pump model P1 moves 977 litres a minute. [1]"
    world.model.say("collate", Say(text=f"## Summary\n\n{wrong}\n\n## Conflicts\n\nNone.\n"))
    run = place.run("research", Q, "--strict", "--json")
    assert (run.code, run.json["outcome"]) == (8, "unverified")
    check_research(run.json)
    (claim,) = run.json["claims"]
    assert claim["status"] in ("partial", "unsupported")
    assert "977" in " ".join(claim["missing"])
    printed = place.run("research", Q)
    assert printed.code == 0, "without --strict it is a remark"
    assert wrong in printed.stdout and f"! {claim['status']} [1]" in printed.stdout


def test_a_cache_directory_that_is_a_file_is_9(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    (place.project / "taken").write_text("a file", encoding="utf-8")
    run = place.run("research", Q, "--cache-dir", "taken", "--json")
    assert (run.code, run.json["outcome"]) == (9, "not-saved")
    check_research(run.json)
    assert (run.json["session"], run.json["path"]) == ("", "")
    assert fact(1) in run.json["summary"]
    assert {c["status"] for c in run.json["claims"]} <= {"verified", "prose"}, (
        "checked all the same"
    )
    assert any("taken" in warning for warning in run.json["warnings"])
    assert (place.project / "taken").read_text(encoding="utf-8") == "a file"


def test_that_a_report_is_not_saved_is_said_under_quiet_as_well(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    (place.project / "taken").write_text("a file", encoding="utf-8")
    run = place.run("research", Q, "--cache-dir", "taken", "--quiet")
    assert run.code == 9 and fact(1) in run.stdout
    assert "taken" in run.stderr


def test_a_full_disk_is_9_and_the_report_is_on_stdout(world: World) -> None:
    """No file may grow beyond 4 KB: the index still fits, a page of 20 KB does not."""
    more = [f"Part {n} of the pump is made of brass and lasts {n} seasons." for n in range(400)]
    world.article("/p1", "Pump 1", [fact(1), *more])
    world.knowledge.facts[:] = [fact(1)]
    place = world.place()
    line = f"ulimit -f 4; intelli research '{Q}' --json"
    run = place.shell(line, PYTHONDONTWRITEBYTECODE="1")
    assert (run.code, run.json["outcome"]) == (9, "not-saved")
    assert f"{fact(1)} [1]" in run.json["summary"]
    assert {c["status"] for c in run.json["claims"]} <= {"verified", "prose"}
    assert not list(place.cache.rglob("report.md"))
    assert not list(place.cache.rglob(".tmp-*"))


def test_an_option_that_is_not_there_is_answered_with_the_nearest(world: World) -> None:
    run = world.place().run("research", Q, "--fous", "x")
    assert run.code == 2 and run.stdout == ""
    assert "--fous" in run.stderr and "--focus" in run.stderr
    command = world.place().run("reserch", Q)
    assert command.code == 2 and "reserch" in command.stderr and "research" in command.stderr


def test_a_budget_that_is_used_up_ends_the_run_and_says_so(world: World) -> None:
    pump(world, 1)
    run = world.place().run("research", Q, "--json", "--budget", "0.0005", "--budget-unknown-ok")
    assert (run.code, run.json["outcome"], run.json["error"]["code"]) == (7, "stopped", "budget")
    assert "--budget" in run.json["error"]["hint"]
