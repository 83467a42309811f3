"""A whole run: what it prints, what it asks for and what it leaves on disk."""

from __future__ import annotations

import hashlib
import json
from collections import Counter

import pytest

from tests.pipeline.kit import Q, asks, fact, pumps, statuses, words
from tests.pipeline.shape import check_research
from tests.world import Ask, Say, World


def test_a_run_with_a_model_fills_every_part_of_the_document(world: World) -> None:
    urls = pumps(world, 3)
    place = world.place()
    run = place.run("research", Q, "--focus", "the flow at each pressure", "--json")
    assert (run.code, run.stderr) == (0, "")
    document = run.json
    check_research(document)
    assert (document["outcome"], document["engine"], document["error"]) == (
        "completed",
        "llm",
        None,
    )
    assert (document["query"], document["focus"]) == (Q, "the flow at each pressure")
    assert [s["url"] for s in document["sources"]] == urls
    assert [s["title"] for s in document["sources"]] == ["Pump 1", "Pump 2", "Pump 3"]
    assert all(f"{fact(n)} [{n}]" in document["summary"] for n in (1, 2, 3))
    assert {claim["status"] for claim in document["claims"]} <= {"verified", "prose"}
    roles = document["usage"]["by_role"]
    assert {role: roles[role]["calls"] for role in ("search", "extract", "collate")} == {
        "search": 1, "extract": 3, "collate": 1,
    }  # fmt: skip
    assert document["usage"]["usd"] == pytest.approx(0.005)
    assert document["usage"]["input_tokens"] > 100
    assert document["timing"]["wall_s"] >= document["timing"]["stages"]["search"] > 0
    assert all("the flow at each pressure" in ask.user for ask in world.model.asked("extract"))
    shown = place.run("show", "latest", "--json")
    assert (shown.code, shown.stderr) == (0, "")
    assert shown.json == document


def test_a_run_without_a_key_searches_exa_and_asks_no_model(world: World) -> None:
    pumps(world, 3)
    run = world.place(model=False).run("research", Q, "--json")
    document = run.json
    check_research(document)
    assert (run.code, document["engine"], document["usage"]["usd"]) == (0, "local", 0.0)
    assert statuses(document) == {1: "ok", 2: "ok", 3: "ok"}
    assert "12 litres" in document["summary"] and "[1]" in document["summary"]
    assert {claim["status"] for claim in document["claims"]} <= {"verified", "prose"}
    assert len(world.exa.server.log.exchanges) == 1
    assert not world.duckduckgo.server.log.exchanges and not world.model.asks


def test_duckduckgo_is_asked_when_exa_finds_nothing(world: World) -> None:
    pumps(world, 2)
    world.exa.modes.set("empty")
    run = world.place(model=False).run("research", Q, "--json")
    assert (run.code, statuses(run.json)) == (0, {1: "ok", 2: "ok"})
    assert any("exa" in warning for warning in run.json["warnings"])
    assert world.exa.server.log.exchanges and world.duckduckgo.server.log.exchanges


def test_the_report_on_stdout_names_its_sources(world: World) -> None:
    urls = pumps(world, 2)
    place = world.place()
    run = place.run("research", Q, "-o", "answer.md")
    assert run.code == 0
    assert run.stdout.startswith(f"# {Q}\n\n## Summary\n")
    assert all(f"<{url}>" in run.stdout for url in urls)
    assert place.session().name in run.stderr.splitlines()[-1]
    assert (place.project / "answer.md").read_text(encoding="utf-8") == run.stdout
    assert place.run("show", "latest").stdout == run.stdout


def test_local_files_are_read_instead_of_the_web(world: World) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    docs = place.project / "docs"
    docs.mkdir()
    for n in (7, 8):
        text = f"# Pump {n}\n\n" + "\n\n".join(words(n)) + "\n"
        (docs / f"pump-{n}.md").write_text(text, encoding="utf-8")
    run = place.run("research", Q, "--docs", "docs", "--offline", "--json")
    assert run.code == 0
    assert {source["via"] for source in run.json["sources"]} == {"file"}
    assert all(source["url"].startswith("file://") for source in run.json["sources"])
    assert "18 litres" in run.json["summary"] and "19 litres" in run.json["summary"]
    assert all(not server.log.exchanges for server in world.servers)


def test_offline_research_may_still_use_a_model_on_this_machine(world: World) -> None:
    world.knowledge.facts.extend(words(7))
    place = world.place()
    page = place.project / "pump.md"
    page.write_text("# Pump\n\n" + "\n\n".join(words(7)) + "\n", encoding="utf-8")
    run = place.run("research", Q, "--docs", "pump.md", "--offline", "--json")
    assert (run.code, run.json["engine"]) == (0, "llm")
    assert f"{fact(7)} [1]" in run.json["summary"]
    assert asks(world, "extract") and not asks(world, "search")


def test_named_pages_take_the_place_of_a_search(world: World) -> None:
    urls = pumps(world, 3)
    place = world.place()
    run = place.run("research", Q, "--url", urls[2], "--url", urls[0], "--json")
    assert run.code == 0
    assert [source["url"] for source in run.json["sources"]] == [urls[2], urls[0]]
    assert not asks(world, "search")
    assert "/p2" not in world.site.server.log.paths()


def test_only_as_many_pages_are_read_as_are_wanted(world: World) -> None:
    pumps(world, 5)
    run = world.place().run("research", Q, "--urls", "2", "--json")
    assert statuses(run.json) == {1: "ok", 2: "ok"}
    assert sorted(world.site.server.log.paths()) == ["/p1", "/p2"]


def test_domain_rules_hold_for_every_link(world: World) -> None:
    addresses = pumps(world, 4)
    for part in (world.exa, world.duckduckgo):
        part.hits.clear()
    world.knowledge.links.clear()
    for n, url in enumerate(addresses, 1):
        world.link(url.replace("127.0.0.1", "localhost") if n % 2 else url, f"Pump {n}")
    place = world.place()
    rules = (
        ("--exclude-domain", "localhost"), ("--only-domain", "localhost"),
        ("--domain", "127.0.0.1"), ("--only-domain", "elsewhere.test"),
    )  # fmt: skip
    runs = place.run_together(
        *(("research", f"{Q} {n}", *rule, "--json") for n, rule in enumerate(rules))
    )
    titles = [[source["title"][-1] for source in run.json["sources"]] for run in runs]
    assert titles == [["2", "4"], ["1", "3"], ["2", "4", "1", "3"], []]
    assert (runs[3].code, runs[3].json["outcome"]) == (3, "no-links")


def test_the_files_of_a_session_are_those_of_the_contract(world: World) -> None:
    url = pumps(world, 2)[0]
    place = world.place()
    run = place.run("research", Q, "--json")
    session = place.session()
    digest = hashlib.sha1(Q.encode(), usedforsecurity=False).hexdigest()[:6]
    assert session.name[10:] == f"-how-many-litres-a-minute-{digest}"
    assert run.json["session"] == session.name
    files = {path.relative_to(session).as_posix() for path in session.rglob("*") if path.is_file()}
    assert files == {
        "report.md", "query.txt", "meta.json", "evidence.json",
        "sources/01-127-0-0-1.md", "sources/02-127-0-0-1.md",
        "extractions/01-127-0-0-1.md", "extractions/02-127-0-0-1.md",
    }  # fmt: skip
    assert (session / "query.txt").read_text(encoding="utf-8").strip() == Q
    report = (session / "report.md").read_text(encoding="utf-8")
    assert run.json["summary"] in report and url in report
    source = (session / "sources/01-127-0-0-1.md").read_text(encoding="utf-8")
    head, rule, body = source.partition("\n---\n\n")
    lines = head.split("\n")
    assert (lines[:3], rule != "") == (["# Pump 1", "", f"> Source: {url}"], True)
    assert all(line.startswith("> ") and ": " in line for line in lines[2:-1])
    assert fact(1) in body
    extraction = (session / "extractions/01-127-0-0-1.md").read_text(encoding="utf-8")
    assert extraction.startswith(f"# Pump 1\n\n> Source: {url}\n> Type: official-docs\n")
    assert json.loads((session / "meta.json").read_text(encoding="utf-8"))["query"] == Q
    assert json.loads((session / "evidence.json").read_text(encoding="utf-8"))
    index = json.loads((place.cache / ".index.json").read_text(encoding="utf-8"))
    (entry,) = index["searches"]
    assert (entry["slug"], entry["query"]) == (session.name, Q) and entry["timestamp"]
    assert (place.cache / ".gitignore").read_text(encoding="utf-8").strip() == "*"


def test_evidence_points_at_the_detail_in_the_stored_file(world: World) -> None:
    """Characters beyond ASCII stand before the detail, so bytes and code points differ."""
    paragraphs = [
        "Pümpe «Größe» → 日本語 🚰 is its name.",
        fact(1),
        "It needs version 4.7.2 at least.",
    ]
    world.article("/p1", "Größe 🚰", paragraphs)
    place = world.place()
    document = place.run("research", Q, "--json").json
    claim = next(c for c in document["claims"] if "litres" in c["text"])
    assert claim["status"] == "verified" and claim["evidence"]
    (source,) = document["sources"]
    text = (place.session() / source["source_path"]).read_text(encoding="utf-8")
    found = [text[e["start"] : e["end"]] for e in claim["evidence"] if e["source"] == 1]
    assert any("12 litres" in part for part in found), found
    version = next(c for c in document["claims"] if "4.7.2" in c["text"])
    (place_of,) = version["evidence"]
    assert text[place_of["start"] : place_of["end"]] == "4.7.2"


def test_a_second_run_of_a_question_keeps_the_first_as_an_archive(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    first = place.run("research", Q, "--json").json
    world.clear()
    pumps(world, 2)
    second = place.run("research", Q, "--json").json
    name = first["session"]
    assert second["session"] == name
    assert [path.name for path in place.sessions()] == [name, f"{name}.1"]
    archived = place.run("show", f"{name}.1", "--json").json
    assert archived["summary"] == first["summary"]
    assert statuses(archived) == {1: "ok"}
    assert statuses(place.run("show", name, "--json").json) == {1: "ok", 2: "ok"}
    index = json.loads((place.cache / ".index.json").read_text(encoding="utf-8"))
    assert [entry["slug"] for entry in index["searches"]] == [name]


def test_refs_name_the_whole_session_once_its_hash_is_shared(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    first = place.run("research", Q, "--json").json
    assert first["sources"][0]["ref"] == f"{first['session'][-6:]}:1"
    second = place.run("research", Q, "--json").json
    assert second["sources"][0]["ref"] == f"{second['session']}:1"
    archived = place.run("show", f"{first['session']}.1", "--json").json
    assert archived["sources"][0]["ref"] == f"{first['session']}.1:1"
    assert place.run("read", archived["sources"][0]["ref"]).code == 0


def test_a_repeat_that_fails_leaves_the_good_report_alone(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    name = place.run("research", Q, "--json").json["session"]
    before = {p: p.read_bytes() for p in place.session().rglob("*") if p.is_file()}
    world.model.say("extract", Say(text="NOTHING RELEVANT"))
    assert place.run("research", Q).code == 5
    world.model.say("extract", world.model.computed("extract"))
    world.model.say("collate", Say(status=400, error={"code": 400, "message": "too long"}))
    assert place.run("research", Q).code == 6
    assert {path: path.read_bytes() for path in before} == before
    assert place.run("show", name).code == 0


def test_two_runs_of_one_question_at_once_both_succeed(world: World) -> None:
    pumps(world, 2)
    world.model.say("collate", world.model.computed("collate", delay=0.2))
    place = world.place()
    both = [place.start("research", Q, "--json") for _ in range(2)]
    runs = [running.finish() for running in both]
    assert [run.code for run in runs] == [0, 0], runs
    name = runs[0].json["session"].removesuffix(".1")
    assert {path.name for path in place.sessions()} == {name, f"{name}.1"}
    for path in place.sessions():
        document = place.run("show", path.name, "--json").json
        assert document["outcome"] == "completed" and document["summary"]


def test_a_stored_report_is_verified_as_the_run_verified_it(world: World) -> None:
    pumps(world, 2)
    text = (
        f"## Summary\n\n{fact(1)} [7]\n\n{fact(2)} [2][9]\n\n{fact(1)}[^1] Nobody knows more.\n\n"
        "## Sources\n\n1. https://made-up.example/a\n"
    )
    world.model.say("collate", Say(text=text))
    place = world.place()
    document = place.run("research", Q, "--json").json
    assert "[7]" not in document["summary"] and "[9]" not in document["summary"]
    assert sum("there is no such source" in each for each in document["warnings"]) == 2
    totals = Counter(claim["status"] for claim in document["claims"])
    assert totals == {"unsupported": 2, "partial": 1, "verified": 1, "uncited": 1}
    again = place.run("verify", "latest", "--json").json["totals"]
    assert {status: count for status, count in again.items() if count} == totals
    assert place.run("verify", "latest", "--strict").code == 8


def test_a_report_with_conflicts_lists_both_sides(world: World) -> None:
    pumps(world, 2)

    def report(ask: Ask) -> str:
        text = world.knowledge.collate(ask)
        return text.replace("None.", "- **flow**: [1] moves 12 litres; [2] moves 13 litres")

    world.model.say("collate", Say(text=report))
    document = world.place().run("research", Q, "--json").json
    check_research(document)
    (conflict,) = document["conflicts"]
    assert (conflict["topic"], conflict["kind"]) == ("flow", "figure")
    assert [side["sources"] for side in conflict["positions"]] == [[1], [2]]
