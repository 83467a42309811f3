"""What of a long page is shown: never more than wanted, never a piece that reads as the whole."""

from __future__ import annotations

import re

import pytest

from intelli.extract.preselection import WHOLE, preselect
from intelli.records import Query

MOST = 150_000
FLOOD = "\n\n".join(
    f"## Part {i}\n\nPart {i} is about brass, its makers and the taxes of that time. "
    + "So it was. " * 30
    for i in range(120)
)
FACT = "The impeller seizes at 93 degrees when no coolant flows."
PAGE = (
    f"# Manual\n\nThis manual is for the P7.\n\n{FLOOD}\n\n## Heat\n\n{FACT}\n\n## Annex\n\n{FLOOD}"
)
ASKED = Query(text="at which temperature does the impeller seize without coolant")


def test_a_short_page_is_shown_as_it_is() -> None:
    text = FLOOD[:WHOLE]
    shown = preselect(text, ASKED, MOST)
    assert (shown.text, shown.spans) == (text, ((0, WHOLE),))


def test_a_long_page_is_shown_in_part_with_its_beginning_and_the_answer() -> None:
    shown = preselect(PAGE, ASKED, MOST)
    assert len(shown.text) < 0.4 * len(PAGE)
    assert shown.text.startswith("# Manual\n\nThis manual is for the P7.")
    assert FACT in shown.text


def test_the_spans_are_what_is_shown() -> None:
    shown = preselect(PAGE, ASKED, MOST)
    for start, end in shown.spans:
        assert PAGE[start:end] in shown.text
    assert list(shown.spans) == sorted(shown.spans)


def test_a_line_says_how_much_is_missing_and_of_what() -> None:
    shown = preselect(PAGE, ASKED, MOST)
    missing = [
        int(n.replace(",", "")) for n in re.findall(r"LEFT OUT HERE: ([\d,]+) char", shown.text)
    ]
    kept = sum(end - start for start, end in shown.spans)
    assert sum(missing) + kept == pytest.approx(len(PAGE), rel=0.02)
    assert "under: Part" in shown.text


def test_after_a_gap_the_headings_above_are_named() -> None:
    text = f"{FLOOD}\n\n# Machine\n\n## Heat\n\n{'Warm. ' * 100}\n\n{FACT}\n\n# End\n\n{FLOOD}"
    before = preselect(text, ASKED, MOST).text.partition(FACT)[0]
    mark = before[before.rindex("[LEFT OUT HERE") :]
    assert "Machine > Heat" in mark or "## Heat" in mark


def test_the_focus_is_looked_for_too() -> None:
    query = Query(text="what is brass", focus="the impeller and its coolant")
    assert FACT in preselect(PAGE, query, MOST).text


def test_no_more_is_shown_than_allowed() -> None:
    shown = preselect(PAGE, ASKED, 5_000)
    assert len(shown.text) < 6_000 and FACT in shown.text


@pytest.mark.parametrize("question", ["температура насоса", "qwertz uiop", "?!"])
def test_where_no_word_matches_the_whole_page_is_shown(question: str) -> None:
    kept = preselect(PAGE, Query(text=question), MOST).spans
    assert sum(end - start for start, end in kept) > 0.95 * len(PAGE)


def test_an_unsure_choice_is_wider_than_a_sure_one() -> None:
    sure = preselect(PAGE, Query(text="impeller coolant"), MOST)
    unsure = preselect(PAGE, Query(text="why do seals of rotors leak oil near an impeller"), MOST)
    assert len(unsure.text) > 1.2 * len(sure.text)


def test_a_piece_of_a_long_code_block_is_fenced_and_of_a_table_headed() -> None:
    code = "\n".join(f"brass_{i} = make({i})" for i in range(1500))
    rows = "\n".join(f"| brass {i} | {i} |" for i in range(1500))
    table = f"| name | size |\n|---|---|\n{rows}\n| impeller coolant | 3 |\n{rows}"
    text = f"# Manual\n\n```py\n{code}\nimpeller.coolant()\n{code}\n```\n\n{table}"
    shown = preselect(text, Query(text="impeller coolant"), MOST).text
    assert "impeller.coolant()" in shown and "| impeller coolant | 3 |" in shown
    for piece in re.split(r"\[LEFT OUT HERE[^\]]*\]", shown):
        assert piece.count("```") % 2 == 0
        assert "| name | size |" in piece or "| brass" not in piece


@pytest.mark.parametrize(
    "text", ["", "\n" * 50_000, "a" * 80_000, "# a\n" * 20_000, "```\n" * 20_000]
)
def test_odd_pages_give_something_and_no_error(text: str) -> None:
    assert len(preselect(text, ASKED, MOST).text) <= len(text) + 200
