"""Site adapters and what stands in for a page, through the command."""

from __future__ import annotations

from typing import Any

from tests.pipeline.kit import Q, pump, pumps
from tests.world import World
from tests.world.github import Thread, person
from tests.world.pages import challenge
from tests.world.search import Hit

STORY = {
    "id": 1, "title": "A better pump", "author": "ada", "points": 120, "text": None,
    "created_at": "2026-03-04T09:00:00Z",
    "children": [{"author": "bob", "text": "How many litres? The pump moves 12 litres a minute."
                  " I measured it at the outlet with a bucket, three times.", "children": []}],
}  # fmt: skip
THREAD = "https://news.ycombinator.com/item?id=1"
ISSUE = "https://github.com/acme/pump/issues/12"
SNIPPET = (
    "The pump model P9 moves 20 litres a minute at 9.5 bar, says its data sheet; the pump needs no "
    "oil, and its filter is cleaned every 29 days of use."
)


def issue(**more: Any) -> Thread:
    fields = {"title": "Pump stalls", "state": "open", "user": person("ada"), "comments": 0}
    said = {"created_at": "2026-01-05T09:00:00Z", "body": "It stalls at 4 bar."}
    return Thread({**fields, **said, **more})


def test_a_thread_is_fetched_without_its_page(world: World) -> None:
    world.hackernews.documents["/items/1"] = STORY
    (page,) = world.place(model=False).run("fetch", THREAD, "--json").json["pages"]
    assert (page["via"], page["status"], page["verdict"]) == ("hackernews", "ok", "ok")
    assert page["markdown"].startswith("# A better pump\n\nBy ada, 2026-03-04, 120 points")
    assert page["published"] == "2026-03-04"
    assert [candidate["via"] for candidate in page["candidates"]] == ["hackernews"]
    assert page["tried"] == []


def test_a_token_of_the_environment_is_shown_to_github(world: World) -> None:
    world.github.token, world.github.is_limited = "t0ken", True
    world.github.threads["acme/pump/12"] = issue()
    for name in ("GITHUB_TOKEN", "GH_TOKEN"):
        run = world.place(model=False).run("fetch", ISSUE, "--explain", **{name: "t0ken"})
        assert run.code == 0
        assert "> Won: github" in run.stdout
        assert "t0ken" not in run.stdout + run.stderr


def test_research_reads_a_thread_by_its_adapter(world: World) -> None:
    world.hackernews.documents["/items/1"] = STORY
    place = world.place(model=False)
    run = place.run("research", Q, "--url", THREAD, "--engine", "local", "--json")
    (source,) = run.json["sources"]
    assert (source["via"], source["status"], source["published"]) == (
        "hackernews", "ok", "2026-03-04",
    )  # fmt: skip
    stored = (place.session() / source["source_path"]).read_text()
    assert "> Via: hackernews\n" in stored and "> Published: 2026-03-04\n" in stored
    assert "12 litres a minute" in run.json["summary"]


def test_an_excerpt_is_marked_wherever_it_is_shown_and_takes_nobodys_place(world: World) -> None:
    url = world.site.add("/p9", challenge())
    world.exa.hits.append(Hit(url=url, title="Pump 9", text=SNIPPET))
    good = pumps(world, 2)
    place = world.place(model=False)
    run = place.run("research", Q, "--urls", "2", "--engine", "local", "--json")
    assert run.code == 0
    by_url = {source["url"]: source for source in run.json["sources"]}
    assert {by_url[each]["via"] for each in good} == {"markdown"}
    excerpt = by_url[url]
    assert (excerpt["via"], excerpt["verdict"], excerpt["status"]) == ("excerpt", "thin", "ok")
    assert excerpt["error"] is None
    report = (place.session() / "report.md").read_text()
    (line,) = [line for line in report.splitlines() if url in line and line.startswith("- [")]
    assert line.endswith("only an excerpt that the search showed")
    stored = (place.session() / excerpt["source_path"]).read_text()
    assert "> Via: excerpt\n" in stored and "> Verdict: thin\n" in stored
    assert place.run("verify", "latest").code == 0


def test_what_was_tried_is_said_on_request(world: World) -> None:
    url = world.site.add("/p9", challenge())
    place = world.place(model=False)
    run = place.run("fetch", url, "--explain", INTELLI_FETCH__JINA="true")
    assert run.code == 4
    assert "tried as well: jina: private-address" in run.stderr
    assert "tried as well" not in place.run("fetch", url).stderr
    (page,) = place.run("fetch", url, "--json", INTELLI_FETCH__JINA="true").json["pages"]
    assert page["status"] == "blocked" and page["error"] == "http-403"
    assert page["tried"][0].startswith("jina: private-address: ")
    assert world.jina.server.log.paths() == []


def test_a_project_may_not_send_pages_or_tokens_elsewhere(world: World) -> None:
    pump(world, 1)
    place = world.place(model=False)
    rows = {
        "adapters.github.url": '[adapters.github]\nurl = "http://127.0.0.1:1"',
        "adapters.jina.url": '[adapters.jina]\nurl = "http://127.0.0.1:1"',
        "fetch.jina": "[fetch]\njina = true",
        "fetch.browser": "[fetch]\nbrowser = true",
    }
    for key, text in rows.items():
        (place.project / "intelli.toml").write_text(text)
        run = place.run("fetch", ISSUE)
        assert run.code == 2
        assert f"`{key}`" in run.stderr
