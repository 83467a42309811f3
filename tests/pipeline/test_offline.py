"""Research without a network over what earlier runs have stored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pipeline.kit import Q, fact, pumps
from tests.world import World


def test_stored_pages_are_researched_again_without_a_request(world: World) -> None:
    pumps(world, 3)
    place = world.place(model=False)
    first = place.run("research", Q, "--json")
    assert first.code == 0
    for server in world.servers:
        server.log.clear()
    again = place.run("research", f"{Q}, once more", "--offline", "--json")
    assert (again.code, again.json["engine"]) == (0, "local")
    assert all(not server.log.exchanges for server in world.servers)
    stored = {source["url"]: source for source in first.json["sources"]}
    for source in again.json["sources"]:
        assert source["fetched"] == stored[source["url"]]["fetched"]
        assert source["via"] == stored[source["url"]]["via"]
    assert fact(1) in again.json["summary"]


def stopped_before_its_search(session: Path) -> None:
    """As if the run had been killed before it found anything."""
    for path in (*session.glob("sources/*"), *session.glob("extractions/*")):
        path.unlink()
    (session / "report.md").unlink()
    meta = json.loads((session / "meta.json").read_text())
    meta |= {"outcome": "running", "sources": [], "search": {"backend": "", "links": []}}
    (session / "meta.json").write_text(json.dumps(meta))


def test_a_stopped_run_is_resumed_without_a_network_too(world: World) -> None:
    pumps(world, 3)
    place = world.place(model=False)
    assert place.run("research", Q).code == 0
    session = place.run("research", f"{Q}, once more", "--offline", "--json").json["session"]
    stopped_before_its_search(place.cache / session)
    for server in world.servers:
        server.log.clear()
    resumed = place.run("resume", session, "--json")
    assert resumed.code == 0 and fact(1) in resumed.json["summary"]
    assert all(not server.log.exchanges for server in world.servers)


def test_a_stopped_run_is_resumed_with_the_search_that_it_named(world: World) -> None:
    pumps(world, 2)
    place = world.place(model=False)
    first = place.run("research", Q, "--backend", "duckduckgo", "--json")
    assert first.code == 0
    stopped_before_its_search(place.cache / first.json["session"])
    world.exa.server.log.clear()
    resumed = place.run("resume", "latest", "--json")
    assert resumed.code == 0 and not world.exa.server.log.exchanges
    assert place.run("research", Q, "--reuse", "1h", "--json").json["path"] == resumed.json["path"]


def test_the_cache_is_a_backend_like_others(world: World) -> None:
    pumps(world, 2)
    place = world.place(model=False)
    assert place.run("research", Q).code == 0
    run = place.run("search", Q, "--backend", "cache", "--json")
    (group,) = run.json["groups"]
    assert {result["backend"] for result in group["results"]} == {"cache"}
    last = place.run("search", Q, "--backend", "cache").stdout.strip().splitlines()[-1].strip()
    assert last == f"intelli read {group['results'][0]['ref']}"
    assert "pump model" in place.shell(last).stdout
    elsewhere = ("--cache-dir", "elsewhere", "--json")
    assert place.run("search", Q, "--backend", "cache", *elsewhere).code == 3


@pytest.mark.parametrize(
    "command", [("research", Q, "--offline"), ("search", Q, "--backend", "cache")]
)
def test_nothing_stored_is_said(world: World, command: tuple[str, ...]) -> None:
    place = world.place(model=False)
    run = place.run(*command, "--json")
    assert run.code == 3
    assert "no page is stored" in run.json["error"]["message"]
    assert "--docs" in run.json["error"]["hint"]
