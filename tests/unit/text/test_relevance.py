"""Texts are scored by the words of the question and, for more, by those of its focus."""

from __future__ import annotations

from intelli.records import Query
from intelli.text.ranking import tokens
from intelli.text.relevance import relevance

TEXTS = ["A lease expires after a while.", "A seat costs nine euros.", "Roses want water."]
DOCUMENTS = [tokens(text) for text in TEXTS]


def test_the_text_that_shares_words_scores_and_the_others_do_not() -> None:
    scores = relevance(Query(text="When does a lease expire?"), DOCUMENTS)
    assert scores[0] > 0
    assert scores[1:] == [0.0, 0.0]


def test_the_focus_weighs_more_than_the_question() -> None:
    lease, seat, roses = relevance(Query(text="lease", focus="seat"), DOCUMENTS)
    assert seat > lease > roses == 0.0


def test_a_long_question_does_not_drown_the_focus() -> None:
    long = "lease expires while lease expires while lease expires while"
    lease, seat, _ = relevance(Query(text=long, focus="seat"), DOCUMENTS)
    assert seat > lease


def test_no_words_no_scores() -> None:
    assert relevance(Query(text="?"), DOCUMENTS) == [0.0, 0.0, 0.0]
    assert relevance(Query(text="lease"), []) == []
