"""Snippets: one line, without markup, never cut inside of what is one character to a reader."""

from __future__ import annotations

import pytest

from intelli.text.snippets import cut, one_line, untagged

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
THUMB = "\U0001f44d\U0001f3fd"
FLAG = "\U0001f1f3\U0001f1f1"
ACCENTED = "e\u0301"


def test_short_texts_stay_as_they_are() -> None:
    assert cut("a b", 3) == "a b"


def test_long_texts_end_between_words() -> None:
    assert cut("one two three four", 12) == "one two …"
    assert len(cut("x" * 50, 12)) == 12


@pytest.mark.parametrize("cluster", [FAMILY, THUMB, FLAG, ACCENTED, "❤\ufe0f", "1\ufe0f\u20e3"])
def test_no_cluster_is_ever_split(cluster: str) -> None:
    for lead in range(12):
        for limit in range(6, 30):
            text = "x" * lead + cluster * 12
            found = cut(text, limit)
            kept = found.removesuffix(" …").removeprefix("x" * lead)
            assert len(found) <= limit
            if found != "…" and set(kept) - {"x"}:
                assert kept == cluster * (len(kept) // len(cluster)), (lead, limit)


def test_marks_without_end_are_cut_all_the_same() -> None:
    assert len(cut("e" + "\u0301" * 5000, 100)) <= 100


def test_markup_becomes_words() -> None:
    assert untagged("a<p>b<br/>c</p><i>d</i>e &amp; &lt;f&gt;") == "a b c de & <f>"
    assert untagged("1 < 2 and 3 > 2") == "1 < 2 and 3 > 2"
    assert untagged("<" * 50_000) == "<" * 50_000
    assert untagged("<a " * 20_000).startswith("<a <a")


def test_lines_and_hidden_characters_go() -> None:
    assert one_line(" a\r\n\tb\x00\u200b\u202ec ") == "a bc"
