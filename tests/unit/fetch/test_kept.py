"""Pages from the user's cache: when they are used again, and what is never kept."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from intelli.errors import FetchError
from intelli.fetch.kept import KeptPages, unpacked
from intelli.fetch.lifetime import LONGEST
from intelli.net.client import Network, Response
from intelli.store.cache import Cache
from tests.world import World
from tests.world.http import Request
from tests.world.pages import Page, article, challenge, limited, plain, redirect

ACCEPT = "text/html"


def fetch(
    folder: Path, *urls: str, accept: str = ACCEPT, permit: bool = True, **more: Any
) -> list[Response | str]:
    """The pages one after the other in one run; the code where there is none."""

    async def work() -> list[Response | str]:
        found: list[Response | str] = []
        async with (
            Network(allow_private=permit, max_bytes=100_000, **more) as network,
            KeptPages(network, Cache(folder), permit=permit) as kept,
        ):
            await settle(kept)
            for url in urls:
                try:
                    found.append(await kept.fetch(url, accept=accept, timeout=5))
                except FetchError as error:
                    found.append(error.code)
        return found

    return asyncio.run(work())


async def settle(kept: KeptPages) -> None:
    """Until the cache is open, so that no look into it comes too late."""
    kept.warm()
    await kept.written()


def one(folder: Path, url: str, **more: Any) -> Response:
    (found,) = fetch(folder, url, **more)
    assert isinstance(found, Response), found
    return found


def age(folder: Path, seconds: float) -> None:
    """Make everything in the cache older."""
    cache = Cache(folder)
    with cache, sqlite3.connect(folder / "cache.db") as database:
        for (key,) in database.execute("select key from Cache").fetchall():
            value = cache.get(key)
            moved = {name: value[name] - seconds for name in ("at", "until")}
            cache.set(key, {**value, **moved}, None)


def requests(world: World) -> list[Request]:
    return [exchange.request for exchange in world.site.server.log.exchanges]


def test_a_page_that_just_came_is_not_asked_for_again(world: World, tmp_path: Path) -> None:
    url = world.site.add("/a", article("Pumps", ["The pump moves 12 litres."]))
    first, again, later = *fetch(tmp_path, url, url), one(tmp_path, url)
    assert isinstance(first, Response) and isinstance(again, Response)
    assert first.body == again.body == later.body
    assert len(requests(world)) == 1
    assert (first.fetched, first.age_s) == (None, 0.0)
    assert later.fetched and later.fetched.startswith("20") and later.fetched.endswith("Z")
    assert later.content_type == first.content_type


def test_the_age_is_told(world: World, tmp_path: Path) -> None:
    url = world.site.add("/a", plain("hello"))
    one(tmp_path, url)
    age(tmp_path, 720)
    response = one(tmp_path, url)
    assert 720 <= response.age_s < 1000
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - response.age_s))
    assert response.fetched == moment


def test_a_body_that_is_no_text_comes_back_as_it_was(world: World, tmp_path: Path) -> None:
    body = bytes(range(256)) * 9
    url = world.site.add("/a", Page(body=b"%PDF-1.7" + body, content_type="application/pdf"))
    assert one(tmp_path, url).body == one(tmp_path, url).body == b"%PDF-1.7" + body
    assert len(requests(world)) == 1


def test_after_an_hour_the_server_is_asked_whether_it_is_still_the_same(
    world: World, tmp_path: Path
) -> None:
    tagged = {"ETag": '"v1"', "Last-Modified": "Fri, 24 Jul 2026 10:30:00 GMT"}
    unchanged = Page(status=304, headers={"ETag": '"v1"'})
    url = world.site.add("/a", plain("hello", headers=tagged), unchanged, plain("new"))
    one(tmp_path, url)
    age(tmp_path, LONGEST + 1)
    confirmed = one(tmp_path, url)
    assert (confirmed.status, confirmed.body, confirmed.fetched) == (200, b"hello", None)
    sent = requests(world)[1].headers
    assert sent["if-none-match"] == '"v1"'
    assert sent["if-modified-since"] == "Fri, 24 Jul 2026 10:30:00 GMT"
    assert one(tmp_path, url).body == b"hello"
    assert len(requests(world)) == 2, "a confirmed page is good for another hour"
    age(tmp_path, LONGEST + 1)
    assert one(tmp_path, url).body == b"new"
    assert one(tmp_path, url).body == b"new"


def test_a_page_without_a_mark_is_fetched_anew_after_its_time(world: World, tmp_path: Path) -> None:
    url = world.site.add("/a", plain("old"), plain("new"))
    one(tmp_path, url)
    age(tmp_path, LONGEST + 1)
    assert one(tmp_path, url).body == b"new"
    assert "if-none-match" not in requests(world)[1].headers


def test_a_server_that_allows_less_is_asked_sooner(world: World, tmp_path: Path) -> None:
    brief = {"Cache-Control": "max-age=60", "ETag": '"v1"'}
    url = world.site.add("/a", plain("hello", headers=brief), Page(status=304))
    one(tmp_path, url)
    age(tmp_path, 30)
    assert one(tmp_path, url).age_s > 0
    age(tmp_path, 31)
    assert one(tmp_path, url).body == b"hello"
    assert len(requests(world)) == 2


def test_a_mark_is_shown_to_the_page_it_is_of_and_to_nobody_before(
    world: World, tmp_path: Path
) -> None:
    end = world.site.add("/end", plain("here", headers={"ETag": '"v1"'}), Page(status=304))
    url = world.site.add("/a", redirect(end))
    assert one(tmp_path, url).url == end
    age(tmp_path, LONGEST + 1)
    assert one(tmp_path, url).url == end
    marks = [(request.path, request.headers.get("if-none-match")) for request in requests(world)]
    assert marks == [("/a", None), ("/end", None), ("/a", None), ("/end", '"v1"')]
    assert one(tmp_path, url).url == end
    assert len(requests(world)) == 4


def test_each_kind_of_answer_is_kept_apart(world: World, tmp_path: Path) -> None:
    url = world.site.add("/a", article("Pumps", ["Text."], twin="# Pumps"))
    assert one(tmp_path, url, accept="text/markdown").body == b"# Pumps"
    assert b"<html" in one(tmp_path, url).body
    assert one(tmp_path, url, accept="text/markdown").body == b"# Pumps"
    assert len(requests(world)) == 2


KEEP_OUT: Mapping[str, Page] = {
    "no-store": plain("x", headers={"Cache-Control": "no-store"}),
    "vary": plain("x", headers={"Vary": "*"}),
    "error": plain("x", status=500),
    "missing": plain("x", status=404),
    "partial": plain("x", status=206),
    "challenge": challenge(),
    "challenge with 200": challenge(status=200),
    "limited": limited(),
    "cut": plain("half a page " * 500, fault="short"),
    "too long": plain("x" * 200_000),
    "no mark and no time": plain("x", headers={"Cache-Control": "no-cache"}),
}


@pytest.mark.parametrize("name", KEEP_OUT)
def test_what_is_not_the_page_or_not_ours_to_keep_is_asked_for_each_time(
    world: World, tmp_path: Path, name: str
) -> None:
    url = world.site.add("/a", KEEP_OUT[name])
    fetch(tmp_path, url)
    fetch(tmp_path, url)
    assert len(requests(world)) == 2


def test_no_cookie_is_written_down(world: World, tmp_path: Path) -> None:
    headers = {"Set-Cookie": "session=secret-one", "X-Token": "secret-two"}
    url = world.site.add("/a", plain("hello", headers=headers))
    one(tmp_path, url.replace("http://", "http://user:secret-three@"))
    with Cache(tmp_path) as cache, sqlite3.connect(tmp_path / "cache.db") as database:
        for (key,) in database.execute("select key from Cache").fetchall():
            assert "secret" not in key + str(cache.get(key))


def test_what_was_permitted_once_is_not_open_to_runs_without_the_permit(
    world: World, tmp_path: Path
) -> None:
    url = world.site.add("/a", plain("inside"))
    one(tmp_path, url)
    assert fetch(tmp_path, url, permit=False) == ["private-address"]


@pytest.mark.parametrize(
    "value",
    [
        None, 7, [], {}, {"url": 1}, {"url": "x", "headers": [], "text": "", "at": 0, "until": 0},
        {"url": "x", "headers": {}, "text": 7, "at": 0, "until": 0},
        {"url": "x", "headers": {}, "base64": "ä", "at": 0, "until": 0},
        {"url": "x", "headers": {}, "text": "", "at": "soon", "until": 0},
    ],
)  # fmt: skip
def test_what_we_did_not_write_is_not_there(value: object) -> None:
    assert unpacked(value) is None


def test_a_time_that_we_would_not_have_written_does_not_count(world: World, tmp_path: Path) -> None:
    url = world.site.add("/a", plain("hello"))
    one(tmp_path, url)
    age(tmp_path, -LONGEST * 9)  # from the future
    one(tmp_path, url)
    assert len(requests(world)) == 2


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0" + b"\xff" * 9_000, b"nonsense" * 999])
def test_a_damaged_cache_costs_nothing_but_the_pages_in_it(
    world: World, tmp_path: Path, damage: bytes
) -> None:
    url = world.site.add("/a", plain("hello"))
    folder = tmp_path / "pages"
    one(folder, url)
    for path in folder.iterdir():
        path.write_bytes(damage)
    assert one(folder, url).body == b"hello"
    assert one(folder, url).body == b"hello"
    assert one(folder, url).body == b"hello"
    assert len(requests(world)) <= 3


def test_a_cache_that_cannot_be_made_costs_nothing(world: World, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no directory", encoding="utf-8")
    url = world.site.add("/a", plain("hello"))
    assert one(tmp_path / "file" / "pages", url).body == b"hello"


def test_a_cache_that_is_slow_to_open_is_not_waited_for(world: World, tmp_path: Path) -> None:
    url = world.site.add("/a", plain("hello"))
    one(tmp_path, url)

    class Slow(Cache):
        def get(self, key: str) -> Any:
            time.sleep(0.7)
            return super().get(key)

    async def work() -> bytes:
        async with (
            Network(allow_private=True, max_bytes=9_000) as network,
            KeptPages(network, Slow(tmp_path), permit=True) as kept,
        ):
            return (await kept.fetch(url, accept=ACCEPT, timeout=5)).body

    assert asyncio.run(work()) == b"hello"
    assert len(requests(world)) == 2


def test_a_server_is_asked_about_a_new_page_where_that_is_wanted(
    world: World, tmp_path: Path
) -> None:
    page = plain("hello", headers={"ETag": '"1"', "Cache-Control": "max-age=600"})
    url = world.site.add("/a", page)
    one(tmp_path, url)

    async def asked() -> bytes:
        async with (
            Network(allow_private=True, max_bytes=9_000) as network,
            KeptPages(network, Cache(tmp_path), permit=True, asks=True) as kept,
        ):
            await settle(kept)
            return (await kept.fetch(url, accept=ACCEPT, timeout=5)).body

    assert asyncio.run(asked()) == b"hello"
    assert [each.headers.get("if-none-match") for each in requests(world)] == [None, '"1"']
