"""Domain rules on their way to the web search services, and what only SearXNG does."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from intelli.errors import UsageError
from intelli.net.client import Network
from intelli.records import Answer, Query
from intelli.search.backend import Equipment, make
from intelli.search.refusals import RefusedError
from intelli.settings import load
from tests.unit.search.backends.services import (
    HITS,
    QUESTION,
    Asked,
    ask,
)
from tests.world.search_services import SERVICES

ONLY = Query(text="pump", only_domains=("https://Docs.Example.org/",), urls=4)
NOT = Query(text="pump", exclude_domains=("*.spam.example",), urls=4)


def _policy(name: str, domain: str) -> object:
    return {"advanced_settings": {"max_results": 8, "source_policy": {name: [domain]}}}


NATIVE: Mapping[str, tuple[object, object]] = {
    "tavily": (
        {"include_domains": ["docs.example.org"]},
        {"exclude_domains": ["spam.example"]},
    ),
    "firecrawl": (
        {"includeDomains": ["docs.example.org"]},
        {"excludeDomains": ["spam.example"]},
    ),
    "you": ({"include_domains": ["docs.example.org"]}, {"exclude_domains": ["spam.example"]}),
    "linkup": ({"includeDomains": ["docs.example.org"]}, {"excludeDomains": ["spam.example"]}),
    "exa-api": ({"includeDomains": ["docs.example.org"]}, {"excludeDomains": ["spam.example"]}),
    "perplexity-search": (
        {"search_domain_filter": ["docs.example.org"]},
        {"search_domain_filter": ["-spam.example"]},
    ),
    "parallel-api": (
        _policy("include_domains", "docs.example.org"),
        _policy("exclude_domains", "spam.example"),
    ),
}  # fmt: skip
BY_WORDS = [name for name in SERVICES if name not in NATIVE]


@pytest.mark.parametrize("name", NATIVE)
def test_domain_rules_go_to_services_that_know_them(name: str, home: Path) -> None:
    for query, expected in zip((ONLY, NOT), NATIVE[name], strict=True):
        body = ask(name, home, query=query).request.json
        assert isinstance(expected, dict)
        assert {key: body[key] for key in expected} == expected
        assert "site:" not in str(body)


@pytest.mark.parametrize("name", BY_WORDS)
def test_domain_rules_are_words_for_all_others(name: str, home: Path) -> None:
    assert "site:docs.example.org" in _sent(ask(name, home, query=ONLY))
    assert "-site:spam.example" in _sent(ask(name, home, query=NOT))


def _sent(asked: Asked) -> str:
    request = asked.request
    return request.query["q"] if request.method == "GET" else str(request.json)


@pytest.mark.parametrize("name", NATIVE)
def test_a_preferred_domain_shuts_no_other_out(name: str, home: Path) -> None:
    query = Query(text="pump", domains=("docs.example.org",), urls=4)
    sent = str(ask(name, home, query=query).request.json)
    assert "pump docs.example.org" in sent
    assert "'docs.example.org'" not in sent


def test_silent_engines_behind_searxng_are_a_failure(home: Path) -> None:
    from intelli.search.backends import searxng

    with pytest.raises(RefusedError, match="google: CAPTCHA"):
        searxng._check_engines({"unresponsive_engines": [["google", "CAPTCHA"], "odd", None]})


def test_searxng_without_json_says_how_to_switch_it_on(home: Path) -> None:
    error = ask("searxng", home, "refused").error
    assert error is not None
    assert "search.formats" in error.hint


def test_searxng_needs_an_address(home: Path) -> None:
    network = Network(allow_private=False, max_bytes=1000)
    with pytest.raises(UsageError) as caught:
        make("searxng", Equipment(settings=load(environ={}, cwd=home), network=network))
    assert caught.value.hint == "set `backends.searxng.url`"


@pytest.mark.parametrize("path", ["", "/", "/search", "/search/"])
def test_searxng_is_found_at_its_root_and_at_its_search(path: str, home: Path) -> None:
    async def run() -> tuple[Answer, str]:
        async with SERVICES["searxng"]() as service:
            environ = {"INTELLI_BACKENDS__SEARXNG__URL": service.server.url(path)}
            service.hits += HITS
            async with Network(allow_private=False, max_bytes=1000) as network:
                settings = load(environ=environ, cwd=home)
                backend = make("searxng", Equipment(settings=settings, network=network))
                return await backend.search(QUESTION), service.server.log.paths()[-1]

    answer, asked = asyncio.run(asyncio.wait_for(run(), 20))
    assert len(answer.links) == 2
    assert asked == "/search"
