"""Research without a network over what earlier runs have stored."""

from __future__ import annotations

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


def test_the_cache_is_a_backend_like_others(world: World) -> None:
    pumps(world, 2)
    place = world.place(model=False)
    assert place.run("research", Q).code == 0
    run = place.run("search", Q, "--backend", "cache", "--json")
    (group,) = run.json["groups"]
    assert {result["backend"] for result in group["results"]} == {"cache"}
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
