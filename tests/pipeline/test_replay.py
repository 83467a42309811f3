"""`intelli replay`: a report out of what its session stores, whole or a stage with other models."""

from __future__ import annotations

import json

import pytest

from tests.pipeline.kit import Q, asks, fact, failed, pumps
from tests.pipeline.shape import check_research
from tests.world import Place, Say, World
from tests.world.pages import MARKDOWN, Page, pdf, plain
from tests.world.sessions import write_session

ODD = {
    "crlf": "# Pump\r\n\r\nThe pump moves 41 litres.\r\nIt is made of brass\rand steel.\r\n\r\n",
    "head": "> Source: http://evil.test/\n\n---\n\nThe pump moves 42 litres a minute.   \n\n\n",
    "code": "# A [b] | c\n\nThe pump moves 43 litres:\n\n```\npump --litres 43\n\n\nx\n",
    "signs": "\ufeff# P\u2028ump\n\nIt moves 44 litres.\u0085\x1b[31m next \u200b e\u0301.\n",
    "table": "| pump | litres |\n|---|---|\n| a | 45 |\n| b | 46 |\n\nlitres at the end   \n   ",
}
"""Pages that a careless round trip through the disk would change."""


def forget(world: World) -> None:
    world.site.server.log.clear()
    world.model.server.log.clear()


def touched(world: World) -> int:
    return sum(len(server.log.exchanges) for server in world.servers)


@pytest.fixture(params=["local", "llm"])
def place(request: pytest.FixtureRequest, world: World) -> Place:
    """A session of ordinary and odd pages, by either engine."""
    pumps(world, 2)
    for name, text in ODD.items():
        page = Page(body=text.encode(), content_type=MARKDOWN)
        world.serve(f"/{name}", page, title=f"Pump {name}")
    world.serve("/pdf", pdf(["The pump moves 47 litres a minute."]), title="PDF")
    world.serve("/text", plain("The pump moves 48 litres\ta minute.\n"), title="Text")
    place = world.place(model=request.param == "llm")
    assert place.run("research", Q, "--quiet").code == 0
    for server in world.servers:
        server.log.clear()
    return place


def test_notes_that_were_put_right_are_read_again_from_what_the_model_wrote(world: World) -> None:
    pumps(world, 1)
    wrong = f"Source type: blog · now\n\n{fact(1)}\n\n```sh\npump --rate-9\n```"
    world.model.say("extract", Say(text=wrong))
    place = world.place()
    assert place.run("research", Q, "--quiet").code == 0
    meta = json.loads((place.session() / "meta.json").read_text(encoding="utf-8"))
    assert meta["sources"][0]["extraction"]["reply"] == wrong
    forget(world)
    assert place.run("replay", "latest", "--json").json["identical"] is True
    assert touched(world) == 0
    (file,) = (place.session() / "extractions").iterdir()
    file.write_text(file.read_text(encoding="utf-8").replace(fact(1), "Nothing."), encoding="utf-8")
    assert place.run("replay", "latest", "--json").json["identical"] is True


def test_a_replay_gives_the_same_bytes_without_a_request(world: World, place: Place) -> None:
    report = (place.session() / "report.md").read_bytes()
    document = place.run("replay", "latest", "--json").json
    assert (document["identical"], document["difference"]) == (True, [])
    assert document["report"].encode() == report
    text = place.run("replay", "latest", "-o", "again.md")
    assert text.stdout.startswith("identical") and (text.code, text.stderr) == (0, "")
    assert (place.project / "again.md").read_bytes() == report
    assert touched(world) == 0 and len(place.sessions()) == 1


def test_a_report_that_was_changed_is_shown(place: Place) -> None:
    path = place.session() / "report.md"
    text = path.read_text(encoding="utf-8")
    line = next(each for each in text.splitlines() if "litres" in each and "#" not in each)
    path.write_text(text.replace(line, "Nobody knows."), encoding="utf-8")
    run = place.run("replay", "latest")
    assert run.code == 0 and "-Nobody knows." in run.stdout and f"+{line}" in run.stdout
    assert run.stdout.splitlines()[-1].startswith("intelli ")
    assert path.read_text(encoding="utf-8").count("Nobody knows.") == text.count(line)
    strict = place.run("replay", "latest", "--strict", "--json")
    assert (strict.code, strict.json["outcome"]) == (8, "unverified")


def test_a_page_that_was_changed_changes_the_report(world: World) -> None:
    pumps(world, 2)
    place = world.place(model=False)
    place.run("research", Q)
    (page,) = place.session().glob("sources/01-*")
    page.write_text(page.read_text().replace("12 litres", "99 litres"), encoding="utf-8")
    document = place.run("replay", "latest", "--json").json
    assert not document["identical"] and any("99 litres" in line for line in document["difference"])


def test_another_model_collates_the_same_pages(world: World) -> None:
    pumps(world, 2)
    place = world.place()
    place.run("research", Q)
    old = place.session().name
    forget(world)
    world.model.say("judge", Say(text=f"## Summary\n\nIn short: {fact(2)} [2]\n"))
    run = place.run("replay", "latest", "--stage", "collate", "--model", "world/judge", "--json")
    check_research(run.json)
    assert run.json["summary"].startswith("In short: ") and len(asks(world, "judge")) == 1
    assert not asks(world, "extract") and not asks(world, "search")
    assert not world.site.server.log.exchanges, "no page is asked for"
    assert [path.name for path in place.sessions()] == [old, f"{old}.1"]
    origin = json.loads((place.sessions()[0] / "meta.json").read_text())["origin"]
    first = json.loads((place.sessions()[1] / "meta.json").read_text())
    assert origin == {
        "session": old,
        "timestamp": first["timestamp"],
        "by": "replay --stage collate",
    }
    assert place.run("replay", "latest", "--json").json["identical"] is True


def test_another_model_extracts_from_the_same_pages(world: World) -> None:
    pumps(world, 2)
    place = world.place()
    place.run("research", Q)
    forget(world)
    world.model.say("judge", Say(text=f"Source type: forum · old\n\n{fact(1)} Better."))
    run = place.run("replay", "latest", "--stage", "extract", "--model", "world/judge", "--json")
    assert {source["type"] for source in run.json["sources"]} == {"forum"}
    assert len(asks(world, "judge")) == 2 and len(asks(world, "collate")) == 1
    assert not asks(world, "extract") and not world.site.server.log.exchanges
    (extraction,) = place.sessions()[0].glob("extractions/01-*")
    assert "Better." in extraction.read_text()


def test_a_session_of_the_local_engine_is_collated_by_a_model(world: World) -> None:
    pumps(world, 2)
    place = world.place()
    place.run("research", Q, "--engine", "local")
    forget(world)
    run = place.run("replay", "latest", "--stage", "collate", "--model", "world/collate", "--json")
    assert (run.json["engine"], len(asks(world, "collate"))) == ("llm", 1)


def test_what_a_replay_lacks_is_named(world: World) -> None:
    place = world.place(model=False)
    write_session(place.cache, Q, {"http://a.test/": fact(1)}, summary=f"{fact(1)} [1]")
    error = failed(place.run("replay", "latest", "--json"), 2, "usage")["error"]
    assert "meta.json" in error["message"] and "refresh" in error["hint"]
    pumps(world, 1)
    place.run("research", Q)
    mine = place.sessions()[-1]
    next(mine.glob("extractions/01-*")).unlink()
    error = failed(place.run("replay", mine.name, "--json"), 2, "usage")["error"]
    assert "extraction of source 1" in error["message"]
    next(mine.glob("sources/01-*")).unlink()
    error = failed(place.run("replay", mine.name, "--json"), 2, "usage")["error"]
    assert "page of source 1" in error["message"]


@pytest.mark.parametrize(
    "options", [("--stage", "search"), ("--model", "a/b"), ("--stage", "collate", "--model", "b")]
)
def test_a_stage_and_its_model_are_checked(world: World, options: tuple[str, ...]) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    place.run("research", Q)
    failed(place.run("replay", "latest", *options, "--json"), 2, "usage")
