"""What a model wrote about search results is read whatever form it has."""

from __future__ import annotations

import json

import pytest

from intelli.search.judging import Rating, Ratings, read_ratings

LINES = """Here you are:

1 | answers 0.9 | off-topic 0.1 | self-contained 0.6 | safety safe 0.95
2 | answers 0.2 | off-topic 0.8 | self-contained 0.5 | safety prompt_injection 0.9
sufficient 0.7
"""
ITEMS = [
    {"index": 1, "answers": 0.9, "off_topic": 0.1, "self_contained": 0.6,
     "safety": "safe", "probability": 0.95},
    {"index": 2, "answers": 0.2, "offTopic": 0.8, "self-contained": 0.5,
     "safety": {"choice": "prompt_injection", "probability": 0.9}},
]  # fmt: skip
EXPECTED = {
    1: Rating(answers=0.9, off_topic=0.1, self_contained=0.6, sure=0.95),
    2: Rating(answers=0.2, off_topic=0.8, self_contained=0.5, danger="prompt_injection", sure=0.9),
}


@pytest.mark.parametrize(
    "text",
    [
        LINES,
        LINES.replace(" | ", ", ").replace("answers ", "answers: "),
        LINES.replace("0.9 ", "90% ").replace("\n1 |", "\n**1.** "),
        LINES.replace("\n1 |", "\nResult 1:").replace("\n2 |", "\n- [2]"),
        json.dumps({"candidates": ITEMS, "sufficient": 0.7}),
        "```json\n" + json.dumps({"results": ITEMS, "sufficient": "0.7"}) + "\n```",
    ],
)
def test_lines_and_json_say_the_same(text: str) -> None:
    assert read_ratings(text, 2) == Ratings(by_number=EXPECTED, sufficient=0.7)


def test_a_list_alone_says_nothing_of_all_together() -> None:
    found = read_ratings(json.dumps(ITEMS), 2)
    assert (found.by_number, found.sufficient) == (EXPECTED, None)


@pytest.mark.parametrize("value", [True, False])
def test_sufficient_may_be_a_word(value: bool) -> None:
    data = {"candidates": ITEMS, "sufficient": value}
    assert read_ratings(json.dumps(data), 2).sufficient == float(value)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "I cannot say.", "[" * 9000, "{", "null", '{"sufficient": {}}', "1 2 3"],
)
def test_what_rates_nothing_rates_nothing(text: str) -> None:
    assert read_ratings(text, 5) == Ratings(by_number={}, sufficient=None)


def test_only_results_that_were_shown_are_rated_and_each_once() -> None:
    text = "0 | answers 1\n1 | answers 0.3\n1 | answers 0.9\n7 | answers 1"
    assert read_ratings(text, 2).by_number == {1: Rating(answers=0.3)}


@pytest.mark.parametrize("figure", ["7", "1.5", "-0.5x", "nan", "1e9", "high"])
def test_a_figure_out_of_range_is_none(figure: str) -> None:
    item = {"index": 1, "answers": figure, "off_topic": 0.1}
    assert read_ratings(json.dumps([item]), 1).by_number[1].answers is None


def test_an_unknown_danger_is_some_danger() -> None:
    found = read_ratings(json.dumps([{"index": 1, "safety": "malware!", "probability": 0.8}]), 1)
    assert found.by_number[1] == Rating(danger="other", sure=0.8)


def test_a_figure_may_begin_with_its_point() -> None:
    found = read_ratings("1 | answers .3 | off-topic: .25 | safety phishing .9\nsufficient .7", 1)
    assert found.sufficient == 0.7
    assert found.by_number[1] == Rating(answers=0.3, off_topic=0.25, danger="phishing", sure=0.9)
