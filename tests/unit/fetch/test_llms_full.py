"""The whole documentation of a site: where it is looked for, what is kept, what it never costs."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from intelli.errors import FetchError
from intelli.fetch import llms_full
from intelli.fetch.llms_full import Remembered, WholeSites, addresses
from intelli.net.client import Network, Response
from tests.world import World
from tests.world import pages as made

SECTION = "The pump moves 12 litres a minute at a pressure of 3 bar, measured at the outlet."
WHOLE = "# Pumps\n\n" + "\n\n".join(f"## Part {n}\n\n{SECTION}" for n in range(20))


def text_page(
    text: str, content_type: str = "text/plain; charset=utf-8", **more: object
) -> made.Page:
    return made.Page(body=text.encode(), content_type=content_type, **more)  # type: ignore[arg-type]


def collect(
    urls: Sequence[str], remembered: Remembered | None = None, *, seconds: float = 1.0
) -> dict[str, str]:
    """What is kept for pages that come from `urls`, in a run of at most `seconds`."""
    kept: dict[str, str] = {}

    async def work() -> None:
        async with Network(allow_private=True, max_bytes=200_000) as network:
            sites = WholeSites(network, remembered)
            async with sites.collecting(kept.__setitem__):
                for url in urls:
                    sites.want(url)
                end = time.monotonic() + seconds
                while not kept and time.monotonic() < end:
                    await asyncio.sleep(0.01)

    asyncio.run(work())
    return kept


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("https://docs.pumps.test/guide/seals", ["https://docs.pumps.test/llms-full.txt"]),
        ("http://pumps.test:8080/guide", ["http://pumps.test:8080/llms-full.txt"]),
        ("https://pumps.test/docs/seals?x=1#y",
         ["https://pumps.test/docs/llms-full.txt", "https://pumps.test/llms-full.txt"]),
        ("https://nextjs.org/docs/app", ["https://nextjs.org/docs/llms-full.txt"]),
        ("https://nextjs.org/blog/x", ["https://nextjs.org/docs/llms-full.txt"]),
        ("https://developers.cloudflare.com/workers/start/",
         ["https://developers.cloudflare.com/workers/llms-full.txt"]),
        ("https://developers.cloudflare.com/", []),
    ],
)  # fmt: skip
def test_it_is_looked_for_where_sites_have_it(page: str, expected: list[str]) -> None:
    assert list(addresses(page)) == expected


def test_the_file_of_a_documentation_site_is_kept(world: World) -> None:
    world.site.add("/llms-full.txt", text_page(WHOLE))
    kept = collect([world.site.url("/guide/a", 0)])
    assert list(kept.values()) == [WHOLE]
    assert all(name.startswith("127.0.0.1-") for name in kept)


def test_other_sites_are_not_asked(world: World) -> None:
    world.site.add("/llms-full.txt", text_page(WHOLE))
    assert not collect([world.site.url("/news/a", 0)], seconds=0.3)
    assert world.site.server.log.paths() == []


@pytest.mark.parametrize(
    "body",
    [
        made.soft_404(),
        text_page("<!doctype html><title>Pumps</title>" + SECTION * 30),
        text_page('{"error": "not found", "detail": "' + SECTION * 30 + '"}'),
        text_page("# Page not found\n\n" + SECTION * 30),
        text_page("# Pumps\n\nSoon."),
        text_page(WHOLE, content_type="text/html"),
        text_page(WHOLE, content_type="application/pdf"),
        text_page(WHOLE, status=404),
        text_page(WHOLE + "\0", content_type="application/octet-stream", status=403),
    ],
)
def test_what_only_stands_at_the_address_is_not_kept(world: World, body: made.Page) -> None:
    world.site.add("/llms-full.txt", body)
    assert not collect([world.site.url("/guide/a", 0)], seconds=0.5)
    assert world.site.server.log.paths() == ["/llms-full.txt"]


def test_a_file_without_end_is_cut_and_says_so(world: World) -> None:
    world.site.add("/llms-full.txt", text_page(WHOLE * 200))
    (text,) = collect([world.site.url("/guide/a", 0)]).values()
    assert 100_000 < len(text) <= 200_200
    assert text.rstrip().endswith("characters are kept.")


def test_a_host_is_asked_once_in_a_run_and_once_a_day(world: World, tmp_path: Path) -> None:
    world.site.add("/llms-full.txt", text_page(WHOLE))
    pages = [world.site.url(f"/guide/{n}", 0) for n in range(3)]
    remembered = Remembered(tmp_path / "llms")
    first = collect(pages, remembered)
    assert collect(pages, remembered) == first
    assert world.site.server.log.paths() == ["/llms-full.txt"]
    for path in (tmp_path / "llms").iterdir():
        os.utime(path, (time.time() - llms_full.DAY - 1,) * 2)
    collect(pages, remembered)
    assert len(world.site.server.log.paths()) == 2


def test_that_there_is_none_is_remembered_too(world: World, tmp_path: Path) -> None:
    page = world.site.url("/docs/a", 0)
    for _ in range(2):
        assert not collect([page], Remembered(tmp_path), seconds=0.5)
    assert world.site.server.log.paths() == ["/docs/llms-full.txt", "/llms-full.txt"]


def test_a_server_that_is_down_is_asked_again(world: World, tmp_path: Path) -> None:
    page = world.site.url("/guide/a", 0)
    world.site.add("/llms-full.txt", text_page("down", status=503), text_page(WHOLE))
    for _ in range(2):
        kept = collect([page], Remembered(tmp_path), seconds=3.0)
    assert list(kept.values()) == [WHOLE]


def test_a_slow_host_is_left_behind_when_the_run_ends(world: World) -> None:
    world.site.add("/llms-full.txt", text_page(WHOLE, fault="hang"))
    started = time.monotonic()
    assert not collect([world.site.url("/guide/a", 0)], seconds=0.3)
    assert time.monotonic() - started < llms_full.SECONDS / 2


def test_a_run_that_fails_ends_it_as_well(world: World) -> None:
    world.site.add("/llms-full.txt", text_page(WHOLE, fault="hang"))

    async def work() -> None:
        async with Network(allow_private=True, max_bytes=1_000) as network:
            sites = WholeSites(network, None)
            async with sites.collecting(lambda host, text: None):
                sites.want(world.site.url("/guide/a", 0))
                await asyncio.sleep(0.1)
                raise RuntimeError("the run is over")

    with pytest.raises(RuntimeError):
        asyncio.run(work())
    assert world.site.server.log.paths() == ["/llms-full.txt"]


def test_no_more_than_a_few_hosts_are_asked() -> None:
    asked: list[str] = []

    class Refusing:
        async def fetch(self, url: str, *, accept: str, timeout: float) -> Response:
            asked.append(url)
            raise FetchError("refused", code="connection")

    async def work() -> None:
        sites = WholeSites(Refusing(), None)
        async with sites.collecting(lambda host, text: None):
            for n in range(20):
                sites.want(f"https://docs{n}.pumps.test/a")
            await asyncio.sleep(0.2)

    asyncio.run(work())
    assert len(asked) == llms_full.MAX_HOSTS


def test_private_hosts_are_closed_without_the_permit(world: World) -> None:
    world.site.add("/llms-full.txt", text_page(WHOLE))
    kept: dict[str, str] = {}

    async def work() -> None:
        async with Network(allow_private=False, max_bytes=100_000) as network:
            sites = WholeSites(network, None)
            async with sites.collecting(kept.__setitem__):
                sites.want(world.site.url("/guide/a", 0))
                await asyncio.sleep(0.3)

    asyncio.run(work())
    assert not kept and not world.site.server.log.exchanges


def test_old_answers_go(tmp_path: Path) -> None:
    remembered = Remembered(tmp_path)
    for n in range(llms_full.KEPT_FILES + 5):
        remembered.set(f"https://docs{n}.pumps.test/llms-full.txt", "text")
    assert len(list(tmp_path.glob("*.md"))) == llms_full.KEPT_FILES


def test_a_directory_that_cannot_be_written_costs_nothing_but_memory(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    remembered = Remembered(blocked / "llms")
    remembered.set("https://docs.pumps.test/llms-full.txt", "text")
    assert remembered.get("https://docs.pumps.test/llms-full.txt") is None
