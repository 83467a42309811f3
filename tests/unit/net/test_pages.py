"""Fetching pages from real servers: redirects, limits, broken answers, patience."""

from __future__ import annotations

import asyncio
import gzip
import time
import zlib
from collections.abc import Mapping
from typing import Any

import pytest

from intelli.errors import FetchError
from intelli.net.client import Network, Response
from tests.world import World
from tests.world.pages import Page, limited, plain, redirect


def fetch(url: str, *, timeout: float = 5.0, max_bytes: int = 1_000_000, **more: Any) -> Response:
    async def work() -> Response:
        async with Network(allow_private=True, max_bytes=max_bytes, **more) as network:
            return await network.fetch(url, accept="*/*", timeout=timeout)

    return asyncio.run(work())


def refusal(url: str, **more: Any) -> FetchError:
    with pytest.raises(FetchError) as caught:
        fetch(url, **more)
    return caught.value


def test_a_page_comes_with_its_final_address_and_lower_case_headers(world: World) -> None:
    url = world.site.add("/a", plain("hello", headers={"X-Kind": "Test"}))
    response = fetch(url)
    assert (response.status, response.url, response.body) == (200, url, b"hello")
    assert response.headers["x-kind"] == "Test"
    assert response.media_type == "text/plain"
    assert not response.truncated


def test_we_say_who_we_are_and_what_we_can_read(world: World) -> None:
    fetch(world.site.add("/a", plain("hello")))
    sent: Mapping[str, str] = world.site.server.log.exchanges[0].request.headers
    assert sent["user-agent"].startswith("intelli/")
    assert sent["accept-encoding"] == "gzip, deflate"
    assert "cookie" not in sent


def test_neither_password_nor_fragment_is_sent(world: World) -> None:
    url = world.site.add("/a", plain("hello"))
    response = fetch(url.replace("http://", "http://user:secret@") + "#part")
    request = world.site.server.log.exchanges[0].request
    assert response.url == url
    assert "authorization" not in request.headers
    assert request.target == "/a"


def test_redirects_are_followed_to_the_end(world: World) -> None:
    end = world.site.add("/end", plain("here"))
    world.site.add("/two", redirect(end, 307))
    response = fetch(world.site.add("/one", redirect("/two", 301), port=0))
    assert (response.url, response.body) == (end, b"here") or response.url.endswith("/end")


def test_a_cookie_set_on_the_way_is_shown_on_the_way_only(world: World) -> None:
    url = world.site.url("/a", 0)
    first = Page(status=302, headers={"Location": "/a", "Set-Cookie": "seen=1; Path=/"})
    world.site.add("/a", first, plain("hello"), port=0)
    assert fetch(url).body == b"hello"
    assert world.site.server.log.exchanges[1].request.headers["cookie"] == "seen=1"


def test_a_circle_of_redirects_ends(world: World) -> None:
    assert refusal(world.site.add("/a", redirect("/a"), port=0)).code == "too-many-redirects"
    assert len(world.site.server.log.of("/a")) == 6


@pytest.mark.parametrize("target", ["file:///etc/passwd", "gopher://x/", "javascript:alert(1)"])
def test_redirects_leave_the_web_for_nowhere_else(world: World, target: str) -> None:
    assert refusal(world.site.add("/a", redirect(target))).code == "bad-url"


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://x/", "", "nonsense", "http://256.1.1.1/"]
)
def test_only_web_addresses_are_fetched(url: str) -> None:
    assert refusal(url).code == "bad-url"


def test_errors_of_the_server_are_answers(world: World) -> None:
    response = fetch(world.site.add("/a", plain("gone", status=410)))
    assert (response.status, response.body) == (410, b"gone")


@pytest.mark.parametrize("fault", ["hang", "drip", "stall"])
def test_the_deadline_covers_the_whole_page(world: World, fault: Any) -> None:
    page = plain("x" * 5_000, fault=fault)
    started = time.monotonic()
    assert refusal(world.site.add("/a", page), timeout=0.5).code == "timeout"
    assert time.monotonic() - started < 5  # the server would go on for minutes


def test_the_deadline_is_one_for_all_redirects(world: World) -> None:
    world.site.add("/a", Page(status=302, headers={"Location": "/a"}, delay=0.2))
    assert refusal(world.site.url("/a"), timeout=0.5).code == "timeout"


def test_an_endless_text_is_cut_at_the_limit(world: World) -> None:
    response = fetch(world.site.add("/a", plain("start", fault="endless")), max_bytes=50_000)
    assert response.truncated
    assert len(response.body) == 50_000
    assert response.body.startswith(b"start")


def test_a_text_that_just_fits_is_whole(world: World) -> None:
    response = fetch(world.site.add("/a", plain("x" * 5_000)), max_bytes=5_000)
    assert (len(response.body), response.truncated) == (5_000, False)


def test_a_large_file_is_refused_before_it_is_sent(world: World) -> None:
    page = Page(
        content_type="application/pdf",
        headers={"Content-Length": "900000000"},
        body=b"%PDF-1.7",
    )
    assert refusal(world.site.add("/a", page), timeout=5.0).code == "too-large"


def test_half_a_pdf_is_no_pdf_whatever_its_label(world: World) -> None:
    page = plain("%PDF-1.7 " + "x" * 90_000)
    assert refusal(world.site.add("/a", page), max_bytes=50_000).code == "too-large"


def test_a_bomb_ends_at_the_limit(world: World) -> None:
    response = fetch(
        world.site.add("/a", plain("start", fault="bomb")), max_bytes=100_000, timeout=60.0
    )
    assert (len(response.body), response.truncated) == (100_000, True)


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "raw deflate": lambda data: zlib.compress(data, wbits=-15),
    "two members": lambda data: gzip.compress(data[:9]) + gzip.compress(data[9:]),
}


@pytest.mark.parametrize("name", ENCODERS)
def test_compressed_bodies_are_decoded(world: World, name: str) -> None:
    text = b"The pump moves 12 litres a minute. " * 9_000
    label = {"raw deflate": "deflate", "two members": "gzip"}.get(name, name)
    page = Page(body=ENCODERS[name](text), headers={"Content-Encoding": label})
    response = fetch(world.site.add("/a", page))
    assert (response.body, response.truncated) == (text, False)


def test_compressed_nothing_does_not_go_on_for_ever(world: World) -> None:
    empty_block = b"\x00\x00\x00\xff\xff"
    body = gzip.compress(b"")[:10] + empty_block * 10_000
    page = Page(body=body, headers={"Content-Encoding": "gzip"})
    assert refusal(world.site.add("/a", page), max_bytes=10_000).code == "too-large"


@pytest.mark.parametrize(
    ("body", "encoding"), [(b"plain text, not gzip", "gzip"), (b"\x1b\x00", "br")]
)
def test_what_cannot_be_decoded_is_refused(world: World, body: bytes, encoding: str) -> None:
    page = Page(body=body, headers={"Content-Encoding": encoding})
    assert refusal(world.site.add("/a", page)).code == "bad-encoding"


@pytest.mark.parametrize("fault", ["short", "reset-midway"])
def test_a_text_that_breaks_off_is_kept_as_cut(world: World, fault: Any) -> None:
    response = fetch(world.site.add("/a", plain("half a page " * 500, fault=fault)))
    assert response.truncated
    assert response.body.startswith(b"half a page")


def test_half_a_compressed_text_is_kept_as_cut(world: World) -> None:
    body = gzip.compress(b"".join(b"line %d\n" % n for n in range(20_000)))
    page = Page(body=body[: len(body) // 2], headers={"Content-Encoding": "gzip"})
    response = fetch(world.site.add("/a", page))
    assert response.truncated
    assert response.body.startswith(b"line 0\nline 1\n")


def test_a_binary_that_breaks_off_is_an_error(world: World) -> None:
    page = Page(body=b"\x89PNG" + b"x" * 9_000, content_type="image/png", fault="short")
    assert refusal(world.site.add("/a", page)).code == "connection"


def test_a_server_that_is_not_there_is_named() -> None:
    error = refusal("http://127.0.0.1:2/")
    assert (error.code, error.retryable) == ("connection", True)
    assert "127.0.0.1" in error.message


def test_a_name_nobody_knows_is_a_dns_error() -> None:
    async def lookup(host: str, port: int) -> list[str]:
        raise OSError(-2, f"{host}:{port} not known")

    assert refusal("http://nowhere.example/", lookup=lookup).code == "dns"


def test_a_server_that_says_later_is_asked_once_more(world: World) -> None:
    url = world.site.add("/a", limited("0"), plain("now"))
    assert fetch(url).body == b"now"
    assert len(world.site.server.log.exchanges) == 2


@pytest.mark.parametrize("wait", ["3600", "60", "soon", "-5", None])
def test_a_wait_that_does_not_fit_is_not_waited_for(world: World, wait: str | None) -> None:
    url = world.site.add("/a", limited(wait), plain("now"))
    assert fetch(url, timeout=30.0).status == 429
    assert len(world.site.server.log.exchanges) == 1


def test_a_server_that_stays_busy_is_asked_twice_only(world: World) -> None:
    assert fetch(world.site.add("/a", limited("0"))).status == 429
    assert len(world.site.server.log.exchanges) == 2


def test_offline_asks_nobody_for_pages(world: World) -> None:
    assert refusal(world.site.add("/a", plain("hello")), offline=True).code == "offline"
    assert world.site.server.log.exchanges == []


def test_cancelled_pages_leave_the_network_usable(world: World) -> None:
    slow = world.site.add("/slow", plain("x" * 2_000, fault="drip"), port=0)
    quick = world.site.add("/quick", plain("hello"), port=0)

    async def work() -> list[bytes]:
        async with Network(allow_private=True, max_bytes=100_000) as network:
            pages = [
                asyncio.create_task(network.fetch(url, accept="*/*", timeout=20))
                for url in [slow] * 120
            ]
            await asyncio.sleep(0.3)
            for page in pages:
                page.cancel()
            await asyncio.wait(pages)
            again = [await network.fetch(quick, accept="*/*", timeout=5) for _ in range(3)]
            return [response.body for response in again]

    assert asyncio.run(work()) == [b"hello"] * 3
