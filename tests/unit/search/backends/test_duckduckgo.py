"""DuckDuckGo: its form, its result pages and its bot checks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from intelli.errors import BackendError
from intelli.net.client import Network, Response
from intelli.records import Link, Query
from intelli.search.backends.duckduckgo import DuckDuckGo, parse


def result(href: str, title: str = "A <b>page</b>", extra: str = "web-result") -> str:
    return (
        f'<div class="result results_links {extra} "><div class="links_main result__body">'
        f'<h2 class="result__title"><a rel="nofollow" class="result__a" href="{href}">{title}</a>'
        f'</h2><a class="result__snippet" href="{href}">What it  <b>says</b>.</a></div></div>'
    )


def page(*results: str) -> bytes:
    body = "".join(results)
    return f'<!DOCTYPE html><html><body><div id="links">{body}</div></body></html>'.encode()


PLAIN = page(result("https://one.example.org/a?x=1&amp;y=2"), result("https://two.example.org/"))
NONE = page('<div class="result"><div class="no-results">No results for <b>qq</b>.</div></div>')
CHALLENGE = (
    b'<html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js?cc=botnet">'
    b'<div class="anomaly-modal__title">Are you a duck?</div></form></body></html>'
)


def read(body: bytes, status: int = 200) -> tuple[Link, ...]:
    return parse(Response(status=status, url="http://x/", headers={}, body=body))


def in_network(site: Any, use: Callable[[DuckDuckGo, Any], Any]) -> Any:
    async def run() -> Any:
        async with site as server, Network(allow_private=False, max_bytes=10**6) as network:
            return await use(DuckDuckGo(network, server.url), server)

    return asyncio.run(asyncio.wait_for(run(), 30))


def test_direct_links_are_unescaped() -> None:
    first, second = read(PLAIN)
    assert (first.url, first.title) == ("https://one.example.org/a?x=1&y=2", "A page")
    assert first.snippet == "What it says."
    assert second.url == "https://two.example.org/"


def test_redirect_links_are_decoded_once() -> None:
    inner = "https%3A%2F%2Fex.example.org%2Fq%3Fu%3Dhttps%253A%252F%252Fin.example.org%26b%3D1"
    (link,) = read(page(result(f"//duckduckgo.com/l/?uddg={inner}&amp;rut=abc")))
    assert link.url == "https://ex.example.org/q?u=https%3A%2F%2Fin.example.org&b=1"


def test_adverts_are_dropped_by_their_class_and_by_their_address() -> None:
    inner = "https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad%3D1"
    links = read(
        page(
            result("https://shop.example.org/", extra="result--ad"),
            result("https://duckduckgo.com/y.js?ad_domain=shop.example.org"),
            result(f"//duckduckgo.com/l/?uddg={inner}"),
            result("https://duckduckgo.com/duckduckgo-help-pages/"),
        )
    )
    assert [link.url for link in links] == ["https://duckduckgo.com/duckduckgo-help-pages/"]


def test_a_page_that_says_so_has_no_results() -> None:
    assert read(NONE) == ()


def test_a_new_layout_is_not_taken_for_no_results() -> None:
    with pytest.raises(BackendError) as caught:
        read(b"<html><body><main><article>Everything is new here</article></main></body></html>")
    assert caught.value.code == "layout-changed"


def test_a_result_that_speaks_of_the_check_is_a_result() -> None:
    talk = result("https://blog.example.org/", "How anomaly.js and challenge-form work")
    assert len(read(page(talk))) == 1


@pytest.mark.parametrize(
    ("status", "body"), [(202, CHALLENGE), (403, CHALLENGE), (200, CHALLENGE), (403, b"no")]
)
def test_a_bot_check_is_told_whatever_its_status(status: int, body: bytes) -> None:
    with pytest.raises(BackendError) as caught:
        read(body, status)
    assert caught.value.code == "challenge"


def test_a_request_is_a_browser_form_post(
    serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    async def use(backend: DuckDuckGo, site: Any) -> list[Any]:
        await backend.search(Query(text="!g pump", only_domains=("one.example.org",)))
        return list(site.requests)

    (request,) = in_network(serve(reply([PLAIN])), use)
    assert request.headers["user-agent"].startswith("Mozilla/5.0")
    assert parse_qs(request.body.decode())["q"] == ['"!g" pump site:one.example.org']


def test_recorded_pages_are_told_apart(fixtures: Path) -> None:
    folder = fixtures / "duckduckgo"
    links = read((folder / "ddg_html_pagina_1.body.html").read_bytes())
    assert len(links) == 10
    assert all(link.url.startswith("http") and link.title and link.snippet for link in links)
    assert len(read((folder / "synthetic_html_direct_links.html").read_bytes())) == 1
    assert read((folder / "synthetic_html_no_results.html").read_bytes()) == ()
    challenge = (folder / "interstitial_cloudflare_anomaly_2026.html").read_bytes()
    with pytest.raises(BackendError, match="bot check"):
        read(challenge)
