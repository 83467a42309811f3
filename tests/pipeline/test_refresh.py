"""`intelli refresh`: the pages of a session as they are now, paid for where they changed."""

from __future__ import annotations

import json
import signal

import pytest

from tests.pipeline.kit import Q, asks, fact, failed, pumps, statuses, words
from tests.pipeline.shape import check_research
from tests.world import Place, Say, World
from tests.world.pages import MARKDOWN, Page, limited, markdown, missing
from tests.world.sessions import write_session

NEW = "The pump model P2 moves 77 litres a minute at 2.5 bar."


def body(text: str) -> Page:
    page = markdown("Pump 2", [text, *words(2)[1:]]).encode()
    return Page(body=page, content_type=MARKDOWN, headers={"ETag": '"new"'})


@pytest.fixture
def place(world: World) -> Place:
    """A session of three pages that give an ETag; what was asked for it is forgotten."""
    pumps(world, 3, headers={"ETag": '"old"'})
    place = world.place()
    assert place.run("research", Q, "--quiet").code == 0
    forget(world)
    return place


def forget(world: World) -> None:
    world.site.server.log.clear()
    world.model.server.log.clear()


def change(world: World) -> None:
    world.site.add("/p2", body(NEW))
    world.knowledge.facts.append(NEW)


def test_pages_are_asked_for_with_what_is_known_of_them(world: World, place: Place) -> None:
    before = {path: path.read_bytes() for path in place.session().rglob("*.md")}
    run = place.run("refresh", "latest", "--json")
    assert run.json["refreshed"] == {"unchanged": 3, "changed": 0, "gone": 0, "unreachable": 0}
    for path in ("/p1", "/p2", "/p3"):
        (exchange,) = world.site.server.log.of(path)
        assert exchange.request.headers["if-none-match"] == '"old"'
    assert not world.model.server.log.exchanges, "nothing is paid for"
    check_research(run.json)
    assert fact(1) in run.json["summary"] and run.json["usage"]["usd"] == 0.0
    assert {path: path.read_bytes() for path in place.session().rglob("*.md")} == before


def test_that_nothing_changed_is_one_line_and_the_command_that_shows_the_report(
    world: World, place: Place
) -> None:
    world.site.add("/p3", limited())
    run = place.run("refresh", "latest", "-o", "report.md")
    said, empty, show = run.stdout.splitlines()
    assert said.startswith("nothing changed since 20") and not empty
    assert said.endswith(": 2 unchanged, 1 unreachable")
    assert fact(1) in place.shell(show).stdout
    assert fact(1) in (place.project / "report.md").read_text(), "the file has the report"


def test_only_a_changed_page_is_extracted_again(world: World, place: Place) -> None:
    old = place.session().name
    change(world)
    run = place.run("refresh", "latest", "--json")
    document = run.json
    assert document["refreshed"] == {"unchanged": 2, "changed": 1, "gone": 0, "unreachable": 0}
    assert len(asks(world, "extract")) == 1 and len(asks(world, "collate")) == 1
    assert not asks(world, "search")
    assert NEW in document["summary"] and fact(1) in document["summary"]
    assert "77 litres a minute" in document["changes"]["summary"]
    assert [path.name for path in place.sessions()] == [old, f"{old}.1"]
    assert fact(2) in place.run("show", f"{old}.1").stdout
    assert statuses(document) == {1: "ok", 2: "ok", 3: "ok"}
    assert place.run("replay", "latest", "--json").json["identical"] is True


def test_a_page_that_is_gone_is_left_out(world: World, place: Place) -> None:
    world.site.add("/p3", missing())
    run = place.run("refresh", "latest")
    assert "pages: 2 unchanged, 1 gone" in run.stderr
    assert fact(3) not in run.stdout and fact(1) in run.stdout
    document = place.run("show", "latest", "--json").json
    assert statuses(document) == {1: "ok", 2: "ok", 3: "failed"}
    assert not asks(world, "extract")
    again = place.run("refresh", "latest", "--json").json
    assert again["refreshed"]["unchanged"] == 2


def test_a_page_that_cannot_be_reached_now_stays_as_it_is(world: World, place: Place) -> None:
    world.site.add("/p3", limited())
    run = place.run("refresh", "latest", "--json")
    assert run.json["refreshed"] == {"unchanged": 2, "changed": 0, "gone": 0, "unreachable": 1}
    assert len(place.sessions()) == 1 and not world.model.server.log.exchanges
    for path in ("/p1", "/p2"):
        world.site.add(path, limited())
    failed(place.run("refresh", "latest", "--json"), 4, "fetch-failed")
    assert len(place.sessions()) == 1 and fact(3) in place.run("show", "latest").stdout


def test_a_refresh_that_is_killed_loses_nothing(world: World, place: Place) -> None:
    old = place.session()
    report = (old / "report.md").read_bytes()
    change(world)
    world.model.say("collate", Say(fault="hang"))
    running = place.start("refresh", "latest")
    running.until(lambda: asks(world, "collate"))
    running.signal(signal.SIGKILL)
    running.finish()
    assert (old / "report.md").read_bytes() == report
    forget(world)
    world.model.say("collate", Say(text=world.knowledge.collate))
    resumed = place.run("research", Q, "--json")
    assert resumed.code == 0 and NEW in resumed.json["summary"]
    assert fact(1) in resumed.json["summary"] and not asks(world, "extract")
    assert len(place.sessions()) == 2


def test_a_refresh_that_fails_leaves_the_session_as_it_is(world: World, place: Place) -> None:
    change(world)
    world.model.say("collate", Say(status=400))
    run = place.run("refresh", "latest", "--json")
    assert run.code == 6
    name = min(path.name for path in place.sessions())
    assert fact(2) in place.run("show", name).stdout


def test_local_files_are_read_again(world: World) -> None:
    place = world.place(model=False)
    (place.project / "docs").mkdir()
    for n in (1, 2):
        text = markdown(f"Pump {n}", words(n))
        (place.project / "docs" / f"p{n}.md").write_text(text, encoding="utf-8")
    assert place.run("research", Q, "--docs", "docs").code == 0
    same = place.run("refresh", "latest", "--json").json
    assert same["refreshed"]["unchanged"] == len(same["sources"])
    text = markdown("Pump 2", [NEW, *words(2)[1:]])
    (place.project / "docs" / "p2.md").write_text(text, encoding="utf-8")
    document = place.run("refresh", "latest", "--json").json
    assert document["refreshed"]["changed"] == 1 and NEW in document["summary"]


def test_what_cannot_be_refreshed_is_said(world: World, place: Place) -> None:
    name = place.session().name
    failed(place.run("refresh", "nothing", "--json"), 3, "not-found")
    (place.session() / "report.md").unlink()
    error = failed(place.run("refresh", name, "--json"), 3, "not-found")["error"]
    assert error["code"] == "no-report" and "resume" in error["hint"]


def test_a_refresh_on_another_day_is_a_session_of_its_own(world: World, place: Place) -> None:
    today = place.session()
    old = today.rename(today.with_name(f"2026-04-19{today.name[10:]}"))
    report = (old / "report.md").read_bytes()
    change(world)
    document = place.run("refresh", old.name, "--json").json
    assert sorted(path.name for path in place.sessions()) == [old.name, document["session"]]
    assert document["session"] == today.name and NEW in document["summary"]
    assert (old / "report.md").read_bytes() == report
    origin = json.loads((today / "meta.json").read_text())["origin"]
    assert (origin["session"], origin["by"]) == (old.name, "refresh")


@pytest.mark.parametrize("end", ["interrupt", "deadline"])
def test_a_refresh_that_is_stopped_while_it_fetches_changes_nothing(
    world: World, place: Place, end: str
) -> None:
    change(world)
    world.site.add("/p3", Page(fault="hang"))
    if end == "deadline":
        document = failed(place.run("refresh", "latest", "--timeout", "1", "--json"), 7, "stopped")
    else:
        running = place.start("refresh", "latest", "--json")
        running.until(lambda: world.site.server.log.of("/p3"))
        running.signal(signal.SIGINT)
        document = failed(running.finish(), 130, "interrupted")
    assert document["error"]["code"] in ("deadline", "interrupted")
    assert len(place.sessions()) == 1 and not world.model.server.log.exchanges
    assert fact(2) in place.run("show", "latest").stdout


def test_a_page_that_did_not_help_may_go_unnoticed(world: World) -> None:
    pumps(world, 1)
    bread = Page(body=markdown("Bread", ["Knead it well."]).encode(), content_type=MARKDOWN)
    world.serve("/bread", bread, title="Bread")
    place = world.place()
    document = place.run("research", Q, "--json").json
    assert statuses(document) == {1: "ok", 2: "irrelevant"}
    world.site.add("/bread", missing())
    again = place.run("refresh", "latest", "--json").json
    assert again["refreshed"]["unchanged"] == 1 and len(place.sessions()) == 1


def test_a_session_of_another_program_is_refreshed(world: World) -> None:
    """It has neither links nor an engine; its failed second page has left a gap in the numbers."""
    urls = pumps(world, 3)
    place = world.place(model=False)
    pages = {url: "\n\n".join(words(n)) for n, url in enumerate(urls, 1)}
    old = write_session(place.cache, Q, pages, summary=f"{fact(1)} [1]\n\n{fact(3)} [3]")
    next(old.glob("sources/02-*")).unlink()
    world.article("/p3", "Pump 3", ["The pump model P3 moves 76 litres a minute at 3.5 bar."])
    document = place.run("refresh", old.name, "--json").json
    assert document["refreshed"] == {"unchanged": 1, "changed": 1, "gone": 0, "unreachable": 0}
    assert "76 litres" in document["summary"] and statuses(document) == {1: "ok", 2: "ok"}
    assert place.run("replay", document["session"], "--json").json["identical"] is True
    assert (old / "report.md").is_file()
