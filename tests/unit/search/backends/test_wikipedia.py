"""Wikipedia: languages, addresses of articles, and errors that come as answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from intelli.errors import UsageError
from intelli.net.client import Network
from intelli.records import Query
from intelli.search.backend import Equipment, make
from intelli.search.refusals import RefusedError
from intelli.settings import load
from tests.unit.search.backends.asking import Canned, ask, asked, filled, links, refusal


def hits(*found: dict[str, object]) -> bytes:
    return json.dumps({"query": {"search": found}}).encode()


def test_snippets_are_cleaned_of_their_markup() -> None:
    snippet = 'The <span class="searchmatch">pump</span> &amp; the &lt;well&gt;\nof &quot;it'
    (link,) = links("wikipedia", hits({"title": "Pump", "snippet": snippet}))
    assert link.snippet == 'The pump & the <well> of "it'


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("Hand pump", "Hand_pump"),
        ("C++", "C%2B%2B"),
        ("AC/DC", "AC/DC"),
        ("What? Why #1", "What%3F_Why_%231"),
        ("Колодец", "%D0%9A%D0%BE%D0%BB%D0%BE%D0%B4%D0%B5%D1%86"),
    ],
)
def test_titles_become_addresses_beside_the_api(title: str, path: str) -> None:
    (link,) = links("wikipedia", hits({"title": title}))
    assert link.url.endswith(f"/wiki/{path}")


@pytest.mark.parametrize(
    ("query", "language"),
    [
        (Query(text="pump"), "en"),
        (Query(text="pump", domains=("de.wikipedia.org",)), "de"),
        (Query(text="pump", only_domains=("https://zh-yue.wikipedia.org/",)), "zh-yue"),
        (Query(text="pump", domains=("wikipedia.org", "example.org")), "en"),
    ],
)
def test_the_language_is_that_of_a_wanted_wikipedia(query: Query, language: str) -> None:
    service = Canned(hits(), path="/{language}/w/api.php")
    ask("wikipedia", service, query)
    assert asked(service)[0].path == f"/{language}/w/api.php"


@pytest.mark.parametrize("language", ["evil.example/", "d", "de/..", "DE", "a@b"])
def test_a_language_that_would_move_the_address_is_refused(language: str) -> None:
    settings = load({"backends.wikipedia.language": language}, environ={}, cwd=Path("/"))
    network = Network(allow_private=False, max_bytes=1000)
    with pytest.raises(UsageError):
        make("wikipedia", Equipment(settings=settings, network=network))


def test_a_server_that_lags_asks_to_wait() -> None:
    body = {"error": {"code": "maxlag", "info": "Waiting for a database: 7 seconds lagged"}}
    found = refusal("wikipedia", Canned(json.dumps(body).encode(), headers={"Retry-After": "5"}))
    assert isinstance(found, RefusedError)
    assert (found.code, found.retry_after) == ("maxlag", 5.0)


def test_limits_and_other_errors_are_told_apart() -> None:
    limited = refusal("wikipedia", Canned(b'{"error": {"code": "ratelimited", "info": "slow"}}'))
    assert limited.code == "rate-limit"
    other = refusal("wikipedia", Canned(b'{"error": {"code": "x", "info": "no such thing"}}'))
    assert (other.message, other.retryable) == ("no such thing", False)


def test_long_questions_are_cut_to_what_is_taken() -> None:
    service = filled("wikipedia")
    ask("wikipedia", service, "pumps " * 200)
    assert len(asked(service)[0].query["srsearch"]) <= 300
