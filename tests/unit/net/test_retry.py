"""What servers say of when to come back, and what is made of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from intelli.net.messages import Response
from intelli.net.retry import MAX_DELAY, asked_delay, retry_delay


def refusal(value: str | None, status: int = 429) -> Response:
    headers = {} if value is None else {"retry-after": value}
    return Response(status=status, url="http://a.example/", headers=headers, body=b"")


@pytest.mark.parametrize(
    ("value", "asked", "waited"),
    [("0", 0, 0), (" 5 ", 5, 5), ("10", 10, 10), ("11", 11, None), ("86400", 86400, None),
     ("9" * 5000, 1e9, None), ("-1", None, None), ("1.5", None, None), ("soon", None, None),
     ("", None, None), (None, None, None), ("\u0665", None, None), ("1e3", None, None),
     ("Fri, 99 Foo 2026", None, None), ("Thu, 01 Jan 1970 00:00:00 GMT", 0, 0),
     ("Mon, 01 Jan 99999 00:00:00 GMT", None, None)],
)  # fmt: skip
def test_seconds_and_dates_are_understood_and_nothing_else(
    value: str | None, asked: float | None, waited: float | None
) -> None:
    for status in (429, 503):
        assert asked_delay(refusal(value, status)) == asked
        assert retry_delay(refusal(value, status)) == waited


def test_a_date_is_as_far_off_as_it_is() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=5), usegmt=True)
    later = format_datetime(datetime.now(UTC) + timedelta(days=2), usegmt=True)
    delay = retry_delay(refusal(soon))
    assert delay is not None and 0 < delay <= MAX_DELAY
    assert retry_delay(refusal(later)) is None
    assert (asked_delay(refusal(later)) or 0) > 86400


@pytest.mark.parametrize("status", [200, 403, 404, 500, 502])
def test_other_answers_are_not_asked_for_again(status: int) -> None:
    assert retry_delay(refusal("0", status)) is None
