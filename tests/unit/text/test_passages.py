"""Passages: what stays whole, what is joined or cut, headings and offsets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.text.passages import Passage, split

SENTENCE = "The pump drains its queue at most every forty milliseconds. "


def kinds(text: str) -> list[tuple[str, str]]:
    return [(passage.kind, passage.text) for passage in split(text)]


def test_headings_are_context_and_not_text() -> None:
    text = (
        "Lead.\n\n# Guide\n\n## [Install](x.md) `it` ##\n\nRun.\n\n# C#\n\nUse.\n\nOld\n===\n\nBye."
    )
    assert [(p.heading, p.text) for p in split(text)] == [
        ("", "Lead."),
        ("Guide > Install it", "Run."),
        ("C#", "Use."),
        ("Old", "Bye."),
    ]


def test_a_heading_with_nothing_below_it_is_not_lost() -> None:
    assert [(p.heading, p.text) for p in split("# A\n\n## B\n\n## C\n\nText.\n\n# D")] == [
        ("A", "## B"),
        ("A > C", "Text."),
        ("", "# D"),
    ]


@pytest.mark.parametrize(
    ("kind", "block"),
    [
        ("code", "```python\n# no heading\n\n\nx = 1\n```"),
        ("code", "~~~\n```\n~~~"),
        ("code", "    indented\n\n    code"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("table", "a | b\n--|--\n1 | 2"),
        ("list", "- one\n- two\n\n  more of two\n\n  ```\n  code\n\n  ```\n- three"),
        ("list", "1. one\n2. two\nlazily continued"),
    ],
)
def test_a_block_is_one_passage_of_its_kind(kind: str, block: str) -> None:
    assert kinds(f"Before.\n\n{block}\n\nAfter.") == [
        ("prose", "Before."),
        (kind, block),
        ("prose", "After."),
    ]


def test_code_that_is_never_closed_runs_to_the_end() -> None:
    assert kinds("A.\n\n```\nx\n\n# y\n")[1:] == [("code", "```\nx\n\n# y")]


def test_short_paragraphs_of_one_heading_are_joined() -> None:
    assert kinds("One.\n\nTwo.\n\n## H\n\nThree.") == [
        ("prose", "One.\n\nTwo."),
        ("prose", "Three."),
    ]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    pieces = split(SENTENCE * 40)
    assert len(pieces) > 3
    for passage in pieces:
        assert passage.text.startswith("The pump") and passage.text.endswith("milliseconds.")
        assert 300 <= len(passage.text) <= 600


def test_huge_code_and_lists_are_cut_between_lines() -> None:
    line = "value = compute(value)"
    pieces = split("```\n" + f"{line}\n" * 200 + "```")
    assert len(pieces) > 2
    assert all(row in (line, "```") for p in pieces for row in p.text.split("\n"))


def test_text_without_any_ends_is_still_cut() -> None:
    assert max(len(p.text) for p in split("x" * 10_000)) <= 700
    assert max(len(p.text) for p in split("界" * 10_000)) <= 700


def test_chinese_sentences_are_ends_too() -> None:
    pieces = split("泵每四十毫秒排空一次队列。" * 100)
    assert all(p.text.endswith("。") for p in pieces)


@given(
    st.lists(
        st.sampled_from(
            ["# H", "## H ##", "text here. More", "- item", "  deep", "    code", "```", "~~~",
             "| a | b |", "|---|", "===", "---", "", "", "\t", "1. x", "> q", "***", "a|b\r", "é漢"]
        ),
        max_size=40,
    ),
    st.integers(1, 60),
)  # fmt: skip
def test_passages_are_slices_in_order_that_miss_no_word(lines: list[str], target: int) -> None:
    text = "\n".join(lines)
    passages = split(text, target)
    end = 0
    covered = [False] * len(text)
    for passage in passages:
        assert passage.text == text[passage.start : passage.end] != ""
        assert passage.start >= end
        end = passage.end
        covered[passage.start : passage.end] = [True] * len(passage.text)
    headings = " ".join(passage.heading for passage in passages)
    missed = "".join(c if not covered[n] else " " for n, c in enumerate(text)).split()
    assert all(word.strip("#=-~") in headings for word in missed)


def test_a_target_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="target"):
        split("text", 0)


def test_empty_text_has_no_passages() -> None:
    assert split("") == split(" \n\n ") == ()
    assert isinstance(split("x")[0], Passage)


@pytest.mark.parametrize("word", ["e.g.", "i.e.", "vs.", "cf.", "ca.", "z.B."])
def test_no_passage_ends_behind_an_abbreviation(word: str) -> None:
    text = f"Some pumps, {word} the older ones of them, must be primed before they run. " * 6
    assert all(not passage.text.endswith(word) for passage in split(text, 60))
    assert len(split(text, 60)) > 5
