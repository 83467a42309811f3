"""Folding: what counts as the same text, and that every fold finds its way back."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.text.folding import fold, fold_plain


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("the “soft” limit – it’s 4", 'the "soft" limit - it\'s 4'),
        ("naïve café", unicodedata.normalize("NFD", "naïve café")),
        ("ﬁle ｆｉｌｅ", "file file"),
        ("Straße", "STRASSE"),
        ("the pump **never** `stops`", "the pump never stops"),
        ("x**86**-64", "x86-64"),
        ("a &amp; b &#39;c&#39;", "a & b 'c'"),
        ("soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"),
        ("two   spaces\n  and\ttabs\u00a0here", "two spaces and tabs here"),
        (r"snake\_case", "snake_case"),
        ("ſhort", "short"),
        ("10² units", "10^2 units"),
        ("1½ cups", "1 1/2 cups"),
    ],
)
def test_other_ways_to_write_it_fold_to_the_same(written: str, same: str) -> None:
    assert fold_plain(written) == fold_plain(same)


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("2*3", "23"), ("が", "か"), ("कि", "क"), ("snake_case", "snakecase"), ("-1", "1"),
        ("a ≠ b", "a = b"), ("10²", "102"), ("1½", "11/2"), ("x ∉ y", "x ∈ y"),
    ],
)  # fmt: skip
def test_what_means_something_else_stays_apart(written: str, other: str) -> None:
    assert fold_plain(written) != fold_plain(other)


def test_case_is_kept_beside_the_lower_text() -> None:
    folded = fold("Call GetItem()")
    assert folded.text == "Call GetItem()"
    assert folded.lower == "call getitem()"


def test_a_find_in_the_folded_text_leads_to_the_original_words() -> None:
    original = "At  **noon**,\n\nthe “ﬁrst   café” \u200bopens — &quot;daily&quot;."
    folded = fold(original)
    for needle, there in [
        ("noon", "noon"),
        ('"first cafe"', "“ﬁrst   café”"),
        ("opens", "opens"),
        ("daily", "daily"),
    ]:
        start = folded.lower.index(needle)
        low, high = folded.origin(start, start + len(needle))
        assert original[low:high] == there


def test_line_breaks_are_remembered() -> None:
    folded = fold("one two\nthree")
    assert not folded.broken(0, 7)
    assert folded.broken(4, 13)


@given(st.text(max_size=300))
def test_any_text_folds_and_every_character_has_an_origin(text: str) -> None:
    folded = fold(text)
    assert len(folded.lower) == len(folded.text)
    last = 0
    for k in range(len(folded.text)):
        low, high = folded.origin(k, k + 1)
        assert last <= low <= high <= len(text)
        last = low


@given(st.text(alphabet="ab 1*`é“’\n\u200b&", max_size=80))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    once = fold_plain(text)
    assert fold_plain(once).split() == once.split()
