"""A real browser, where there is one: scripts run, and nothing passes by our own checks."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import pytest

from intelli.errors import FetchError
from intelli.net.client import Network, Response
from intelli.net.rendering import LIBRARY, PROGRAMS, render
from intelli.net.sockets import open_stream
from tests.world import World
from tests.world import pages as made

PUBLIC = "93.184.215.14"
SCRIPT = "text/javascript; charset=utf-8"
HERE = pytest.mark.skipif(
    find_spec(LIBRARY) is None or not any(map(shutil.which, PROGRAMS)),
    reason="the extra `browser` or a Chromium is not installed",
)


class Web:
    """Names lead to the site at a public address; `inner.test` to a private one."""

    def __init__(self, world: World) -> None:
        self.site = world.site
        self.reached: list[str] = []
        self.asked: list[str] = []

    async def _lookup(self, host: str, port: int) -> Sequence[str]:
        del port
        self.asked.append(host)
        return ["10.0.0.1" if host == "inner.test" else PUBLIC]

    async def _connect(self, address: str, port: int, patience: float | None) -> Any:
        del port
        self.reached.append(address)
        return await open_stream("127.0.0.1", self.site.server.ports[0], patience)

    def render(self, url: str, timeout: float = 30.0) -> Response:
        async def work() -> Response:
            network = Network(
                allow_private=False,
                max_bytes=1_000_000,
                lookup=self._lookup,
                connect=self._connect,
            )
            async with network:
                return await render(url, network.fetch, timeout)

        return asyncio.run(work())


@pytest.fixture
def web(world: World) -> Web:
    return Web(world)


def shell(script: str) -> made.Page:
    body = f"<!doctype html><title>Pumps</title><div id=root></div><script>{script}</script>"
    return made.Page(body=body.encode())


@HERE
def test_scripts_fetch_and_write_the_page(world: World, web: Web) -> None:
    world.site.add("/old", made.redirect("/app/"))
    world.site.add("/app/", made.Page(body=b"<div id=root></div><script src=main.js></script>"))
    load = "fetch('data.json').then(r=>r.json()).then(d=>{root.textContent=d.text})"
    world.site.add("/app/main.js", made.Page(body=load.encode(), content_type=SCRIPT))
    world.site.add("/app/data.json", made.Page(body=b'{"text": "12 litres a minute"}',
                                               content_type="application/json"))  # fmt: skip
    response = web.render("http://pumps.test/old")
    assert response.url == "http://pumps.test/app/"
    assert b"12 litres a minute" in response.body


@HERE
def test_no_request_of_a_script_passes_by_the_rules_for_addresses(world: World, web: Web) -> None:
    targets = ["http://inner.test/secret", "http://127.0.0.1:1/secret", "http://169.254.169.254/x",
               "http://[::1]/secret", "http://localhost/secret"]  # fmt: skip
    real = world.site.server.url("/secret")
    world.site.add("/secret", made.plain("the secret"))
    tries = "".join(
        f"fetch('{url}').then(r=>r.text()).then(t=>root.append('got '+t),e=>root.append('no '));"
        f"try{{new WebSocket('{url.replace('http', 'ws', 1)}')}}catch(e){{}};"
        f"new Image().src='{url}?i';"
        for url in [*targets, real]
    )
    frame = f"<iframe src={real}?frame></iframe><link rel=prefetch href={real}?pre>"
    page = shell(tries + "navigator.sendBeacon('/beacon','x');")
    world.site.add("/", made.Page(body=page.body + frame.encode()))
    response = web.render("http://pumps.test/")
    refused = b"no " * (len(targets) + 1)
    assert b'<div id="root">' + refused + b"</div>" in response.body
    assert set(web.reached) == {PUBLIC}
    assert world.site.server.log.paths() == ["/"]


@HERE
def test_what_the_page_moves_on_to_is_what_is_returned(world: World, web: Web) -> None:
    world.site.add("/", shell("setTimeout(()=>location='/next',50)"))
    world.site.add("/next", made.article("Next", ["The pump moved."]))
    response = web.render("http://pumps.test/")
    assert response.url == "http://pumps.test/next"
    assert b"The pump moved." in response.body


@HERE
@pytest.mark.parametrize(
    "script", ["while(true){}", "setInterval(()=>fetch('/tick?'+Math.random()),20)"]
)
def test_a_page_that_never_ends_is_given_up(world: World, web: Web, script: str) -> None:
    world.site.add("/", shell(script))
    try:
        response = web.render("http://pumps.test/", timeout=6.0)
    except FetchError as error:
        assert error.code == "timeout"
    else:
        assert b"Pumps" in response.body  # its requests were at an end before its time was
    assert len(world.site.server.log.exchanges) < 100


@HERE
def test_a_private_page_is_refused_before_a_browser_starts(web: Web) -> None:
    with pytest.raises(FetchError) as caught:
        web.render("http://inner.test/")
    assert caught.value.code == "private-address"
    assert web.reached == []


def test_without_a_browser_it_says_what_is_missing(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intelli.net.rendering.LIBRARY", "a_library_nobody_has")
    with pytest.raises(FetchError) as caught:
        web.render("http://pumps.test/")
    assert caught.value.code == "no-browser"
    assert "intelli[browser]" in caught.value.hint
