"""Several backends at once: how many, and how their links become one list."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from intelli.errors import NoLinks
from intelli.records import Query
from intelli.search.backend import Family
from tests.unit.search.fixed import ASK, FOREVER, A, B, C, Fixed, run, warnings

SHARED = "https://shared.example.org/"


def test_several_backends_at_once_rank_shared_pages_first_and_name_who_knew_them() -> None:
    answer, events = run(
        ASK,
        Fixed("one", [A, A, SHARED], delay=0.1),
        Fixed("two", [B, "http://shared.example.org"]),
        Fixed("three", errors=FOREVER),
        thorough=True,
    )
    assert answer.links[0].url == SHARED
    assert answer.links[0].backend == "one, two"
    assert {link.url for link in answer.links[1:]} == {A, B}
    assert answer.backend == "one, two"
    assert warnings(events) == []


def test_one_that_fails_is_a_warning_and_makes_room_for_the_next() -> None:
    answer, events = run(
        ASK, Fixed("one", errors=FOREVER), Fixed("two", [B]), Fixed("three", [C]), thorough=True
    )
    assert answer.backend == "two, three"
    assert warnings(events) == ["one failed: it is closed"]


def test_one_that_is_late_is_a_warning_too() -> None:
    answer, events = run(ASK, Fixed("one", [A]), Fixed("two", delay=60), thorough=True, limit=0.3)
    assert answer.backend == "one"
    assert warnings(events) == ["two gave no answer within 0.3 s"]


def test_at_most_two_of_a_family_are_asked_at_once() -> None:
    families: Sequence[Family] = ("web", "web", "web", "code", "code", "code", "papers")
    backends = [
        Fixed(f"b{n}", [f"https://h{n}.example.org/"], delay=0.1, family=family)
        for n, family in enumerate(families)
    ]
    answer, _ = run(Query(text="pump", urls=2), *backends, thorough=True)
    assert answer.backend == "b0, b1, b3, b4"
    assert max(peer for backend in backends for peer in backend.peers) == 4
    assert len(answer.links) == 4, "one cap on the total"


def test_all_at_once_failing_is_a_failure() -> None:
    with pytest.raises(NoLinks, match=r"one failed.*two failed"):
        run(ASK, Fixed("one", errors=FOREVER), Fixed("two", errors=FOREVER), thorough=True)
