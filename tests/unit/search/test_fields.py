"""Values of JSON, whatever their type."""

from __future__ import annotations

import pytest

from intelli.errors import BackendError
from intelli.records import Link
from intelli.search import fields
from intelli.search.refusals import RefusedError

ODD = [None, True, 7, 1.5, float("nan"), float("inf"), 10**400, "", "x", [], [1], {}, {"a": 1}]


@pytest.mark.parametrize("value", ODD)
def test_no_value_is_a_fault(value: object) -> None:
    row = {"v": value}
    assert isinstance(fields.text(row, "v"), str)
    assert isinstance(fields.markup(row, "v"), str)
    assert isinstance(fields.snippet(row, "v"), str)
    assert isinstance(fields.listed(row, "v"), list)
    assert isinstance(fields.inner(row, "v"), dict)
    assert fields.number(row, "v") in (None, 7, 1)
    assert fields.date(row, "v") in (None, "1970-01-01")
    assert fields.address(row, "v") == ""


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("2026-03-04T10:00:00Z", "2026-03-04"),
        (" 2026-03-04", "2026-03-04"),
        (1_769_904_000, "2026-02-01"),
        ("some Tuesday", None),
        (-(10**14), None),
        (10**14, None),
    ],
)
def test_dates_are_iso_or_unix(value: object, date: str | None) -> None:
    assert fields.date({"v": value}, "v") == date


def test_rows_are_the_objects_of_a_list() -> None:
    assert fields.rows({"v": [1, None, {"a": 1}, [], "x"]}, "v") == [{"a": 1}]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"error": {"message": "quota used up"}}, "rate-limit"),
        ({"errors": [{"message": "no such index"}]}, "refused"),
        ({"message": "no such index"}, "refused"),
        ({"v": {"a": 1}}, "layout-changed"),
        ({}, "layout-changed"),
    ],
)
def test_what_stands_in_place_of_a_list_is_the_error(data: dict[str, object], code: str) -> None:
    with pytest.raises(BackendError) as caught:
        fields.rows(data, "v")
    assert caught.value.code == code
    assert isinstance(caught.value, RefusedError) == (code == "rate-limit")


def test_links_are_ranked_without_those_that_lead_nowhere() -> None:
    answer = fields.answer(
        "x", [Link(url="https://a.example"), None, Link(url="https://b.example")]
    )
    assert [(link.rank, link.backend) for link in answer.links] == [(1, "x"), (2, "x")]
