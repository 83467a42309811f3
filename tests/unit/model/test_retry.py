"""How long a call waits before it is tried again."""

from __future__ import annotations

from email.utils import formatdate
from time import time

import pytest

from intelli.model.retry import MAX_DELAY, delay_before, parse_retry_after


def test_a_hostile_hint_is_cut() -> None:
    assert delay_before(1, 86_400) <= MAX_DELAY * 1.5


def test_callers_refused_together_do_not_come_back_together() -> None:
    delays = {delay_before(2, 1.0) for _ in range(20)}
    assert len(delays) > 10
    assert min(delays) >= 1.0


def test_the_longer_the_hint_the_wider_they_are_spread() -> None:
    delays = [delay_before(1, 10.0) for _ in range(100)]
    assert max(delays) - min(delays) > 2
    assert min(delays) >= 10.0


@pytest.mark.parametrize("value", [None, "", "soon", "nan", "Mon, 99 Foo"])
def test_garbage_is_no_hint(value: str | None) -> None:
    assert parse_retry_after(value) is None


def test_a_hint_is_seconds_or_a_date() -> None:
    assert parse_retry_after("2.5") == 2.5
    assert parse_retry_after("-3") == 0
    seconds = parse_retry_after(formatdate(time() + 30, usegmt=True))
    assert seconds is not None
    assert 25 < seconds <= 30
