"""What stands in for a page that could not be read, in which order, and that it is called so."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from typing import Any

import pytest

from intelli.errors import FetchError
from intelli.net.rendering import LIBRARY, PROGRAMS
from intelli.records import Link
from tests.unit.fetch.conftest import Internet
from tests.world import World
from tests.world import pages as made

URL = "http://pumps.test/stall"
TEXT = "The pump stalls at 4 bar because its valve closes too early; raise the limit to 5 bar. " * 4
SNIPPET = (
    "The pump stalls at 4 bar because its valve closes too early, says the manual: raise the limit "
    "to 5 bar, and replace the seal after 900 hours."
)
NO_PAGE = [
    (made.challenge(), "http-403"),
    (made.challenge(200), "challenge"),
    (made.login(), "login"),
    (made.limited(), "http-429"),
    (made.plain("broken", status=500), "http-500"),
    (made.plain(" \n"), "empty"),
]


def refused(internet: Internet, link: str | Link, **services: Any) -> FetchError:
    with pytest.raises(FetchError) as caught:
        internet.get(link, **services)
    return caught.value


@pytest.mark.parametrize(("body", "code"), NO_PAGE)
def test_a_page_that_is_none_is_read_by_the_reader_service(
    world: World, internet: Internet, body: made.Page, code: str
) -> None:
    world.site.add("/stall", body)
    world.jina.page(URL, "Stalls", f"![Image 1: logo](http://x.test/a.png)\n\n{TEXT}")
    page = internet.get(URL, jina=True)
    assert (page.via, page.title, page.verdict) == ("jina", "Stalls", "ok")
    assert page.text == TEXT.strip()
    assert page.final_url == URL
    assert page.tried[0].startswith(f"page: {code}: ")


def test_the_reader_service_is_asked_only_when_switched_on(
    world: World, internet: Internet
) -> None:
    world.site.add("/stall", made.challenge())
    world.jina.page(URL, "Stalls", TEXT)
    error = refused(internet, URL)
    assert (error.code, error.verdict) == ("http-403", "challenge")
    assert world.jina.server.log.paths() == []


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"url": "http://pumps.test/login"}, "bad-answer"),
        ({"url": "http://elsewhere.test/stall"}, "bad-answer"),
        ({"httpStatus": 403}, "http-403"),
        ({"warning": "Target URL returned error 404: Not Found"}, "http-403"),
        ({"title": "Just a moment...", "content": "Checking your browser"}, "challenge"),
        ({"content": "   "}, "thin"),
        ({"content": None}, "bad-answer"),
    ],
)
def test_what_the_reader_service_got_has_to_be_the_page(
    world: World, internet: Internet, said: dict[str, Any], code: str
) -> None:
    world.site.add("/stall", made.challenge())
    world.jina.page(URL, "Stalls", TEXT)
    world.jina.documents[f"/{URL}"]["data"].update(said)
    error = refused(internet, URL, jina=True)
    assert error.code == "http-403"
    assert error.tried[0].startswith(f"jina: {code}: ")


def test_a_limit_of_the_reader_service_is_kept(world: World, internet: Internet) -> None:
    world.site.fallback = made.challenge()
    limit = {"data": None, "code": 429, "name": "RateLimitTriggeredError", "status": 42903}
    world.jina.documents[f"/{URL}"] = (429, limit)
    rests: dict[str, float] = {}
    refused(internet, URL, jina=True, rests=rests)
    refused(internet, "http://pumps.test/other", jina=True, rests=rests)
    assert len(world.jina.server.log.exchanges) == 1


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "10.0.0.7", "[::1]", "localhost", "intranet", "build.localhost", "0x7f.1"]
)
def test_a_private_address_is_told_to_nobody(world: World, internet: Internet, host: str) -> None:
    error = refused(internet, f"http://{host}/secret", jina=True)
    assert error.code in ("private-address", "dns", "http-404", "connection")
    assert world.jina.server.log.paths() == []


@pytest.mark.parametrize("body", [made.missing(), made.soft_404(), made.plain("", status=410)])
def test_nobody_is_asked_for_a_page_that_does_not_exist(
    world: World, internet: Internet, body: made.Page
) -> None:
    world.site.add("/stall", body)
    world.jina.page(URL, "Stalls", TEXT)
    error = refused(internet, Link(url=URL, snippet=SNIPPET), jina=True)
    assert error.code in ("http-404", "http-410", "soft-404")
    assert world.jina.server.log.paths() == []


def test_offline_asks_nobody(world: World, internet: Internet) -> None:
    internet.offline = True
    world.jina.page(URL, "Stalls", TEXT)
    error = refused(internet, Link(url=URL, snippet=SNIPPET), jina=True)
    assert error.code == "offline"
    assert world.jina.server.log.paths() == []
    assert internet.names == []


@pytest.mark.parametrize(("body", "code"), NO_PAGE)
def test_at_last_there_is_the_excerpt_of_the_search_and_it_is_called_so(
    world: World, internet: Internet, body: made.Page, code: str
) -> None:
    world.site.add("/stall", body)
    link = Link(url=URL, title="Stalls", snippet=f" {SNIPPET}\n", published="2026-01-02")
    page = internet.get(link)
    assert (page.via, page.verdict, page.title) == ("excerpt", "thin", "Stalls")
    assert page.text == SNIPPET
    assert page.is_excerpt
    assert page.published == "2026-01-02"
    assert page.tried == (page.tried[0],)
    assert page.tried[0].startswith(f"page: {code}: ")


def test_a_short_excerpt_is_none(world: World, internet: Internet) -> None:
    world.site.add("/stall", made.challenge())
    error = refused(internet, Link(url=URL, snippet="The pump stalls at 4 bar."))
    assert error.code == "http-403"
    assert error.tried == ("excerpt: thin: the search showed too little of it",)


def test_the_page_itself_is_never_replaced_by_its_excerpt(world: World, internet: Internet) -> None:
    world.site.add("/stall", made.article("Stalls", ["It stalls. " * 20]))
    assert internet.get(Link(url=URL, snippet=SNIPPET)).via == "html"


def test_a_page_that_says_hardly_anything_is_kept_when_nobody_has_more(
    world: World, internet: Internet
) -> None:
    world.site.add("/stall", made.article("Maintenance", ["We will be back soon."]))
    page = internet.get(Link(url=URL, snippet=SNIPPET), jina=True)
    assert (page.via, page.verdict) == ("html", "thin")
    assert page.tried[0].startswith("jina: http-404")
    world.jina.page(URL, "Stalls", TEXT)
    assert internet.get(URL, jina=True).via == "jina"


def test_a_page_that_takes_all_its_time_leaves_some_for_the_others(
    world: World, internet: Internet
) -> None:
    world.site.add("/stall", made.Page(fault="hang"))
    world.jina.page(URL, "Stalls", TEXT)
    page = internet.get(URL, jina=True, timeout=2.0)
    assert page.via == "jina"
    assert page.tried[0].startswith("page: timeout: ")


def test_a_missing_browser_is_said_and_the_page_fails_as_it_did(
    world: World, internet: Internet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intelli.net.rendering.LIBRARY", "a_library_nobody_has")
    world.site.add("/stall", made.challenge())
    error = refused(internet, URL, browser=True)
    assert error.code == "http-403"
    assert error.tried[0].startswith("browser: no-browser: ")


@pytest.mark.skipif(
    find_spec(LIBRARY) is None or not any(map(shutil.which, PROGRAMS)),
    reason="the extra `browser` or a Chromium is not installed",
)
def test_a_page_of_scripts_is_read_after_they_ran(world: World, internet: Internet) -> None:
    script = f"document.body.innerHTML='<main><h1>Stalls</h1><p>'+{TEXT!r}+'</p></main>'"
    body = f"<!doctype html><title>Stalls</title><body><div id=root></div><script>{script}</script>"
    world.site.add("/stall", made.Page(body=(body + "<!-- pad -->" * 200).encode()))
    page = internet.get(URL, browser=True, timeout=30.0)
    assert (page.via, page.verdict, page.title) == ("browser", "ok", "Stalls")
    assert TEXT.strip() in page.text
    assert page.tried[0].startswith("page: js-shell: ")
