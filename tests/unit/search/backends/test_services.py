"""The web search services: what they answer, and every way they fail."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from intelli.errors import BackendError
from intelli.net.client import Network
from intelli.search.backend import BACKENDS, Equipment, make
from intelli.settings import load
from tests.unit.search.backends.asking import Canned, refusal
from tests.unit.search.backends.services import (
    HITS,
    KEY,
    QUESTION,
    ask,
)
from tests.world.search_services import SERVICES, Mode


@pytest.mark.parametrize("name", SERVICES)
def test_results_are_links_with_all_that_the_service_says(name: str, home: Path) -> None:
    asked = ask(name, home)
    assert asked.error is None
    first, second = asked.answer.links
    assert (first.url, first.rank, first.backend) == (HITS[0].url, 1, name)
    assert (first.title, first.snippet) == ("Draining a pump", "It drains every 40 ms.")
    assert first.published == (None if name == "linkup" else "2026-03-04")
    assert first.authors == (("Wim Voorbeeld",) if name == "exa-api" else ())
    assert (second.url, second.rank, second.snippet) == (HITS[1].url, 2, "")
    assert asked.answer.backend == name


@pytest.mark.parametrize("name", SERVICES)
def test_nothing_found_is_no_failure(name: str, home: Path) -> None:
    asked = ask(name, home, "empty")
    assert (asked.error, asked.answer.links) == (None, ())


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize("mode", ["nulls", "odd", "hostile", "huge"])
def test_whatever_results_hold_they_are_links_or_left_out(
    mode: Mode, name: str, home: Path
) -> None:
    asked = ask(name, home, mode)
    assert asked.error is None
    links = asked.answer.links
    assert all(link.url.startswith(("http://", "https://")) for link in links)
    assert all(isinstance(link.title, str) and len(link.snippet) <= 500 for link in links)
    if mode == "nulls":
        assert links == ()
    if mode == "odd":
        assert [(link.url, link.title, link.snippet) for link in links] == [(HITS[0].url, "", "")]
    if mode == "hostile":
        expected = ["https://bücher.example.org/ä", *(hit.url for hit in HITS)]
        assert [link.url for link in links] == expected


@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize(("mode", "wait"), [("limited", 1.0), ("limited-day", 30000.0)])
def test_a_limit_is_told_with_the_time_to_wait(
    mode: Mode, wait: float, name: str, home: Path
) -> None:
    error = ask(name, home, mode).refused
    assert (error.code, error.retry_after, error.retryable) == ("rate-limit", wait, True)


@pytest.mark.parametrize("name", SERVICES)
def test_a_limit_inside_an_ordinary_answer_is_one_too(name: str, home: Path) -> None:
    error = ask(name, home, "quota").refused
    assert error.code == "rate-limit"
    assert "rate limit" in error.message


@pytest.mark.parametrize("name", SERVICES)
def test_a_bot_check_is_told(name: str, home: Path) -> None:
    if name == "searxng":  # its 403 means that JSON is off
        pytest.skip("says the same for something else")
    assert ask(name, home, "challenge").refused.code == "challenge"


@pytest.mark.parametrize("name", SERVICES)
def test_an_answer_that_breaks_off_is_a_failure_that_may_pass(name: str, home: Path) -> None:
    assert ask(name, home, "garbage").refused.code == "bad-answer"


@pytest.mark.parametrize("name", SERVICES)
def test_a_web_page_in_place_of_an_answer_names_the_address(name: str, home: Path) -> None:
    error = ask(name, home, "page").error
    assert error is not None
    assert (error.code, error.retryable) == ("bad-answer", False)
    assert "web page" in error.message
    assert ("search.formats" if name == "searxng" else f"backends.{name}.url") in error.hint


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_that_falls_over_may_be_asked_later(name: str, home: Path) -> None:
    error = ask(name, home, "500").refused
    assert error.code == "http-500"
    assert "fell over" in error.message


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_that_is_away_is_a_failure_that_may_pass(name: str, home: Path) -> None:
    async def run() -> BackendError:
        async with SERVICES[name]() as service:
            environ = service.env()
        async with Network(allow_private=False, max_bytes=1000) as network:
            settings = load(environ=environ, cwd=home)
            backend = make(name, Equipment(settings=settings, network=network))
            with pytest.raises(BackendError) as caught:
                await backend.search(QUESTION)
            return caught.value

    error = asyncio.run(asyncio.wait_for(run(), 20))
    assert (error.code, error.retryable) == ("connection", True)
    assert KEY not in error.message


def test_the_time_to_wait_is_read_out_of_the_answer_too(home: Path) -> None:
    assert ask("tavily", home, "quota").refused.retry_after == 60


def key_of(name: str) -> dict[str, str]:
    return dict.fromkeys(BACKENDS[name].keys, KEY)


EVIL = "\x1b]0;owned\x07\x1b[2J\u202e evil\r\nintelli: all is well"


@pytest.mark.parametrize("name", sorted(SERVICES))
@pytest.mark.parametrize("status", [200, 400, 500])
def test_no_message_of_a_service_is_obeyed_by_a_terminal(
    name: str, status: int, home: Path
) -> None:
    said = {"error": {"code": -1, "message": EVIL}, "jsonrpc": "2.0", "id": None}
    found = refusal(name, Canned(json.dumps(said).encode(), status=status), environ=key_of(name))
    assert not set(found.message) & set("\x1b\x07\r\n\u202e")
    assert "evil intelli: all is well" in found.message


@pytest.mark.parametrize("name", sorted(SERVICES))
@pytest.mark.parametrize("status", [301, 404])
def test_a_service_that_is_somewhere_else_names_the_address(
    name: str, status: int, home: Path
) -> None:
    found = refusal(name, Canned(b"", status=status), environ=key_of(name))
    assert (found.code, found.hint) == (f"http-{status}", f"check `backends.{name}.url`")
