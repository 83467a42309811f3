"""Keys of the web search services: where they go, and what is said when one is refused."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from intelli.errors import BackendError, Stopped, UsageError
from intelli.net.client import Network
from intelli.records import Query
from intelli.search.backend import Equipment, make
from intelli.settings import load
from tests.unit.search.backends.services import (
    HITS,
    KEY,
    KEYED,
    KEYLESS,
    QUESTION,
    WITH_KEYS,
    ask,
)
from tests.world.http import Request, Server, Wire
from tests.world.search_services import DIALECTS


@pytest.mark.parametrize("name", WITH_KEYS)
def test_a_refused_key_is_named_by_its_variable_and_never_shown(name: str, home: Path) -> None:
    error = ask(name, home, "refused").error
    assert error is not None
    assert not error.retryable
    assert error.hint == f"check {DIALECTS[name].key_variable}"
    assert KEY not in error.message
    assert "[key]" in error.message


@pytest.mark.parametrize("name", WITH_KEYS)
def test_no_part_of_a_long_key_is_shown_where_a_message_is_cut(name: str, home: Path) -> None:
    key = "sk-" + "abcdefghij" * 40
    error = ask(name, home, "refused", key=key).error
    assert error is not None
    assert "abcdefghij" not in error.message
    assert "abcdefghij" not in str(error)


@pytest.mark.parametrize("name", KEYLESS)
@pytest.mark.parametrize("key", [None, "   "])
def test_without_a_key_none_is_sent(name: str, key: str | None, home: Path) -> None:
    asked = ask(name, home, key=key)
    assert [link.url for link in asked.answer.links] == [hit.url for hit in HITS]
    headers = set(asked.request.headers)
    assert not headers & {"authorization", "x-api-key", "x-subscription-token"}
    assert asked.usage.by_role == {}


@pytest.mark.parametrize("name", KEYLESS)
def test_a_limit_without_a_key_says_what_a_key_would_do(name: str, home: Path) -> None:
    variable = DIALECTS[name].key_variable
    error = ask(name, home, "limited", key=None).refused
    assert error.hint == (
        f"set {variable} for higher limits, or name another --backend" if variable else ""
    )


@pytest.mark.parametrize("name", KEYED)
@pytest.mark.parametrize("key", ["", "  "])
def test_a_service_that_needs_a_key_is_not_asked_without_one(
    name: str, key: str, home: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        ask(name, home, key=key)
    assert DIALECTS[name].key_variable in caught.value.message
    assert caught.value.hint == f"set {DIALECTS[name].key_variable}"


def test_a_key_in_a_variable_that_nobody_reads_is_pointed_out(home: Path) -> None:
    environ = {"BRAVE_SEARCH_API_KEY": "k", "BRAVERY": "7", "BRAVE_API_KEY": " "}
    settings = load(environ=environ, cwd=home)
    network = Network(allow_private=False, max_bytes=1000)
    with pytest.raises(UsageError) as caught:
        make("brave", Equipment(settings=settings, network=network))
    assert caught.value.hint == "set BRAVE_API_KEY; BRAVE_SEARCH_API_KEY is set, but not read"


def test_a_redirect_is_not_followed_with_the_key(home: Path) -> None:
    async def run() -> tuple[BackendError, list[str]]:
        async def elsewhere(_: Request, wire: Wire) -> None:
            await wire.reply_json(200, {"results": []})

        async def away(_: Request, wire: Wire) -> None:
            await wire.reply(302, b"", headers={"Location": other.url("/")})

        other, first = Server(elsewhere), Server(away)
        await other.start()
        await first.start()
        environ = {"INTELLI_BACKENDS__BRAVE__URL": first.url("/"), "BRAVE_API_KEY": KEY}
        async with Network(allow_private=False, max_bytes=1000) as network:
            settings = load(environ=environ, cwd=home)
            backend = make("brave", Equipment(settings=settings, network=network))
            with pytest.raises(BackendError) as caught:
                await backend.search(QUESTION)
        await other.stop()
        await first.stop()
        return caught.value, other.log.paths()

    error, asked = asyncio.run(asyncio.wait_for(run(), 20))
    assert error.code == "http-302"
    assert asked == []


def test_a_priced_search_is_in_the_ledger(home: Path) -> None:
    spend = ask("serper", home).usage.by_role["search"]
    assert (spend.calls, spend.usd) == (1, 0.001)


def test_the_price_is_that_of_the_results_that_are_asked_for(home: Path) -> None:
    many = Query(text="pumps", urls=50)
    asked = ask("exa-api", home, query=many)
    assert asked.request.json["numResults"] == 25
    assert asked.usage.by_role["search"].usd == 0.005, "beyond 25 results it would be more"


def test_a_search_without_a_known_price_costs_an_unknown_sum(home: Path) -> None:
    spend = ask("jina", home).usage.by_role["search"]
    assert (spend.calls, spend.usd) == (1, None)


def test_a_failed_search_costs_nothing(home: Path) -> None:
    assert ask("serper", home, "500").usage.by_role == {}


def test_a_budget_holds_for_searches(home: Path) -> None:
    with pytest.raises(Stopped):
        ask("serper", home, budget=0.0005)
    with pytest.raises(UsageError) as caught:
        ask("jina", home, budget=1.0)
    assert caught.value.code == "unknown-price"
