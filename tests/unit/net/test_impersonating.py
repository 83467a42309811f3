"""When a page is asked for as a browser asks: after a refusal, and not to get around a limit."""

from __future__ import annotations

import asyncio
import sys

import pytest

from intelli.net.client import Network, Policy, Response
from intelli.net.proxy import choose
from tests.world import World
from tests.world.pages import Page, challenge, limited, plain

pytest.importorskip("curl_cffi")


def fetch(*urls: str, impersonate: str = "refused", proxy: str = "none") -> list[Response]:
    async def work() -> list[Response]:
        policy = Policy(impersonate=impersonate, proxies=choose(proxy, {"no_proxy": "*"}))
        async with Network(allow_private=True, max_bytes=9_000, policy=policy) as network:
            return [await network.fetch(url, accept="text/html", timeout=5) for url in urls]

    return asyncio.run(work())


def faces(world: World) -> list[str]:
    """Who asked, by the first word of what each request says of itself."""
    exchanges = world.site.server.log.exchanges
    return [exchange.request.headers["user-agent"].partition("/")[0] for exchange in exchanges]


@pytest.mark.parametrize(
    "refusal",
    [
        challenge(),
        challenge(status=503),
        challenge(status=429),
        Page(status=403, body=b"<title>Access denied</title>"),
        Page(status=202, body=b"<p>Wait", headers={"x-amzn-waf-action": "challenge"}),
    ],
)
def test_a_refused_page_is_asked_for_as_a_browser_asks(world: World, refusal: Page) -> None:
    (page,) = fetch(world.site.add("/a", refusal, plain("hello")))
    assert (page.status, page.body) == (200, b"hello")
    assert faces(world) == ["intelli", "Mozilla"]


def test_a_site_that_refused_is_asked_as_a_browser_from_then_on(world: World) -> None:
    one = world.site.add("/a", challenge(), plain("hello"), port=0)
    two = world.site.add("/b", plain("hello"), port=0)
    other = world.site.add("/c", plain("hello"), port=1)
    fetch(one, two, other)
    assert faces(world) == ["intelli", "Mozilla", "Mozilla", "intelli"]


def test_a_site_that_refuses_both_has_refused(world: World) -> None:
    url = world.site.add("/a", challenge(), challenge(503))
    (page,) = fetch(url)
    assert page.status == 403
    assert faces(world) == ["intelli", "Mozilla"]


@pytest.mark.parametrize(
    "answer",
    [
        limited("86400"),
        plain("busy", status=503, headers={"Retry-After": "86400"}),
        plain("gone", status=404),
        plain("login", status=401),
        plain("broken", status=500),
        Page(status=403, body=b"{}", content_type="application/json"),
    ],
)
def test_no_limit_and_no_other_error_is_got_around(world: World, answer: Page) -> None:
    (page,) = fetch(world.site.add("/a", answer, plain("hello")))
    assert page.status == answer.status
    assert faces(world) == ["intelli"]


@pytest.mark.parametrize(
    ("impersonate", "proxy", "expected"),
    [("off", "none", ["intelli"]), ("always", "none", ["Mozilla"]),
     ("refused", "http://127.0.0.1:2", ["intelli"]),
     ("always", "http://127.0.0.1:2", ["intelli"])],
)  # fmt: skip
def test_the_settings_decide_and_a_proxy_rules_it_out(
    world: World, impersonate: str, proxy: str, expected: list[str]
) -> None:
    fetch(world.site.add("/a", challenge()), impersonate=impersonate, proxy=proxy)
    assert faces(world) == expected


def test_nothing_happens_where_it_is_not_installed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "curl_cffi", None)
    (page,) = fetch(world.site.add("/a", challenge()), impersonate="always")
    assert page.status == 403
    assert faces(world) == ["intelli"]
