"""DuckDuckGo: result pages, bot checks, pacing and pauses."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from intelli.errors import BackendError
from intelli.net.client import Network, Response
from intelli.records import Link, Query
from intelli.search.backends.duckduckgo import ChallengeError, DuckDuckGo, parse


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
FOUND = Query(text="pump queue")


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
def test_a_bot_check_is_told_whatever_its_status_and_pauses_the_backend(
    status: int, body: bytes, serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    async def use(backend: DuckDuckGo, site: Any) -> list[str]:
        codes = []
        for _ in range(2):
            with pytest.raises(BackendError) as caught:
                await backend.search(FOUND)
            codes.append(caught.value.code)
        codes.append(str(len(site.requests)))
        return codes

    found = in_network(serve(reply([body], status)), use)
    assert found == ["challenge", "paused", "1"]


def test_the_pause_doubles_to_an_hour_and_ends_with_an_answer(
    home: Path, serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    def state() -> tuple[Path, dict[str, float]]:
        (file,) = (home / "state").rglob("duckduckgo-*.json")
        return file, json.loads(file.read_text())

    async def use(backend: DuckDuckGo, site: Any) -> list[int]:
        pauses = []
        for _ in range(5):
            with pytest.raises(BackendError):
                await backend.search(FOUND)
            file, data = state()
            pauses.append(round(data["until"] - data["last"]))
            file.write_text(json.dumps({**data, "until": data["last"] - 9, "last": 0}))
        site.replies = [reply([PLAIN])]
        await backend.search(FOUND)
        return [*pauses, int(state()[1]["strikes"])]

    found = in_network(serve(reply([CHALLENGE], 202)), use)
    assert found == [300, 600, 1200, 2400, 3600, 0]


def test_requests_are_a_browser_form_post_one_at_a_time_two_seconds_apart(
    serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    async def use(backend: DuckDuckGo, site: Any) -> list[Any]:
        await asyncio.gather(backend.search(FOUND), backend.search(Query(text="!g pump")))
        return list(site.requests)

    first, second = in_network(serve(reply([PLAIN])), use)
    assert second.at - first.at >= 2.0
    assert first.headers["user-agent"] == second.headers["user-agent"]
    assert first.headers["user-agent"].startswith("Mozilla/5.0")
    forms = sorted(parse_qs(request.body.decode())["q"][0] for request in (first, second))
    assert forms == ['"!g" pump', "pump queue"]


def test_pacing_holds_across_processes(
    serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    program = (
        "import asyncio, sys\n"
        "from intelli.net.client import Network\n"
        "from intelli.records import Query\n"
        "from intelli.search.backends.duckduckgo import DuckDuckGo\n"
        "async def main():\n"
        "    async with Network(allow_private=False, max_bytes=10**6) as network:\n"
        "        await DuckDuckGo(network, sys.argv[1]).search(Query(text='pump'))\n"
        "asyncio.run(main())\n"
    )

    async def use(_: DuckDuckGo, site: Any) -> list[Any]:
        command = (sys.executable, "-c", program, site.url)
        root = Path(__file__).parents[3]
        both = [
            await asyncio.create_subprocess_exec(*command, cwd=root, stderr=subprocess.PIPE)
            for _ in range(2)
        ]
        errors = [(await process.communicate())[1] for process in both]
        assert errors == [b"", b""]
        return list(site.requests)

    first, second = in_network(serve(reply([PLAIN])), use)
    assert second.at - first.at >= 2.0


def test_a_directory_that_cannot_be_written_does_not_stop_the_search(
    home: Path, serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    (home / "state").write_text("a file where the directory should be")

    async def use(backend: DuckDuckGo, site: Any) -> int:
        return len((await backend.search(FOUND)).links)

    assert in_network(serve(reply([PLAIN])), use) == 2


def test_a_preferred_domain_is_asked_for_and_others_follow(
    serve: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    async def use(backend: DuckDuckGo, site: Any) -> tuple[list[str], list[str]]:
        query = Query(text="pump", domains=("one.example.org",), exclude_domains=("x.example",))
        answer = await backend.search(query)
        forms = [parse_qs(request.body.decode())["q"][0] for request in site.requests]
        return forms, [link.url for link in answer.links]

    only = page(result("https://one.example.org/a"))
    forms, urls = in_network(serve(reply([only]), reply([PLAIN])), use)
    assert forms == ["pump site:one.example.org -site:x.example", "pump -site:x.example"]
    assert urls[0] == "https://one.example.org/a"
    assert "https://two.example.org/" in urls


def test_recorded_pages_are_told_apart(fixtures: Path) -> None:
    folder = fixtures / "duckduckgo"
    links = read((folder / "ddg_html_pagina_1.body.html").read_bytes())
    assert len(links) == 10
    assert all(link.url.startswith("http") and link.title and link.snippet for link in links)
    assert len(read((folder / "synthetic_html_direct_links.html").read_bytes())) == 1
    assert read((folder / "synthetic_html_no_results.html").read_bytes()) == ()
    challenge = (folder / "interstitial_cloudflare_anomaly_2026.html").read_bytes()
    with pytest.raises(ChallengeError):
        read(challenge)
