"""Searches of papers, talk and code from the command line."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from intelli.setting_table import variable_of
from tests.pipeline.kit import Q, pumps
from tests.world import Run, World
from tests.world.search_verticals import EXAMPLES, VERTICALS
from tests.world.vertical import Vertical


def run(world: World, service: Vertical, *args: str) -> Run:
    async def serving() -> Run:
        await service.server.start()
        place = world.place(model=False)
        address = {variable_of(f"backends.{service.name}.url"): service.url}
        try:
            return await asyncio.to_thread(place.run, *args, **address)
        finally:
            await service.server.stop()

    return asyncio.run(serving())


def filled(name: str) -> Vertical:
    service = VERTICALS[name]()
    hit = replace(EXAMPLES[name], title="Pumps", text="It drains.", author="Wim")
    service.hits.append(replace(hit, published="2026-03-04"))
    return service


def test_points_comments_authors_and_dates_are_in_the_document(world: World) -> None:
    done = run(world, filled("hn"), "search", Q, "--backend", "hn", "--json")
    assert done.code == 0, done.stdout
    (result,) = done.json["groups"][0]["results"]
    assert (result["points"], result["comments"]) == (70, 12)
    assert (result["authors"], result["published"]) == (["Wim"], "2026-03-04")
    assert (result["backend"], result["snippet"]) == ("hn", "It drains.")


def test_points_comments_and_dates_are_shown_on_one_line(world: World) -> None:
    done = run(world, filled("stackexchange"), "search", Q, "--backend", "stackexchange")
    assert "stackexchange · 2026-02-01 · Wim · 31 points · 2 comments" in done.stdout


@pytest.mark.parametrize("name", sorted(VERTICALS))
def test_a_miss_goes_on_with_the_web_and_says_so(world: World, name: str) -> None:
    service = filled(name)
    service.modes.set("empty")
    urls = pumps(world, 2)
    done = run(world, service, "search", Q, "--backend", name, "--json")
    assert done.code == 0, done.stdout
    (group,) = done.json["groups"]
    assert {result["url"] for result in group["results"]} == set(urls)
    assert any(name in warning and "web" in warning for warning in group["warnings"])
