"""Statements of two reports are matched by their words, whatever their order and marks."""

from __future__ import annotations

import pytest

from intelli.compare.statements import MOST, Match, matches, prints_of

PAGES = {n: f"https://site{n}.test/" for n in range(1, 10)}


def compared(before: str, after: str) -> list[tuple[str, str, Match]]:
    old, new = prints_of(before, PAGES), prints_of(after, PAGES)
    found = matches(old, new)
    return [(old[m.before].statement.text, new[m.after].statement.text, m) for m in found]


def values(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    ((_, _, match),) = compared(before, after)
    return match.values


def test_order_and_marks_do_not_matter() -> None:
    before = "A widget holds 32 jobs. [1]\n\n- It is written in Rust. [2]\n- The default is `auto`."
    after = (
        "- The default is `auto`.\n- It is written in Rust. [7]\n\nA widget holds 32 jobs. [4][5]"
    )
    found = compared(before, after)
    assert len(found) == 3
    assert not any(match.changed or match.reworded for _, _, match in found)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("A widget holds 32 jobs. [1]", "A widget holds 64 jobs. [3]", (("32",), ("64",))),
        ("It takes 30 s to start. [1]", "It takes 45 s to start. [1]", (("30 s",), ("45 s",))),
        (
            "The current release is version 3.12.1. [1]",
            "The current release is version 3.13.0. [1]",
            (("3.12.1",), ("3.13.0",)),
        ),
        (
            "Support for it ends on 3 May 2026. [2]",
            "Support for it ends on 1 June 2027. [2]",
            (("3 May 2026",), ("1 June 2027",)),
        ),
        ("The mode defaults to `auto`. [1]", "The mode defaults to `off`. [1]",
         (("auto",), ("off",))),
        ("The call is safe to repeat. [1]", "The call is not safe to repeat. [1]",
         ((), ("not",))),
        ("It has 32 readers and 64 writers. [1]", "It has 64 readers and 32 writers. [1]",
         (("32", "64"), ("64", "32"))),
        ("The queue grows when idle, with an increase in load. [1]",
         "The queue grows when idle, with a decrease in load. [1]", (("increase",), ("decrease",))),
        ("It was written by Ada Lovelace. [1]", "It was written by Grace Hopper. [1]",
         (("Ada Lovelace",), ("Grace Hopper",))),
        ("```\nsize = 3\nname = a\n```", "```\nsize = 4\nname = a\n```",
         (("size = 3",), ("size = 4",))),
        ("| Plan | Jobs |\n| - | - |\n| Free | 32 |", "| Plan | Jobs |\n| - | - |\n| Free | 64 |",
         (("32",), ("64",))),
    ],
)  # fmt: skip
def test_another_value_of_the_same_subject_is_a_change(
    before: str, after: str, expected: tuple[tuple[str, ...], tuple[str, ...]]
) -> None:
    assert values(before, after) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It takes 1,500 ms to start. [1]", "It takes 1.5 seconds to start. [1]"),
        ("Ends on 3 May 2026 for everyone. [1]", "Ends on May 3, 2026 for everyone. [1]"),
        ("The widget keeps its jobs in memory. [1]", "The widget keeps jobs in memory. [1]"),
        ("It was made by Russian engineers. [1]", "It was made by engineers of Russia. [1]"),
        ("It is used by Ada. [1]", "It is used by many. [1]"),
        ("A widget **holds** 32 jobs. [1]", "A widget holds 32 jobs. [2]"),
    ],
)
def test_the_same_value_in_other_words_is_no_change(before: str, after: str) -> None:
    assert values(before, after) == ((), ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The pump P1 moves 12 litres at 1 bar. [1]", "The pump P2 moves 13 litres at 2 bar. [2]"),
        ("A widget holds 32 jobs. [1]", "The licence costs 40 euros a year. [1]"),
        ("| Free | 32 |\n| - | - |\n| Basic | 32 |", "| Paid | 32 |\n| - | - |\n| Large | 32 |"),
        ("A widget holds jobs.", "```\na widget holds jobs\n```"),
    ],
)
def test_other_subjects_are_not_matched(before: str, after: str) -> None:
    assert compared(before, after) == []


def test_each_statement_is_matched_once_with_the_most_alike() -> None:
    before = (
        "The free plan allows 10 calls a minute. [1] The paid plan allows 90 calls a minute. [1]"
    )
    after = (
        "The paid plan allows 95 calls a minute. [1] The free plan allows 10 calls a minute. [1]"
    )
    found = {old[:8]: (new[:8], match.values) for old, new, match in compared(before, after)}
    assert found == {
        "The paid": ("The paid", (("90 calls a minute",), ("95 calls a minute",))),
        "The free": ("The free", ((), ())),
    }


def test_a_report_without_end_is_cut() -> None:
    endless = "\n\n".join(f"Part {n} of the machine weighs {n} kg." for n in range(MOST + 50))
    assert len(prints_of(endless, {})) == MOST
