"""Thoughts that a server leaves in front of an answer are no part of it."""

from __future__ import annotations

import pytest

from intelli.model.reasoning import without_reasoning


@pytest.mark.parametrize(
    "text",
    [
        "<think>hm</think>\n\nTwelve.",
        "<think>hm</think><think>well</think>Twelve.",
        "<THINKING>hm</THINKING> Twelve.",
        "<seed:think>hm</seed:think>Twelve.",
        "[THINK]hm[/THINK]Twelve.",
        "◁think▷hm◁/think▷Twelve.",
        "hm, let me see\n</think>\n\nTwelve.",
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>"
        "Twelve.<|return|>",
        "Reasoning: the user wants a figure.\nIt is twelve.\n\nAnswer: Twelve.",
        "**Thought process:** I look it up.\n\n**Final answer:** Twelve.",
    ],
)
def test_the_answer_is_what_is_left(text: str) -> None:
    assert without_reasoning(text) == "Twelve."


def test_a_preamble_ends_with_the_first_heading() -> None:
    text = "Reasoning: first I compare.\n\n## Summary\n\nTwelve [1]."
    assert without_reasoning(text) == "## Summary\n\nTwelve [1]."


@pytest.mark.parametrize("text", ["<think>hm, the", "<|channel|>analysis<|message|>hm, the"])
def test_thoughts_that_were_cut_off_are_no_answer(text: str) -> None:
    assert without_reasoning(text, is_cut=True) == ""


def test_a_tag_that_is_never_closed_costs_no_answer() -> None:
    assert without_reasoning("<think>\n\nTwelve.") == "Twelve."


@pytest.mark.parametrize(
    "text",
    [
        "Models write `<think>` and `</think>` around thoughts.",
        "```\n<think>x</think>\n```\n\nTwelve.",
        "Reasoning: a model reasons.",
        "## Summary\n\nIt ends with </think> and no more [1].",
        "Source type: blog · 2026\n\nIt ends with </think> and no more.",
        "## Summary\n\nThe tag `</think>` ends it.",
        "",
    ],
)
def test_what_only_speaks_of_reasoning_is_left_alone(text: str) -> None:
    assert without_reasoning(text) == text


@pytest.mark.parametrize("text", ["<think>", "</think>", "<think></think>", "<|channel|>a"])
def test_hostile_tags_take_no_time(text: str) -> None:
    assert len(without_reasoning(text * 200_000)) <= len(text) * 200_000
