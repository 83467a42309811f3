"""Questions as keyword searches want them."""

from __future__ import annotations

import pytest

from intelli.search.keywords import keywords, parts, qualifier


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("how does a pump drain its queue?", ["pump", "drain", "queue"]),
        ('the "hand of the pump" drains', ['"hand of the pump"', "drains"]),
        ("is:issue pump", ["is:issue", "pump"]),
        ('label:"good first issue" pump', ['label:"good first issue"', "pump"]),
        ("what is it", ["what", "is", "it"]),
        ("(pump), [well]!", ["pump", "well"]),
        ("C++ and C#", ["C++", "C#"]),
        ("?!", []),
        ("насос для колодца", ["насос", "для", "колодца"]),
        ('" unclosed', ["unclosed"]),
    ],
)
def test_words_that_say_nothing_are_left_out(question: str, kept: list[str]) -> None:
    assert keywords(question) == kept


@pytest.mark.parametrize(
    ("part", "pair"),
    [
        ("lang:python", ("lang", "python")),
        ('-label:"a b"', ("label", "a b")),
        ("https://a.example", ("", "")),
        ("std::vector", ("", "")),
        ("word", ("", "")),
        ("open:", ("", "")),
    ],
)
def test_qualifiers_are_told_from_addresses_and_code(part: str, pair: tuple[str, str]) -> None:
    assert qualifier(part) == pair


def test_parts_keep_what_stands_together() -> None:
    assert parts('a t:"b c" d:[1 TO 2] -e:"f g"') == ["a", 't:"b c"', "d:[1 TO 2]", '-e:"f g"']


def test_a_long_question_takes_no_time() -> None:
    assert len(parts('"' * 20_001)) == 10_001
    assert len(parts("a:[" * 5000)) == 1
    assert len(parts("a:[ " * 5000)) == 5000
