"""Earlier sessions are offered when their questions share words that matter."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from intelli.records import Query
from intelli.store.questions import Questions
from intelli.store.summary import Summary
from intelli.suggest.related import PERHAPS, related

SESSIONS = [
    ("s-async", "How does Python asyncio handle cancellation?", "2026-01-01T10:00:00Z"),
    ("s-group", "asyncio TaskGroup cancellation semantics", "2026-01-02T10:00:00Z"),
    ("s-pizza", "best pizza dough recipe", "2026-01-03T10:00:00Z"),
    ("s-worker", "Cloudflare D1 worker API", "2026-01-04T10:00:00Z"),
    ("s-wheel", "Python packaging with hatchling", "2026-01-05T10:00:00Z"),
    ("s-plague", "鼠疫在奥斯曼帝国持续了多久？", "2026-01-06T10:00:00Z"),
    ("s-lease", "Когда истекает аренда?", "2026-01-07T10:00:00Z"),
]


def asked(sessions: Iterable[tuple[str, str, str]]) -> Questions:
    return Questions(
        sessions=tuple(
            Summary(name=name, query=query, timestamp=timestamp)
            for name, query, timestamp in sessions
        )
    )


def found(question: str, focus: str = "", limit: int = 5) -> list[str]:
    return [
        each.session for each in related(Query(text=question, focus=focus), asked(SESSIONS), limit)
    ]


def test_the_closest_question_comes_first() -> None:
    assert found("asyncio cancellation in a TaskGroup")[:2] == ["s-group", "s-async"]


def test_other_subjects_are_left_out() -> None:
    assert "s-pizza" not in found("asyncio cancellation in a TaskGroup")


@pytest.mark.parametrize(
    "question",
    ["weather in Python town", "what is the best way to do this", "quantum gravity", "", "???"],
)
def test_nothing_is_offered_below_the_threshold(question: str) -> None:
    assert found(question) == []


@pytest.mark.parametrize(
    ("question", "session"),
    [("奥斯曼帝国的鼠疫", "s-plague"), ("аренда истекает", "s-lease"), ("pizza", "s-pizza")],
)
def test_any_writing_and_a_single_word(question: str, session: str) -> None:
    assert found(question) == [session]


def test_why_names_the_shared_words_as_they_were_written() -> None:
    (offered,) = related(Query(text="D1 limits of a worker"), asked(SESSIONS))
    assert (offered.query, offered.timestamp) == (SESSIONS[3][1], SESSIONS[3][2])
    assert "D1" in offered.why
    assert "worker" in offered.why
    assert "Cloudflare" not in offered.why


def test_the_focus_counts_too() -> None:
    assert "s-worker" not in found("databases at the edge")
    assert "s-worker" in found("databases", focus="Cloudflare D1 worker")


def test_the_same_question_is_offered_once_in_its_newest_session() -> None:
    twice = [*SESSIONS, ("s-new", "Best  Pizza dough recipe", "2026-03-01T10:00:00Z")]
    offered = related(Query(text="pizza dough"), asked(twice))
    assert [each.session for each in offered] == ["s-new"]


def test_the_limit_is_kept() -> None:
    many = [(f"s{n}", f"pizza dough number {n}", f"2026-01-{n:02}") for n in range(1, 20)]
    assert len(related(Query(text="pizza dough"), asked(many))) == 5
    assert len(related(Query(text="pizza dough"), asked(many), limit=2)) == 2
    assert related(Query(text="pizza dough"), asked(many), limit=0) == ()


def test_of_equally_close_sessions_the_newer_comes_first() -> None:
    pair = [("old", "pizza oven heat", "2026-01-01"), ("new", "pizza oven stone", "2026-02-01")]
    offered = related(Query(text="pizza oven"), asked(pair))
    assert [each.session for each in offered] == ["new", "old"]


def test_a_judge_is_offered_what_is_less_close_but_never_what_shares_nothing() -> None:
    question = Query(text="how does Python handle cancellation of a worker in asyncio")
    close = related(question, asked(SESSIONS))
    perhaps = related(question, asked(SESSIONS), 20, enough=PERHAPS)
    assert perhaps[: len(close)] == close and len(perhaps) > len(close)
    assert "s-pizza" not in {each.session for each in perhaps}


def test_no_sessions_no_offer() -> None:
    assert related(Query(text="pizza"), asked([])) == ()
