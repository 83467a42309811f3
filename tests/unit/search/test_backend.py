"""The table of backends and the default chain."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from intelli.errors import UsageError
from intelli.net.client import Network
from intelli.records import Query
from intelli.search.backend import BACKENDS, Equipment, chain_of, make
from intelli.settings import Settings, load


def settings(
    home: Path, environ: Mapping[str, str] | None = None, **options: str | tuple[str, ...]
) -> Settings:
    dotted = {key.replace("__", "."): value for key, value in options.items()}
    return load(dotted, environ=environ or {}, cwd=home)


def equipment(home: Path, **more: object) -> Equipment:
    network = Network(allow_private=False, max_bytes=1000)
    return Equipment(settings=settings(home), network=network, **more)  # type: ignore[arg-type]


def test_an_unknown_backend_names_the_known_ones(home: Path) -> None:
    with pytest.raises(UsageError) as caught:
        make("duckduckgoo", equipment(home))
    assert all(name in caught.value.message for name in BACKENDS)
    assert "`duckduckgo`" in caught.value.hint


@pytest.mark.parametrize("name", ["exa", "duckduckgo"])
def test_backends_without_a_key_are_made(name: str, home: Path) -> None:
    assert make(name, equipment(home)).name == name


@pytest.mark.parametrize("name", ["docs", "urls", "perplexity"])
def test_a_backend_that_lacks_what_it_needs_is_wrong_usage(name: str, home: Path) -> None:
    with pytest.raises(UsageError):
        make(name, equipment(home))


def test_the_default_chain_depends_on_the_search_model(home: Path) -> None:
    keyless = ("exa", "parallel", "tavily", "duckduckgo")
    assert chain_of(settings(home)) == keyless
    assert chain_of(settings(home, {"OPENROUTER_API_KEY": "k"})) == ("perplexity", *keyless)
    assert chain_of(settings(home, {"OPENROUTER_API_KEY": "  "})) == keyless
    own = settings(home, models__search__api_base="http://127.0.0.1:1/v1")
    assert chain_of(own) == ("perplexity", *keyless)


def test_what_the_user_names_goes_before_the_default(home: Path) -> None:
    named = settings(home, {"OPENROUTER_API_KEY": "k"}, search__backends=("duckduckgo", "exa"))
    assert chain_of(named) == ("duckduckgo", "exa")
    assert chain_of(named, docs=True) == ("docs",)
    assert chain_of(named, docs=True, offline=True) == ("docs",)
    assert chain_of(named, offline=True) == ("cache",)
    assert chain_of(named, docs=True, urls=True) == ("urls",)


def test_given_addresses_are_the_answer_in_their_order(home: Path) -> None:
    backend = make("urls", equipment(home, urls=("https://b.example.org/", "a.example.org/x")))
    answer = asyncio.run(backend.search(Query(text="anything")))
    assert [link.url for link in answer.links] == [
        "https://b.example.org/",
        "https://a.example.org/x",
    ]


@pytest.mark.parametrize("url", ["ftp://a.example.org/", "not an address", "https://", "file:///x"])
def test_a_given_address_that_is_none_is_named(url: str, home: Path) -> None:
    with pytest.raises(UsageError) as caught:
        make("urls", equipment(home, urls=(url,)))
    assert url in caught.value.message
