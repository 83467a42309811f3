"""Fetches pages of the world as a run would, the reader in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import pytest

from intelli.fetch.page import fetch_page
from intelli.fetch.services import Services
from intelli.fetch.tools import FetchTools
from intelli.net.client import Network
from intelli.net.sockets import open_stream
from intelli.records import Link, Page
from intelli.setting_table import ADAPTER_URLS
from intelli.text import readers
from intelli.text.document import Document
from tests.world import World

Fetch = Callable[..., Page]
PUBLIC = "93.184.215.14"


class InlineReader:
    """The real reader without its child process: quick, and these pages are harmless."""

    async def read(self, body: bytes, content_type: str, url: str) -> Document:
        return readers.read(body, content_type, url)


@pytest.fixture
def fetch() -> Fetch:
    def run(url: str, *, timeout: float = 10.0, title: str = "", **more: Any) -> Page:
        async def work() -> Page:
            async with Network(allow_private=True, max_bytes=1_000_000) as network:
                tools = FetchTools(network=network, reader=InlineReader(), timeout=timeout, **more)
                return await fetch_page(Link(url=url, title=title), tools)

        return asyncio.run(work())

    return run


class Internet:
    """Every public name leads to the world's site, no other address can be reached; the services
    of adapters are those of the world, as a user would name them."""

    def __init__(self, world: World) -> None:
        self.site = world.site
        self.names: list[str] = []
        """Hosts of pages and services at their public address, as they were looked up."""
        self.addresses: dict[str, str] = {}
        """Of hosts that lead elsewhere."""
        self.urls = dict(ADAPTER_URLS) | {
            "github": world.github.server.url(),
            "github-raw": world.github.server.url(),
            "stackexchange": world.stackexchange.server.url("/2.3"),
            "hackernews": world.hackernews.server.url(),
            "fxtwitter": world.fxtwitter.server.url(),
            "mdn": world.mdn.server.url("/current"),
            "jina": world.jina.server.url(),
        }
        self.chosen = frozenset(self.urls)
        self.offline = False

    async def _lookup(self, host: str, port: int) -> Sequence[str]:
        del port
        self.names.append(host)
        return [self.addresses.get(host, PUBLIC)]

    async def _connect(self, address: str, port: int, patience: float | None) -> Any:
        own = {server_port for url in self.urls.values() if (server_port := _port(url))}
        is_own = address == "127.0.0.1" and port in own
        assert is_own or address == PUBLIC, f"reached for {address}"
        return await open_stream(
            "127.0.0.1", port if is_own else self.site.server.ports[0], patience
        )

    def get(self, link: str | Link, *, timeout: float = 10.0, **services: Any) -> Page:
        """The page at an address of this internet."""

        async def work() -> Page:
            network = Network(
                allow_private=False,
                max_bytes=1_000_000,
                offline=self.offline,
                lookup=self._lookup,
                connect=self._connect,
            )
            async with network:
                own = Services(calls=network, urls=self.urls, chosen=self.chosen, **services)
                tools = FetchTools(
                    network=network, reader=InlineReader(), timeout=timeout, services=own
                )
                asked = link if isinstance(link, Link) else Link(url=link)
                return await fetch_page(asked, tools)

        return asyncio.run(work())


def _port(url: str) -> int:
    return urlsplit(url).port or 0


@pytest.fixture
def internet(world: World) -> Internet:
    return Internet(world)
