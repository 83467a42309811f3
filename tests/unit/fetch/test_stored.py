"""Links of the cache are read from the store, and no network is asked for them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from intelli.errors import FetchError
from intelli.fetch.page import FetchTools, fetch_page
from intelli.net.client import Network
from intelli.records import Link, Page
from intelli.search.stored import StoredPages
from intelli.text.reading import Reader
from tests.world.sessions import write_session

URL = "https://pumps.example.org/drain"


def fetch(cache: Path, link: Link) -> Page:
    async def run() -> Page:
        network = Network(allow_private=False, max_bytes=1000, offline=True)
        async with Reader(limit=5.0) as reader:
            tools = FetchTools(
                network=network, reader=reader, timeout=5.0, stored=StoredPages(cache)
            )
            return await fetch_page(link, tools)

    return asyncio.run(run())


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    write_session(tmp_path, "pumps", {URL: "The pump drains.", "file://localhost/n.md": "A note."})
    return tmp_path


@pytest.mark.parametrize(
    ("url", "text"), [(URL, "The pump drains."), ("file://localhost/n.md", "A note.")]
)
def test_a_link_of_the_cache_is_the_stored_page(cache: Path, url: str, text: str) -> None:
    link = Link(url=url, rank=3, backend="cache", snippet="s")
    page = fetch(cache, link)
    assert (page.link, page.text, page.via) == (link, text, "html")


def test_what_is_gone_from_the_cache_costs_its_page(cache: Path) -> None:
    with pytest.raises(FetchError) as caught:
        fetch(cache, Link(url=URL + "/other", backend="cache"))
    assert caught.value.code == "not-stored"


@pytest.mark.parametrize(("url", "code"), [(URL, "offline"), ("file://localhost/n.md", "bad-url")])
def test_links_of_others_are_not_read_from_the_store(cache: Path, url: str, code: str) -> None:
    with pytest.raises(FetchError) as caught:
        fetch(cache, Link(url=url, backend="exa"))
    assert caught.value.code == code
