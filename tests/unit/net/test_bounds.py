"""What both clients must withstand: the plain one, and the one that asks as a browser asks."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

import pytest

from intelli.errors import FetchError
from intelli.net.client import Network, Policy, Response
from tests.world import World
from tests.world.http import Request, Server, Wire
from tests.world.pages import Page, limited, plain, redirect

IMPERSONATE = {"plain": "off", "browser": "always"}


def fetch(
    client: str, url: str, *, timeout: float = 5.0, max_bytes: int = 100_000, **more: Any
) -> Response:
    async def work() -> Response:
        policy = Policy(impersonate=IMPERSONATE[client])
        async with Network(
            allow_private=True, max_bytes=max_bytes, policy=policy, **more
        ) as network:
            return await network.fetch(url, accept="*/*", timeout=timeout)

    return asyncio.run(work())


def refusal(client: str, url: str, **more: Any) -> FetchError:
    with pytest.raises(FetchError) as caught:
        fetch(client, url, **more)
    return caught.value


def test_each_client_says_who_it_is(world: World, client: str) -> None:
    fetch(client, world.site.add("/a", plain("hello")))
    sent = world.site.server.log.exchanges[0].request.headers
    assert sent["user-agent"].startswith({"plain": "intelli/", "browser": "Mozilla/"}[client])
    assert sent["accept-encoding"] == "gzip, deflate"
    assert "upgrade" not in sent


def test_a_bomb_ends_at_the_limit_and_its_server_is_left(world: World, client: str) -> None:
    response = fetch(client, world.site.add("/a", plain("start", fault="bomb")), timeout=60.0)
    assert (len(response.body), response.truncated) == (100_000, True)


def test_an_endless_text_is_cut_and_its_server_is_left(world: World, client: str) -> None:
    response = fetch(client, world.site.add("/a", plain("start", fault="endless")))
    assert response.truncated
    assert len(response.body) == 100_000


def test_an_endless_file_is_refused(world: World, client: str) -> None:
    page = Page(body=b"%PDF-1.7", content_type="application/pdf", fault="endless")
    assert refusal(client, world.site.add("/a", page)).code == "too-large"


def test_a_large_file_is_refused_by_its_length(world: World, client: str) -> None:
    page = Page(
        content_type="application/pdf", headers={"Content-Length": "9" * 18}, body=b"%PDF-1.7"
    )
    assert refusal(client, world.site.add("/a", page)).code == "too-large"


@pytest.mark.parametrize("fault", ["hang", "drip", "stall"])
def test_the_deadline_is_for_everything(world: World, client: str, fault: Any) -> None:
    url = world.site.add("/a", plain("x" * 50_000, fault=fault))
    assert refusal(client, url, timeout=0.5).code == "timeout"


@pytest.mark.parametrize("fault", ["short", "reset-midway"])
def test_a_text_that_breaks_off_is_kept_as_cut(world: World, client: str, fault: Any) -> None:
    response = fetch(client, world.site.add("/a", plain("half a page " * 500, fault=fault)))
    assert response.truncated
    assert response.body.startswith(b"half a page")


def test_a_picture_that_breaks_off_is_an_error(world: World, client: str) -> None:
    page = Page(body=b"\x89PNG" + b"x" * 9_000, content_type="image/png", fault="short")
    assert refusal(client, world.site.add("/a", page)).code == "connection"


def test_a_connection_that_breaks_is_an_error(world: World, client: str) -> None:
    assert refusal(client, world.site.add("/a", Page(fault="reset"))).code == "connection"


@pytest.mark.parametrize(
    ("encoding", "body", "code"),
    [
        ("br", b"\x1b\x00", "bad-encoding"),
        ("zstd", b"\x28\xb5\x2f\xfd", "bad-encoding"),
        ("compress", b"\x1f\x9d\x90", "bad-encoding"),
        ("utf-8, br", b"\x1b\x00", "bad-encoding"),
        ("gzip, gzip", gzip.compress(gzip.compress(b"x")), "bad-encoding"),
        ("gzip", b"this is not gzip", "bad-encoding"),
        ("gzip", gzip.compress(b"")[:10] + b"\x00\x00\x00\xff\xff" * 30_000, "too-large"),
    ],
)
def test_what_cannot_be_decoded_in_bounds_is_refused(
    world: World, client: str, encoding: str, body: bytes, code: str
) -> None:
    page = Page(body=body, headers={"Content-Encoding": encoding})
    assert refusal(client, world.site.add("/a", page)).code == code


def test_compressed_text_is_read(world: World, client: str) -> None:
    page = Page(body=gzip.compress(b"line\n" * 9_000), headers={"Content-Encoding": "gzip"})
    response = fetch(client, world.site.add("/a", page))
    assert (response.body, response.truncated) == (b"line\n" * 9_000, False)


@pytest.mark.parametrize("encoding", ["none", "UTF-8", "binary", "aws-chunked", ",", "identity"])
def test_an_encoding_that_is_no_compression_changes_nothing(
    world: World, client: str, encoding: str
) -> None:
    page = Page(body=b"line\n" * 9, headers={"Content-Encoding": encoding})
    assert fetch(client, world.site.add("/a", page)).body == b"line\n" * 9
    packed = Page(body=gzip.compress(b"line"), headers={"Content-Encoding": f"{encoding}, gzip"})
    assert fetch(client, world.site.add("/b", packed)).body == b"line"


def test_errors_and_empty_pages_are_answers(world: World, client: str) -> None:
    assert fetch(client, world.site.add("/a", Page(status=204))).body == b""
    assert fetch(client, world.site.add("/b", plain("gone", status=410))).status == 410


def test_redirects_are_followed_five_times(world: World, client: str) -> None:
    for n in range(7):
        world.site.add(f"/{n}", redirect(f"/{n + 1}"), port=0)
    world.site.add("/7", plain("here"), port=0)
    assert fetch(client, world.site.url("/2", 0)).body == b"here"
    assert refusal(client, world.site.url("/1", 0)).code == "too-many-redirects"


@pytest.mark.parametrize("target", ["file:///etc/passwd", "gopher://x/", "dict://127.0.0.1/"])
def test_redirects_leave_the_web_for_nowhere(world: World, client: str, target: str) -> None:
    assert refusal(client, world.site.add("/a", redirect(target))).code == "bad-url"


@pytest.mark.parametrize("port", [22, 25, 6667])
def test_ports_of_other_services_are_never_knocked_at(world: World, client: str, port: int) -> None:
    url = world.site.add("/a", redirect(f"http://127.0.0.1:{port}/"))
    assert "another service" in refusal(client, url).message


def test_cookies_come_back_to_their_own_site_alone(world: World, client: str) -> None:
    jar = {"Set-Cookie": "seen=1; Path=/; Domain=127.0.0.1"}
    one, other = world.site.url("/a", 0), world.site.url("/b", 1)
    world.site.add("/a", plain("hello", headers=jar))
    world.site.add("/b", plain("hello"))

    async def work() -> None:
        policy = Policy(impersonate=IMPERSONATE[client])
        async with Network(allow_private=True, max_bytes=9_000, policy=policy) as network:
            for url in (one, other, one):
                await network.fetch(url, accept="*/*", timeout=5)

    asyncio.run(work())
    sent = [exchange.request.headers.get("cookie") for exchange in world.site.server.log.exchanges]
    assert sent == [None, None, "seen=1"]


def test_a_head_that_does_not_end_is_refused(client: str) -> None:
    async def flood(request: Request, wire: Wire) -> None:
        await wire.send(b"HTTP/1.1 200 OK\r\n")
        while True:
            await wire.send(b"X-Filler: nothing but filler\r\n" * 100)

    assert raw(flood, client).code in ("too-large", "connection")


def test_a_head_of_many_lines_is_refused(client: str) -> None:
    async def many(request: Request, wire: Wire) -> None:
        await wire.send(b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 900 + b"Content-Length: 0\r\n\r\n")

    assert raw(many, client).code == "too-large"


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 900\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc",
        b"HTTP/9.9 900 What\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x00\x01\x02\x03" * 50,
    ],
)
def test_what_is_no_answer_is_an_error_and_never_a_crash(client: str, head: bytes) -> None:
    async def answer(request: Request, wire: Wire) -> None:
        await wire.send(head)
        wire.keep = False

    error = raw(answer, client)
    assert error.code in ("connection", "timeout", "ok"), error.message


def raw(handle: Any, client: str) -> FetchError:
    """How a page from such a server fails; an answer with a status is `ok`."""

    async def work() -> FetchError:
        server = Server(handle)
        await server.start()
        policy = Policy(impersonate=IMPERSONATE[client])
        async with Network(allow_private=True, max_bytes=100_000, policy=policy) as network:
            try:
                await network.fetch(server.url("/"), accept="*/*", timeout=5)
            except FetchError as error:
                return error
            finally:
                await server.stop()
        return FetchError("an answer", code="ok")

    return asyncio.run(work())


def test_cancelling_a_page_closes_its_connection(world: World, client: str) -> None:
    url = world.site.add("/a", plain("x" * 50_000, fault="drip"))

    async def work() -> None:
        policy = Policy(impersonate=IMPERSONATE[client])
        async with Network(allow_private=True, max_bytes=100_000, policy=policy) as network:
            page = asyncio.create_task(network.fetch(url, accept="*/*", timeout=20))
            while not world.site.server.log.exchanges:
                await asyncio.sleep(0.01)
            page.cancel()
            await asyncio.wait({page})
            for _ in range(200):
                if world.site.server.log.open == 0:
                    return
                await asyncio.sleep(0.02)
        raise AssertionError("the server still sends")

    asyncio.run(work())


def test_a_busy_server_is_asked_once_more(world: World, client: str) -> None:
    url = world.site.add("/a", limited("0"), plain("now"))
    assert fetch(client, url).body == b"now"
    assert len(world.site.server.log.exchanges) == 2
