"""Where both clients go: to addresses that were checked, at every hop, and to no others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest

from intelli.errors import FetchError
from intelli.net.client import Response
from intelli.net.guard import Address
from intelli.net.impersonating import Browser
from intelli.net.pages import Pages, Wanted
from intelli.net.resolver import Resolver
from intelli.net.wires import PageClient, Wires
from tests.world import World
from tests.world.pages import plain, redirect


def only_here(host: str, addresses: Sequence[Address]) -> None:
    """A guard for which one loopback address is the world and the rest is forbidden."""
    if any(str(address) != "127.0.0.1" for address in addresses):
        raise FetchError(f"{host} is not a public address", code="private-address")


@asynccontextmanager
async def trap(address: str, port: int) -> AsyncIterator[list[str]]:
    """Somebody at another address of this machine, and who came there."""
    came: list[str] = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(address)
        writer.close()

    async with await asyncio.start_server(note, address, port):
        yield came


async def through(client: str, url: str, resolver: Resolver) -> Response:
    wires = Wires(pages=resolver, services=resolver, max_bytes=100_000)
    browser = Browser(100_000)
    ours: PageClient = wires if client == "plain" else browser
    pages = Pages(ours, None, resolver, impersonate="off", robots=False)
    try:
        async with asyncio.timeout(5):
            return await pages.fetch(Wanted(url=url, accept="*/*", end=time.monotonic() + 5))
    finally:
        await wires.aclose()
        await browser.aclose()


@pytest.mark.parametrize(
    "target", ["http://127.0.0.2:{}/", "http://2130706434:{}/", "http://inside.test:{}/"]
)
def test_a_redirect_inside_is_not_followed(world: World, client: str, target: str) -> None:
    url = world.site.url("/a", 0)
    port = urlsplit(url).port or 0
    world.site.add("/a", redirect(target.format(port)), port=0)

    async def names(host: str, port: int) -> list[str]:
        return ["127.0.0.2"]

    async def work() -> tuple[str, list[str]]:
        async with trap("127.0.0.2", port) as came:
            with pytest.raises(FetchError) as caught:
                await through(client, url, Resolver(only_here, names))
            return caught.value.code, came

    assert asyncio.run(work()) == ("private-address", [])


def test_a_name_that_changes_its_mind_leads_nowhere_else(world: World, client: str) -> None:
    port = urlsplit(world.site.add("/a", plain("hello"), port=0)).port or 0
    world.site.add("/b", redirect("/a"), port=0)
    turns = [["127.0.0.1"], ["127.0.0.2"], ["127.0.0.2"]]

    async def names(host: str, port: int) -> list[str]:
        return turns.pop(0)

    async def work() -> tuple[bytes, list[str]]:
        async with trap("127.0.0.2", port) as came:
            url = f"http://rebinding.test:{port}/b"
            response = await through(client, url, Resolver(only_here, names))
            return response.body, came

    assert asyncio.run(work()) == (b"hello", [])
    assert world.site.server.log.exchanges[0].request.host == f"rebinding.test:{port}"


def test_a_name_is_resolved_by_us_alone(world: World, client: str) -> None:
    """`.invalid` names exist nowhere: that the page comes shows who looked the name up."""
    port = urlsplit(world.site.add("/a", plain("hello"), port=0)).port or 0

    async def names(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    url = f"http://pumps.invalid:{port}/a"
    assert asyncio.run(through(client, url, Resolver(only_here, names))).body == b"hello"
