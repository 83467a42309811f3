"""What is sent in place of a page is never taken for it out of the cache."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from intelli.errors import FetchError
from intelli.fetch.kept import KeptPages
from intelli.fetch.page import fetch_page
from intelli.fetch.tools import FetchTools
from intelli.net.client import Network
from intelli.records import Link
from intelli.store.cache import Cache
from intelli.text.reading import Reader
from tests.world import World
from tests.world.pages import Page, article

CAME_INSTEAD: Mapping[str, Page] = {
    "named": Page(body=b"<title>Just a moment...</title><p>Wait."),
    "no mark of a vendor": Page(
        body=b"<title>Shop</title><h1>Are you a robot?</h1>"
        b"<p>Please confirm that you are a human by ticking the box below.</p>"
    ),
    "breaks off inside a tag": Page(
        body=b"<!doctype html><html><body>"
        + b"<p>The pump moves 12 litres a minute at 3 bar.</p>" * 200
        + b"<div><a hr"
    ),
}


@pytest.mark.parametrize("name", CAME_INSTEAD)
def test_what_is_judged_to_stand_in_place_of_a_page_is_not_kept(
    world: World, tmp_path: Path, name: str
) -> None:
    text = ["The pump moves 12 litres a minute at 3 bar.", "Its seal is good for 900 hours."]
    url = world.site.add("/a", CAME_INSTEAD[name], article("Pump", text))

    async def read() -> str:
        async with (
            Network(allow_private=True, max_bytes=100_000) as network,
            KeptPages(network, Cache(tmp_path), permit=True) as kept,
            Reader() as reader,
        ):
            kept.warm()
            await kept.written()
            tools = FetchTools(network=kept, reader=reader, timeout=9, forget=kept.forget)
            try:
                return (await fetch_page(Link(url=url), tools)).verdict
            except FetchError as error:
                return error.code

    assert asyncio.run(read()) in ("challenge", "truncated")
    assert [asyncio.run(read()), asyncio.run(read())] == ["ok", "ok"]
    assert len(world.site.server.log.exchanges) == 2
