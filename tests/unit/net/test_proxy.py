"""Proxies: which requests go through one, what it is asked for, and what is never shown."""

from __future__ import annotations

import asyncio
import base64
import socket
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import pytest

from intelli.errors import FetchError
from intelli.net.client import Network, Policy, Response, ServiceRequest
from intelli.net.proxy import Proxies, choose, exported
from tests.world import World
from tests.world.pages import plain, redirect
from tests.world.proxy import Proxy, serve_proxy

PUBLIC = "93.184.215.14"


async def public(host: str, port: int) -> Sequence[str]:
    assert host.endswith(".example")
    return [{"inside.example": "10.0.0.1"}.get(host, PUBLIC)]


def page(url: str, environ: Mapping[str, str], setting: str = "environment") -> Response:
    async def work() -> Response:
        policy = Policy(proxies=choose(setting, environ))
        async with Network(
            allow_private=False, max_bytes=9_000, policy=policy, lookup=public
        ) as network:
            return await network.fetch(url, accept="*/*", timeout=5)

    return asyncio.run(work())


async def through(site_port: int, url: str, answer: bytes = b"") -> tuple[Response, Proxy]:
    async with serve_proxy(site_port, *([answer] if answer else [])) as proxy:
        environ = {"http_proxy": f"http://me:s%40crit@127.0.0.1:{proxy.port}"}
        policy = Policy(proxies=choose("environment", environ))
        async with Network(
            allow_private=False, max_bytes=9_000, policy=policy, lookup=public
        ) as network:
            return await network.fetch(url, accept="*/*", timeout=5), proxy


def site_port(world: World) -> int:
    return urlsplit(world.site.url("/", 0)).port or 0


def test_a_page_goes_through_the_proxy_to_the_address_that_was_checked(world: World) -> None:
    world.site.add("/a", plain("hello"), port=0)
    response, proxy = asyncio.run(through(site_port(world), "http://pumps.example/a"))
    assert response.body == b"hello"
    assert proxy.asked == [f"CONNECT {PUBLIC}:80"]
    assert base64.b64decode(proxy.shown[0].removeprefix("Basic ")) == b"me:s@crit"
    request = world.site.server.log.exchanges[0].request
    assert request.host == "pumps.example"
    assert "proxy-authorization" not in request.headers


def test_a_proxy_opens_no_way_inside(world: World) -> None:
    world.site.add("/a", redirect("http://inside.example/"), port=0)
    with pytest.raises(FetchError) as caught:
        asyncio.run(through(site_port(world), "http://pumps.example/a"))
    assert caught.value.code == "private-address"
    assert world.site.server.log.paths() == ["/a"]


def test_a_service_goes_through_the_proxy_by_its_name(world: World) -> None:
    world.site.add("/v1", plain("answer"), port=0)

    async def work() -> tuple[bytes, list[str]]:
        async with serve_proxy(site_port(world)) as proxy:
            policy = Policy(proxies=choose(f"127.0.0.1:{proxy.port}", {}))
            async with Network(allow_private=False, max_bytes=9_000, policy=policy) as network:
                request = ServiceRequest(method="POST", url="http://models.invalid:8080/v1")
                return (await network.call(request)).body, proxy.asked

    assert asyncio.run(work()) == (b"answer", ["CONNECT models.invalid:8080"])


def test_a_service_on_this_machine_never_goes_through_a_proxy(world: World) -> None:
    url = world.site.add("/v1", plain("answer"), port=0)

    async def work() -> list[bytes]:
        policy = Policy(proxies=choose("http://127.0.0.1:2", {}))
        async with Network(allow_private=False, max_bytes=9_000, policy=policy) as network:
            urls = (url, url.replace("127.0.0.1", "localhost"))
            requests = [ServiceRequest(method="POST", url=each) for each in urls]
            return [(await network.call(request)).body for request in requests]

    assert asyncio.run(work()) == [b"answer", b"answer"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"HTTP/1.1 407 Who are you\r\n\r\n", "asks for a password"),
        (b"HTTP/1.1 403 Forbidden\r\n\r\n", "403"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "like a proxy"),
        (b"HTTP/1.1 200 " + b"x" * 30_000, "like a proxy"),
        (b"HTTP/1.1\r\n\r\n", "like a proxy"),
    ],
)
def test_a_proxy_that_refuses_is_named_without_its_password(
    world: World, answer: bytes, said: str
) -> None:
    with pytest.raises(FetchError) as caught:
        asyncio.run(through(site_port(world), "http://pumps.example/a", answer))
    error = caught.value
    assert error.code == "proxy"
    assert said in error.message
    assert "crit" not in error.message + error.hint
    assert world.site.server.log.exchanges == []


def test_a_proxy_that_cannot_be_reached_is_named_and_not_the_site() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unheard:
        port = unheard.getsockname()[1]
    with pytest.raises(FetchError) as caught:
        page("http://pumps.example/", {"http_proxy": f"http://127.0.0.1:{port}"})
    assert (caught.value.code, caught.value.retryable) == ("proxy", True)
    assert f"127.0.0.1:{port}" in caught.value.message


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"ALL_PROXY": "socks5://me:secret@127.0.0.1:2"}, "socks5://"),
        ({"HTTP_PROXY": "https://127.0.0.1:2"}, "https://"),
        ({"http_proxy": "http://me:secret@:99999999"}, "HTTP_PROXY"),
    ],
)
def test_a_proxy_of_another_kind_is_refused_and_named(
    environ: Mapping[str, str], said: str
) -> None:
    with pytest.raises(FetchError) as caught:
        page("http://pumps.example/", environ)
    assert (caught.value.code, said in caught.value.message) == ("proxy", True)
    assert "secret" not in caught.value.message + caught.value.hint
    assert "network.proxy" in caught.value.hint


def test_the_setting_holds_no_password() -> None:
    with pytest.raises(FetchError) as caught:
        page("http://pumps.example/", {}, "http://me:secret@127.0.0.1:2")
    assert caught.value.code == "proxy"
    assert "secret" not in caught.value.message + caught.value.hint


EVERYTHING = {"https_proxy": "http://one:1", "ALL_PROXY": "http://two:2"}


@pytest.mark.parametrize(
    ("scheme", "host", "found"),
    [("https", "a.example", "one"), ("http", "a.example", "two"), ("https", "localhost", None),
     ("https", "127.0.0.9", None), ("http", "::1", None), ("https", "x.localhost", None)],
)  # fmt: skip
def test_each_scheme_has_its_proxy_and_this_machine_none(
    scheme: str, host: str, found: str | None
) -> None:
    proxy = choose("environment", EVERYTHING).of(scheme, host, 443)
    assert (proxy.host if proxy else None) == found


def test_the_setting_decides_over_the_environment() -> None:
    assert choose("none", EVERYTHING) == Proxies()
    proxy = choose("http://three:3", EVERYTHING).of("https", "a.example", 443)
    assert proxy and (proxy.host, proxy.port) == ("three", 3)


def test_lower_case_variables_come_first_and_blank_ones_do_not_count() -> None:
    environ = {"http_proxy": "http://low:1", "HTTP_PROXY": "http://up:2", "https_proxy": "  "}
    found = choose("environment", environ)
    assert found.http and found.http.host == "low"
    assert found.https is None


@pytest.mark.parametrize(
    ("entries", "host", "port", "is_exempt"),
    [
        ("*", "a.example", 443, True),
        ("example", "a.example", 443, True),
        (".a.example", "a.example", 443, True),
        ("*.a.example", "b.a.example", 443, True),
        ("a.example", "ba.example", 443, False),
        ("a.example:8080", "a.example", 443, False),
        ("b.example, a.example:443", "a.example", 443, True),
        ("10.0.0.0/8", "10.1.2.3", 443, True),
        ("10.0.0.0/8", "11.1.2.3", 443, False),
        ("10.1.2.3", "10.1.2.3", 443, True),
        ("fd00::/8", "fd12::1", 443, True),
        ("10.0.0.0/99", "10.1.2.3", 443, False),
        ("", "a.example", 443, False),
    ],
)
def test_hosts_of_no_proxy_are_spoken_to_directly(
    entries: str, host: str, port: int, is_exempt: bool
) -> None:
    found = choose("http://one:1", {"NO_PROXY": entries}).of("https", host, port)
    assert (found is None) == is_exempt


def test_libraries_that_read_the_environment_are_told_the_same() -> None:
    assert exported("environment", {"no_proxy": "a.example"}) == {
        "no_proxy": None,
        "NO_PROXY": "a.example,localhost,127.0.0.1,::1",
    }
    none = exported("none", {})
    assert none["HTTPS_PROXY"] is none["https_proxy"] is none["all_proxy"] is None
    given = exported("http://one:1", {})
    assert (given["HTTPS_PROXY"], given["HTTP_PROXY"]) == ("http://one:1", "http://one:1")
    assert given["ALL_PROXY"] is given["https_proxy"] is None
