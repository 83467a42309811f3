"""Pieces of cut blocks read alone, and no page makes that take long."""

from __future__ import annotations

import pytest

from intelli.extract.mending import mended
from intelli.text.passages import split


def pieces(text: str) -> list[str]:
    return [passage.text for passage in mended(text, split(text, 100))]


def test_each_piece_of_a_long_code_block_has_both_fences() -> None:
    text = "~~~py\n" + "\n".join(f"value_{n} = make({n})" for n in range(60)) + "\n~~~\n\nThe end."
    *code, end = pieces(text)
    assert len(code) > 2 and end == "The end."
    assert all(part.startswith("~~~py\n") and part.endswith("\n~~~") for part in code)


def test_each_piece_of_a_long_table_has_its_head() -> None:
    head = "| name | value |\n| :-- | --: |"
    text = head + "".join(f"\n| value {n} | {n} |" for n in range(60))
    found = pieces(text)
    assert len(found) > 2
    assert all(part.startswith(head) and part.count(head) == 1 for part in found)


def test_a_block_that_is_left_open_is_closed() -> None:
    assert pieces("```sh\npump --rate 12") == ["```sh\npump --rate 12\n```"]


def test_offsets_stay_those_of_the_page() -> None:
    text = "| a | b |\n|---|---|" + "".join(f"\n| value {n} | {n} |" for n in range(60))
    for passage in mended(text, split(text, 100)):
        assert passage.text.endswith(text[passage.start : passage.end])


@pytest.mark.parametrize("row", ["-" * 300 + "x", ":-" * 200 + "x", "- -" * 200, "|-" * 200 + "x"])
def test_rows_that_look_like_rules_take_no_time(row: str) -> None:
    text = "| a |\n| --- |" + f"\n| {row} |" * 40
    assert len(pieces(text)) > 2
