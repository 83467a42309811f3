"""Manners towards hosts: who waits for whom, and who is left alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest

from intelli.errors import FetchError
from intelli.net.client import Network, Response
from intelli.net.hosts import GAP
from tests.world import World
from tests.world.pages import limited, plain


async def public(host: str, port: int) -> Sequence[str]:
    return ["93.184.215.14"]


def network(world: World, **more: Any) -> Network:
    """For hosts that look public and are the world's first port."""

    async def connect(address: str, port: int, patience: float | None) -> object:
        from intelli.net.sockets import open_stream

        return await open_stream("127.0.0.1", urlsplit(world.site.url("/", 0)).port or 0, patience)

    return Network(
        allow_private=True,
        max_bytes=9_000,
        lookup=public,
        connect=connect,  # type: ignore[arg-type]
        **more,
    )


def fetch_both(net: Network, first: str, *others: str, timeout: float = 5) -> list[Response | str]:
    """The first page, then the others at once; the code where one fails."""

    async def one(url: str) -> Response | str:
        try:
            return await net.fetch(url, accept="*/*", timeout=timeout)
        except FetchError as error:
            return error.code

    async def work() -> list[Response | str]:
        async with net:
            found = [await one(first)]
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(url)) for url in others]
            return found + [task.result() for task in tasks]

    return asyncio.run(work())


def starts(world: World) -> list[float]:
    return sorted(exchange.started for exchange in world.site.server.log.exchanges)


def test_requests_to_a_public_host_do_not_start_together(world: World) -> None:
    for n in range(4):
        world.site.add(f"/{n}", plain("hello"), port=0)
    fetch_both(network(world), *(f"http://pumps.example/{n}" for n in range(4)))
    began = starts(world)
    assert len(began) == 4
    # A timer may fire a little early, a server notes a little late: half a gap tells them apart.
    assert all(later - sooner > GAP / 2 for sooner, later in pairwise(began))


def test_two_ports_of_a_name_are_two_hosts(world: World) -> None:
    for n in range(4):
        world.site.add(f"/{n}", plain("hello", delay=0.2), port=0)
    urls = [f"http://pumps.example:{8080 + n % 2}/{n}" for n in range(4)]
    fetch_both(network(world), "http://other.example/0", *urls)
    assert world.site.server.log.peak == 4


def test_a_private_host_is_asked_as_often_as_wanted(world: World) -> None:
    urls = [world.site.add(f"/{n}", plain("hello", delay=0.3), port=0) for n in range(6)]
    fetch_both(Network(allow_private=True, max_bytes=9_000), urls[0], *urls)
    assert world.site.server.log.peak == 6


@pytest.mark.parametrize("asked", ["86400", "Fri, 31 Dec 2099 23:59:59 GMT"])
def test_a_host_that_wants_no_request_gets_none_from_the_other_pages(
    world: World, asked: str
) -> None:
    world.site.add("/a", limited(asked), port=0)
    world.site.add("/b", plain("hello"), port=0)
    first, second, elsewhere = fetch_both(
        network(world), "http://pumps.example/a", "http://pumps.example/b", "http://b.example/b"
    )
    assert isinstance(first, Response) and first.status == 429
    assert second == "http-429"
    assert isinstance(elsewhere, Response) and elsewhere.body == b"hello"
    assert sorted(world.site.server.log.paths()) == ["/a", "/b"]


@pytest.mark.parametrize("asked", ["1", None, "soon"])
def test_the_other_pages_of_a_host_that_said_429_wait(world: World, asked: str | None) -> None:
    world.site.add("/a", limited(asked), port=0)
    world.site.add("/b", plain("hello"), port=0)
    _, second = fetch_both(
        network(world), "http://pumps.example/a", "http://pumps.example/b", timeout=9
    )
    assert isinstance(second, Response) and second.body == b"hello"
    exchanges = world.site.server.log.exchanges
    assert exchanges[-1].started - exchanges[0].started > 0.9


def test_a_busy_page_does_not_silence_its_host(world: World) -> None:
    busy = plain("busy", status=503, headers={"Retry-After": "86400"})
    world.site.add("/a", busy, port=0)
    world.site.add("/b", plain("hello"), port=0)
    _, second = fetch_both(network(world), "http://pumps.example/a", "http://pumps.example/b")
    assert isinstance(second, Response) and second.body == b"hello"


def test_a_wait_for_a_turn_ends_at_the_deadline(world: World) -> None:
    for n in range(3):
        world.site.add(f"/{n}", plain("hello", fault="hang"), port=0)
    urls = [f"http://pumps.example/{n}" for n in range(3)]
    assert fetch_both(network(world), urls[0], *urls, timeout=0.5) == ["timeout"] * 4
