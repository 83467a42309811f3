"""Marks of sources that there are not read `[?]`, and what they were for is flagged ever after."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.collate.invented import without_invented_marks
from intelli.collate.verify import verify
from intelli.records import Claim, Conflict, Link, Position, Report, Source

SOURCES = tuple(Source(n=n, link=Link(url=f"https://s{n}.example/"), status="ok") for n in (1, 3))
TEXTS = {1: "# A\n\nThe pump moves 12 litres.", 3: "# B\n\nIt weighs 7 kg."}


def cleaned(summary: str, **parts: object) -> Report:
    report = Report(summary=summary, claims=verify(summary, TEXTS))
    return without_invented_marks(replace(report, **parts), SOURCES)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It moves 12 litres [9].", "It moves 12 litres [?]."),
        ("It moves 12 litres[9].", "It moves 12 litres [?]."),
        ("It moves 12 litres [8, 9].", "It moves 12 litres [?]."),
        ("It moves 12 litres [1][9].", "It moves 12 litres [1][?]."),
        ("It moves 12 litres [1, 9].", "It moves 12 litres [1][?]."),
        ("It moves 12 litres [1-3].", "It moves 12 litres [1, 3][?]."),
        ("It moves 12 litres.[2] It weighs 7 kg.[3]", "It moves 12 litres.[?] It weighs 7 kg.[3]"),
        ("It moves【9†x】 12 litres [1].", "It moves [?] 12 litres [1]."),
        ("It moves 12 litres [1] and `x[7]`.", "It moves 12 litres [1] and `x[7]`."),
        (
            "Take it [1]:\n\n```c\nargv[7] = x[9];\n```",
            "Take it [1]:\n\n```c\nargv[7] = x[9];\n```",
        ),
        ("Its name is argv[7].name [1].", "Its name is argv[7].name [1]."),
        (
            "See [the docs [9]](https://s1.example/) [1].",
            "See [the docs [?]](https://s1.example/) [1].",
        ),
        ("It moves 12 litres[^1].", "It moves 12 litres[1]."),
        ("It moves 12 litres [Sources 1, 3].", "It moves 12 litres [1, 3]."),
        ("It moves 12 litres 【3†x】.", "It moves 12 litres [3]."),
        (
            "It moves [1-1].\n\n[^1]: https://s1.example/",
            "It moves [1-1].\n\n[^1]: https://s1.example/",
        ),
        ("Nothing is cited.", "Nothing is cited."),
        ("It moves 12 litres [?].", "It moves 12 litres [?]."),
        ("", ""),
    ],
)
def test_only_marks_without_a_source_change(text: str, left: str) -> None:
    assert cleaned(text).summary == left


def test_each_is_said_once() -> None:
    warnings = cleaned("A pump [9]. A filter [2][9].").warnings
    assert [w for w in warnings if "[2]" in w or "[9]" in w] == list(warnings)
    assert len(warnings) == 2


def test_claims_keep_their_status_and_stand_where_the_text_is_now() -> None:
    report = cleaned("It moves 12 litres [9].\n\nIt weighs 7 kg [2][3].\n\nIt weighs 7 kg [3].")
    for claim in report.claims:
        assert report.summary[claim.start : claim.end] == claim.text
    assert [claim.status for claim in report.claims] == ["unsupported", "partial", "verified"]


PIECES = (
    "It moves 12 litres", "It weighs 7 kg", "a b", "`x[9]`", "x[?]y", "[1]", "[9]", " [2][3]",
    "[8-9]", "[1, 9]", "[?]", ".", ". ", "\n\n", "\n- ", "\n| ", " | ", "\n```\n", " ",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_the_text_that_is_kept_is_verified_as_the_one_that_came(text: str) -> None:
    report = cleaned(text)
    again = verify(report.summary, TEXTS)
    assert [(c.text, c.status) for c in again] == [(c.text, c.status) for c in report.claims]
    assert cleaned(report.summary).summary == report.summary


def test_very_many_marks_take_no_time() -> None:
    text = "It moves 12 litres [9]. " * 20_000
    places = [(k * 24, k * 24 + 23) for k in range(20_000)]
    claims = tuple(Claim(text=text[:23], status="prose", start=a, end=b) for a, b in places)
    report = without_invented_marks(Report(summary=text, claims=claims), SOURCES)
    assert "[9]" not in report.summary
    last = report.claims[-1]
    assert report.summary[last.start : last.end] == last.text == "It moves 12 litres [?]."


def test_a_report_without_invented_marks_is_the_same() -> None:
    report = Report(summary="It moves 12 litres [1].", claims=verify("It moves [1].", TEXTS))
    assert without_invented_marks(report, SOURCES) == report


def test_conflicts_and_the_assessment_name_no_such_source_either() -> None:
    def side(*sources: int) -> Position:
        return Position(statement="x", sources=sources)

    conflicts = tuple(
        Conflict(topic=topic, kind="figure", positions=sides)
        for topic, sides in (
            ("kept", (side(1), side(3, 9))),
            ("one-sided", (side(1), side(9))),
            ("fewer", (side(1), side(3), side(8))),
        )
    )
    report = cleaned("x [1]", conflicts=conflicts, assessment="- [1] good\n- [9] odd")
    assert [c.topic for c in report.conflicts] == ["kept", "fewer"]
    assert [p.sources for p in report.conflicts[0].positions] == [(1,), (3,)]
    assert report.assessment == "- [1] good\n- [?] odd"
    assert {w.split("]")[0] for w in report.warnings} == {
        "the report cited [8", "the report cited [9",
    }  # fmt: skip


def test_an_address_that_is_in_no_source_is_flagged() -> None:
    claims = verify("Read https://invented.example/pump for more [1].", TEXTS)
    assert claims[0].status in ("unsupported", "partial")
    assert any("invented.example" in missing for missing in claims[0].missing)
