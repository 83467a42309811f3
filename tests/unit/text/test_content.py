"""Common words of a question are set aside, unless it has no others."""

from __future__ import annotations

import pytest

from intelli.text.content import content_tokens
from intelli.text.ranking import tokens


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("What is the maximum length of a lease?", "maximum length lease"),
        ("Wie lange ist die Warteschlange?", "lange Warteschlange"),
        ("Когда истекает аренда?", "истекает аренда"),
        ("¿Cuánto cuesta el servidor?", "cuesta servidor"),
        ("متى ينتهي الإيجار", "ينتهي الإيجار"),
    ],
)
def test_words_that_carry_meaning_are_kept_in_order(question: str, kept: str) -> None:
    assert content_tokens(question) == tokens(kept)


def test_question_words_of_chinese_are_set_aside() -> None:
    assert "什么" not in content_tokens("什么是租约")
    assert "租约" in content_tokens("什么是租约")


@pytest.mark.parametrize("question", ["to be or not to be", "what is it"])
def test_a_question_of_common_words_keeps_them_all(question: str) -> None:
    assert content_tokens(question) == tokens(question)


@pytest.mark.parametrize("term", ["make", "C", "R", "Go", "man", "os"])
def test_names_of_tools_are_not_common_words(term: str) -> None:
    assert content_tokens(f"the {term} manual") == tokens(f"{term} manual")


@pytest.mark.parametrize("nothing", ["", "?!", "  \n"])
def test_nothing_in_nothing_out(nothing: str) -> None:
    assert content_tokens(nothing) == []
