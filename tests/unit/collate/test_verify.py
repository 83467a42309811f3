"""Verification: the status of a claim, what is missing, where the evidence stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.collate.verify import verify
from intelli.records import Claim

TIDE = """# Tide gauge manual

> Source: https://gauge.example/manual
> Fetched: 2031-05-06T07:08:09+00:00

---

The gauge reports every 90 seconds. Pass `--dry-run` to print readings without sending them.
Readings below 12 mm are dropped since version 4.7.2. The relay does not store raw readings.
The station was opened on 3 March 2014 by Edda Lindqvist.

```
gauge.send(level, unit="mm")
```
"""
BUOY = """# Buoy handbook

> Source: https://buoy.example/book

---

A buoy wakes every 45 minutes and calls `flush_queue()` before it sleeps. Its battery lasts 14
months. The hull is checked twice a year.
"""
SOURCES = {1: TIDE, 2: BUOY}


def check(text: str) -> Claim:
    (claim,) = verify(text, SOURCES)
    return claim


def evidence(claim: Claim) -> list[str]:
    return [SOURCES[each.source][each.start : each.end] for each in claim.evidence]


@pytest.mark.parametrize(
    ("text", "status", "missing"),
    [
        ("It reports every 90 seconds [1].", "verified", ()),
        ("Use `--dry-run` and `--verbose` [1].", "partial", ("--verbose",)),
        ("Call `flush_queue()` first [1].", "misattributed", ("flush_queue()",)),
        ("Call `drop_queue()` first [1].", "unsupported", ("drop_queue()",)),
        ("It reports every 90 seconds [7].", "unsupported", ("[7]",)),
        ("It reports every 90 seconds.", "uncited", ()),
        ("It drops readings below 14 mm [1].", "unsupported", ("14 mm",)),
        ("It is pleasant to work with [1].", "prose", ()),
        ("It reports every 90 seconds [1][7].", "partial", ("[7]",)),
        ("A wake-up takes 45 minutes and 90 seconds [1][2].", "verified", ()),
    ],
)
def test_a_claim_has_the_status_of_its_details(
    text: str, status: str, missing: tuple[str, ...]
) -> None:
    claim = check(text)
    assert (claim.status, claim.missing) == (status, missing)


def test_evidence_is_the_wording_of_the_source_at_its_place() -> None:
    assert evidence(check("It reports every 90 seconds [1].")) == ["90 seconds"]
    assert evidence(check("Set **`--dry-run`** [1]")) == ["--dry-run"]
    misattributed = check("Call `flush_queue()` first [1].")
    assert [each.source for each in misattributed.evidence] == [2]
    assert evidence(misattributed) == ["flush_queue()"]


def test_the_title_counts_as_source_and_the_day_of_the_download_does_not() -> None:
    assert check("Such is the “Tide gauge Manual” of old [1].").status == "verified"
    assert check("Read the Buoy handbook for `flush_queue` [2].").status == "verified"
    assert check("See https://www.gauge.example/manual/ [1]").status == "verified"
    assert check("It changed on 2031-05-06 [1].").status == "unsupported"


@pytest.mark.parametrize(
    "text",
    [
        "The relay does store raw readings [1].",
        "The relay stores raw readings [1].",
        "The gauge does not report every 90 seconds [1].",
        "The gauge reports every 12 seconds [1].",
        "The gauge reports every 90 minutes [1].",
        "The station was opened on 3 March 2015 by Edda Lindqvist [1].",
        "The station was closed on 3 March 2014 by Edda Lindqvist [1].",
        "Readings above 12 mm are dropped since version 4.7.2 [1].",
        "Readings below 12 mm are dropped since version 4.7.3 [1].",
        "A buoy wakes every 14 minutes and calls `flush_queue()` before it sleeps [2].",
    ],
)
def test_a_sentence_that_differs_from_its_source_in_one_point_is_flagged(text: str) -> None:
    claim = check(text)
    assert claim.status in ("partial", "unsupported")
    assert claim.missing


def test_a_figure_of_the_same_page_in_the_wrong_place_is_missing() -> None:
    assert check("The gauge reports every 12 seconds [1].").missing == ("12 seconds",)


def test_an_identifier_of_the_same_page_in_the_wrong_place_is_missing() -> None:
    page = "The `poll_rate` option sets the delay.\n\nRoom is left by `max_size` alone."
    (claim,) = verify("The `max_size` option sets the delay [1].", {1: page})
    assert (claim.status, claim.missing) == ("partial", ("max_size",))


def test_a_sentence_of_another_source_is_misattributed_even_without_a_detail() -> None:
    (claim,) = verify(
        "The hull is carefully checked by divers before every storm [1].",
        {1: "Nothing of the kind.", 2: "The hull is carefully checked by divers before a storm."},
    )
    assert claim.status == "misattributed"


def test_a_sentence_taken_over_word_for_word_is_verified() -> None:
    (claim,) = verify(
        "According to the book, keepers paint the hull before they launch it [1].",
        {1: "By custom, keepers paint the hull before they launch it."},
    )
    assert claim.status == "verified"


def test_code_is_checked_line_by_line_and_white_space_is_free() -> None:
    good, bad = 'gauge.send(level,unit="mm")', "gauge.stop(now)"
    assert check(f"```\n{good}\n```\n[1]").status == "verified"
    claim = check(f"```\n{good}\n{bad}\n```\n[1]")
    assert (claim.status, claim.missing) == ("partial", (bad,))


def test_claims_come_in_document_order_with_their_place() -> None:
    text = "- One has 90 seconds [1]. Two has 45 minutes [2].\n- Three [1]"
    found = verify(text, SOURCES)
    assert [(each.item, text[each.start : each.end]) for each in found] == [
        (1, "One has 90 seconds [1]."),
        (1, "Two has 45 minutes [2]."),
        (2, "Three [1]"),
    ]


def test_no_text_and_no_sources_are_no_error() -> None:
    assert verify("", {}) == () == verify(" \n\n", SOURCES)
    assert verify("A fact: 4 mm [1].", {})[0].status == "unsupported"
    assert verify("A fact: 4 mm.", {})[0].status == "uncited"
    assert verify("A fact: 4 mm [1].", {1: ""})[0].status == "unsupported"


HARBOR = "# Retry policy of the Harbor client\n\nIt waits 8 s; see `drop()` by Edda Lindqvist."


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("The Harbor client deletes all your data. [1]", "prose"),
        ("Harbor's policy deletes all your data. [1]", "prose"),
        ("The Harbor client by Edda Lindqvist deletes all. [1]", "verified"),
        ("The Harbor client waits 8 s. [1]", "verified"),
        ("The `Harbor` client deletes all your data. [1]", "verified"),
        ("It is the “Retry policy” of all your data. [1]", "verified"),
        ("The Haven client deletes all your data. [1]", "unsupported"),
        ("The Harbor client of the Haven deletes all your data. [1]", "partial"),
    ],
)
def test_the_subject_of_a_page_alone_verifies_nothing(text: str, status: str) -> None:
    (claim,) = verify(text, {1: HARBOR})
    assert claim.status == status


TIMEOUTS = "The connect timeout is 5 s and the read timeout is 30 s."
LOWERED = "In version 2.0 the limit was lowered from 5 to 4."
CODES = (
    "| status | retried | note |\n| --- | --- | --- |\n"
    "| 500 | no | treated as a bug |\n| 503 | yes | 9 s |\n| 504 | yes | 7 s |"
)


@pytest.mark.parametrize(
    ("text", "source", "missing"),
    [
        (
            "The connect timeout is 30 s and the read timeout is 5 s. [1]",
            TIMEOUTS,
            ("30 s", "5 s"),
        ),
        ("The read timeout is 5 s. [1]", TIMEOUTS, ("5 s",)),
        ("The limit was lowered from 4 to 5. [1]", LOWERED, ("4", "5")),
        ("The limit was lowered from 4 to 5 in version 2.0. [1]", LOWERED, ("4",)),
        (
            "The default is 10 connections and 20 keepalives. [1]",
            "The default is 20 connections and 10 keepalives.",
            ("10", "20"),
        ),
        ("| 500 | yes [1] |", CODES, ("yes",)),
        ("| 503 | 7 s [1] |", CODES, ("7 s",)),
    ],
)
def test_figures_and_answers_in_one_anothers_place_are_missing(
    text: str, source: str, missing: tuple[str, ...]
) -> None:
    (claim,) = verify(text, {1: source})
    assert claim.status in ("partial", "unsupported")
    assert claim.missing == missing


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The read timeout is 30 s and the connect timeout is 5 s. [1]", TIMEOUTS),
        ("5 s is the connect timeout, 30 s the read timeout. [1]", TIMEOUTS),
        ("The limit was lowered to 4 from 5 in version 2.0. [1]", LOWERED),
        ("| 503 | 9 s | yes [1] |", CODES),
        ("| 500 | no [1] |", CODES),
        ("| 501 | yes, as 503 in 7 s [1] |", CODES + "\n\n501 is new."),
    ],
)
def test_parts_and_cells_in_another_order_keep_their_figures(text: str, source: str) -> None:
    (claim,) = verify(text, {1: source})
    assert claim.status == "verified"


@pytest.mark.parametrize(
    ("text", "status", "missing"),
    [
        ("The ceiling is 8 s [2], and the read timeout is 30 s [1].", "verified", ()),
        ("The ceiling is 9 s [2], and the read timeout is 30 s [1].", "partial", ("9 s",)),
        ("The ceiling is 8 s [2], and the read timeout is 31 s [1].", "partial", ("31 s",)),
        ("The ceiling is 8 s [2], and the connect timeout is 30 s [1].", "partial", ("30 s",)),
    ],
)
def test_marks_inside_a_sentence_cite_what_stands_before_them(
    text: str, status: str, missing: tuple[str, ...]
) -> None:
    delays = "The delay doubles, up to a ceiling of 8 s."
    (claim,) = verify(text, {1: TIMEOUTS, 2: delays})
    assert (claim.status, claim.missing) == (status, missing)


def test_a_number_of_things_is_not_misattributed_to_a_page_with_a_measure() -> None:
    (claim,) = verify("It makes five attempts. [1]", {1: "It waits.", 2: "It waits 5 seconds."})
    assert (claim.status, claim.missing) == ("unsupported", ("five",))


@given(st.text(max_size=120), st.text(max_size=120))
def test_no_text_and_no_source_makes_it_raise(text: str, source: str) -> None:
    for claim in verify(f"{text} [1]", {1: source}):
        assert all(0 <= each.start <= each.end <= len(source) for each in claim.evidence)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "text",
    [
        "x" * 400_000,
        "`" * 50_001,
        "[" * 50_000,
        "[a](" * 20_000,
        "(a" * 50_000,
        "a_" * 50_000,
        "/a" * 50_000,
        "1,2," * 30_000,
        "march 5 " * 20_000,
        "one hundred and " * 20_000,
        "hundred " * 200_000,
        "million " * 50_000,
        "It moves 12 litres " + "[1]" * 50_000,
        "4 500 " * 20_000,
        "5:30 pm 1/2 " * 10_000,
        "|" * 50_000 + "\n" + "|-" * 900,
        "|" * 50_000 + " a ",
        "| a | 5 |\n" * 5_000,
        "It is 5 s [1], " * 2_000,
        "from 4 to 5 " * 10_000,
        " " * 100_000 + "|" + " " * 100_000,
        "- x\n" * 5_000,
        "\ud800\x00\x1b[31m",
    ],
    ids=lambda text: text[:6].encode("unicode_escape").decode(),
)
def test_hostile_text_is_checked_in_bounded_time(text: str) -> None:
    checked = text + " [1]"
    for claim in verify(checked, {1: TIDE}):
        assert checked[claim.start : claim.end] == claim.text
    (claim,) = verify("The gauge `zz_a` reports every 90 seconds [1].", {1: text})
    assert claim.status == "unsupported"
