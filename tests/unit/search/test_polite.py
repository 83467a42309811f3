"""What services are owed: pauses and lock-outs."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate
from pathlib import Path

import pytest

from intelli.errors import BackendError
from intelli.records import Query
from intelli.search.pacing import Pacer, paused
from intelli.search.polite import Polite, Widening
from intelli.search.refusals import RefusedError, seconds
from tests.unit.search.services import (
    ASK,
    Service,
    ask,
    challenge,
    elapse,
    left,
    limited,
    polite,
)


@pytest.mark.parametrize(
    ("error", "pause"),
    [
        (challenge(), 300),
        (limited(), 30),
        (limited(7), 7),
        (limited(40000), 40000),
        (limited(10**9), 86400),
        (RefusedError("HTTP 503", code="http-503", retry_after=90), 90),
    ],
    ids=["challenge", "no hint", "short", "daily", "absurd", "overloaded"],
)
def test_a_refusal_is_a_pause_that_other_runs_keep_too(
    error: BackendError, pause: float, home: Path
) -> None:
    service = Service([error] * 9)
    assert ask(polite(service)) == error.code
    assert left(home) == pause
    assert ask(polite(service)) == "paused"
    assert len(service.asked) == 1, "no request into a pause"
    assert [one.name for one in paused()] == ["service"]
    elapse(home)
    assert paused() == []
    assert ask(polite(Service())) == "ok"


def test_a_failure_that_is_no_refusal_pauses_nothing(home: Path) -> None:
    errors = [
        BackendError("closed", code="http-401"),
        RefusedError("HTTP 500", code="http-500"),
        BackendError("no way", code="connection", retryable=True),
    ]
    service = Service(errors)
    assert [ask(polite(service)) for _ in range(4)] == ["http-401", "http-500", "connection", "ok"]
    assert paused() == []


def test_a_short_refusal_is_waited_out_and_the_request_repeated_once(home: Path) -> None:
    service = Service([limited(0.3)])
    assert ask(polite(service)) == "ok"
    assert service.times[1] - service.times[0] >= 0.3
    service = Service([limited(0)] * 9)
    assert ask(polite(service, identity="other")) == "rate-limit"
    assert len(service.asked) == 2


def test_what_was_retried_already_is_not_retried_again(home: Path) -> None:
    service = Service([limited(0)] * 9)
    backend = Polite(service, Pacer("service", "x"), final=True)
    with pytest.raises(BackendError) as caught:
        asyncio.run(backend.search(ASK))
    assert (caught.value.code, len(service.asked)) == ("rate-limit", 1)
    assert not isinstance(caught.value, RefusedError)


def test_the_lock_out_doubles_to_an_hour_and_ends_with_an_answer(home: Path) -> None:
    service = Service([challenge()] * 5 + [])
    pauses = []
    for _ in range(5):
        assert ask(polite(service)) == "challenge"
        pauses.append(left(home))
        elapse(home)
    assert pauses == [300, 600, 1200, 2400, 3600]
    assert ask(polite(service)) == "ok"
    service.errors = [challenge()] * 99
    ask(polite(service))
    assert left(home) == 300


def test_a_refusal_says_what_can_be_done(home: Path) -> None:
    with pytest.raises(BackendError) as caught:
        asyncio.run(polite(Service([challenge()])).search(ASK))
    assert "left alone for 5 min" in caught.value.message
    assert caught.value.hint == "set a key"


def test_other_addresses_and_keys_are_not_paused(home: Path) -> None:
    ask(polite(Service([challenge()]), identity="one"))
    assert ask(polite(Service(), identity="two")) == "ok"


def test_a_preferred_domain_is_asked_for_first_and_others_follow(home: Path) -> None:
    service = Service()
    query = Query(text="pump", urls=3, domains=("one.example.org",))
    answer = asyncio.run(Widening(polite(service)).search(query))
    assert [asked.domains for asked in service.asked] == [("one.example.org",), ()]
    assert [link.rank for link in answer.links] == [1, 2]
    service = Service([challenge()] * 2)
    assert ask(Widening(polite(service, identity="b")), query) == "challenge"


@pytest.mark.parametrize(
    ("value", "expected"),
    [("7", 7), (" 0 ", 0), ("-1", None), ("soon", None), ("", None), ("9" * 400, float("inf")),
     (formatdate(0), 0)],
)  # fmt: skip
def test_how_long_is_told_in_seconds_or_by_a_date(value: str, expected: float | None) -> None:
    assert seconds(value) == expected


def test_a_date_to_come_is_counted_from_now() -> None:
    for moment in (formatdate(time.time() + 50, usegmt=True), formatdate(time.time() + 50)):
        found = seconds(moment)
        assert found is not None and 40 < found <= 50
