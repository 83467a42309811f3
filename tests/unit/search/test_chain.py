"""The chain: order, falling back, domain rules and duplicates."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from intelli.errors import BackendError, IntelliError, NoLinks, UsageError
from intelli.events import Event, LinksFound, Warned
from intelli.records import Answer, Link, Query
from intelli.search.chain import search, search_all


@dataclass
class Fixed:
    """A backend that always answers the same, or fails the same way."""

    name: str
    urls: Sequence[str] = ()
    error: IntelliError | None = None
    asked: list[Query] = field(default_factory=list)

    async def search(self, query: Query) -> Answer:
        self.asked.append(query)
        if self.error:
            raise self.error
        links = [
            Link(url=url, rank=n, title=f"{self.name} {n}", backend=self.name)
            for n, url in enumerate(self.urls, 1)
        ]
        return Answer(links=tuple(links), text="said", backend=self.name)


def run(query: Query, *backends: Fixed, everything: bool = False) -> tuple[Answer, list[Event]]:
    events: list[Event] = []
    ask = search_all if everything else search
    return asyncio.run(ask(query, backends, events.append)), events


def found(query: Query, *urls: str) -> list[str]:
    answer, _ = run(query, Fixed("one", urls))
    return [link.url for link in answer.links]


ASK = Query(text="pump", urls=3)


def test_the_first_backend_with_links_answers() -> None:
    second = Fixed("two", ["https://b.example.org/"])
    answer, events = run(ASK, Fixed("one", ["https://a.example.org/"]), second)
    assert (answer.backend, answer.text) == ("one", "said")
    assert second.asked == []
    assert events == [LinksFound(backend="one", links=1)]


def test_failed_empty_and_useless_answers_move_on_and_say_so() -> None:
    answer, events = run(
        ASK,
        Fixed("one", error=BackendError("it is closed", code="closed")),
        Fixed("two"),
        Fixed("three", ["ftp://a.example.org/", "javascript:alert(1)", "file:///etc/passwd"]),
        Fixed("four", ["https://d.example.org/"]),
    )
    assert answer.backend == "four"
    said = [event.message for event in events if isinstance(event, Warned)]
    assert "one failed: it is closed" in said[0]
    assert "two found nothing" in said[1]
    assert "three" in said[2]


def test_nothing_at_all_names_every_backend_and_its_fate() -> None:
    with pytest.raises(NoLinks) as caught:
        run(
            ASK,
            Fixed("one", error=BackendError("busy", code="busy", hint="wait", retryable=True)),
            Fixed("two"),
        )
    assert "one failed: busy" in caught.value.message
    assert "two found nothing" in caught.value.message
    assert (caught.value.exit_code, caught.value.outcome) == (3, "no-links")
    assert caught.value.retryable
    assert caught.value.hint == "wait"


@pytest.mark.parametrize("everything", [False, True])
def test_a_usage_error_is_never_swallowed(everything: bool) -> None:
    with pytest.raises(UsageError, match="wrong"):
        run(
            ASK,
            Fixed("one", error=UsageError("wrong")),
            Fixed("two", ["https://b.example.org/"]),
            everything=everything,
        )


def test_duplicates_are_dropped_before_the_cut() -> None:
    same = [
        "https://a.example.org/x?utm_source=m",
        "http://www.a.example.org/x/",
        "https://A.example.org/x#y",
    ]
    more = [f"https://b.example.org/{n}" for n in range(9)]
    urls = found(ASK, *same, *more)
    assert urls[0] == "https://a.example.org/x"
    assert urls[1:] == more[:5]
    assert len(urls) == 2 * ASK.urls


def test_links_are_ranked_anew() -> None:
    answer, _ = run(
        ASK, Fixed("one", ["mailto:x", "https://a.example.org/", "https://b.example.org/"])
    )
    assert [link.rank for link in answer.links] == [1, 2]


def test_preferred_domains_come_first_with_their_subdomains() -> None:
    query = Query(text="pump", domains=("example.org",))
    urls = found(
        query, "https://x.example.com/", "https://docs.example.org/", "https://notexample.org/"
    )
    assert urls == [
        "https://docs.example.org/",
        "https://x.example.com/",
        "https://notexample.org/",
    ]


def test_only_and_excluded_domains_are_enforced_on_what_comes_back() -> None:
    query = Query(
        text="pump", only_domains=("https://Example.org/",), exclude_domains=("bad.example.org",)
    )
    urls = found(
        query,
        "https://example.com/",
        "https://a.example.org/",
        "https://bad.example.org/",
        "https://very.bad.example.org/",
        "https://www.example.org/",
    )
    assert urls == ["https://a.example.org/", "https://www.example.org/"]


def test_local_files_pass_only_from_the_index_of_local_files() -> None:
    query = Query(text="pump", only_domains=("example.org",))
    answer, _ = run(query, Fixed("docs", ["file:///home/u/a%20b.md"]))
    assert answer.links[0].url == "file:///home/u/a%20b.md"


def test_several_backends_at_once_rank_shared_pages_first() -> None:
    answer, events = run(
        ASK,
        Fixed("one", ["https://a.example.org/", "https://shared.example.org/"]),
        Fixed("two", ["https://b.example.org/", "http://shared.example.org"]),
        Fixed("three", error=BackendError("busy")),
        everything=True,
    )
    assert answer.links[0].url == "https://shared.example.org/"
    assert {link.url for link in answer.links[1:]} == {
        "https://a.example.org/",
        "https://b.example.org/",
    }
    assert answer.backend == "one, two"
    assert Warned(message="three failed: busy") in events
