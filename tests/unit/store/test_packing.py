"""Windows, matches and sections of long texts end where a reader would end them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.store.packing import Window, find, headings, hits, sections, window

GUIDE = """# Guide

Intro words.

## Setup

Run this:

```sh
# not a heading
make install
make test
```

### Options

| name | value |
| --- | --- |
| depth | 3 |
| width | 4 |

## Limits

Ten rows.
"""


def section(text: str, heading: str) -> Window | None:
    return next(iter(sections(text, heading)), None)


@given(st.text(), st.integers(1, 60))
def test_windows_in_a_row_give_the_whole_text(text: str, budget: int) -> None:
    at, parts = 0, []
    while True:
        found = window(text, at, budget)
        assert (found.start, found.total) == (at, len(text)) and len(found.text) <= budget
        parts.append(found.text)
        at = found.end
        if not found.more:
            break
        assert found.text
    assert "".join(parts) == text


def test_a_window_may_begin_anywhere_and_ends_at_the_end() -> None:
    assert window("abc", 10, 5).text == "" and not window("abc", 10, 5).more
    assert window("abc", -5, 5).text == "abc"
    assert window("", 0, 5).total == 0


def test_a_code_block_is_not_cut() -> None:
    inside = GUIDE.index("make test")
    found = window(GUIDE, 0, inside)
    assert found.text.endswith("Run this:\n\n")
    assert window(GUIDE, found.end, 60).text.startswith("```sh\n# not a heading")


def test_a_code_block_larger_than_the_window_is_cut_between_lines() -> None:
    text = "```\n" + "".join(f"line {k}\n" for k in range(100)) + "```\n"
    first = window(text, 0, 100)
    assert first.text.endswith("\n") and len(first.text) > 85
    second = window(text, first.end, 100)
    assert second.text.startswith("line ") and second.text.endswith("\n")


def test_a_table_row_is_not_cut() -> None:
    found = window(GUIDE, 0, GUIDE.index("| width") + 5)
    assert found.text.endswith("| depth | 3 |\n")


def test_prose_is_cut_between_words_and_never_inside_a_sign() -> None:
    assert window("some words that go on", 0, 12).text == "some words "
    assert window("e\u0301" * 10, 0, 5).text == "e\u0301" * 2
    family = "👩\u200d👩\u200d👧"
    assert window("a" + family + "b", 0, 3).text == "a"
    assert window("👍🏽👍🏽", 0, 3).text == "👍🏽"
    assert window("🇩🇪🇫🇷🇮🇹", 0, 3).text == "🇩🇪"
    assert window("ab 1\ufe0f\u20e3", 0, 5).text == "ab "
    assert window("word \u0301word", 0, 8).text == "word"


def test_the_first_match_is_shown_with_its_surroundings_and_all_are_counted() -> None:
    text = "start\n" + "filler words\n" * 50 + "The Needle is here\n" + "needle again\n" * 3
    found = find(text, "needle", 60)
    assert found and len(found.hits) == 4
    assert "The Needle is here" in found.text and len(found.text) < 100
    assert text[found.start : found.end] == found.text
    assert text[found.start - 1] == "\n"


def test_a_needle_is_literal() -> None:
    assert find("a.b axb", "A.B", 20) == find("a.b axb", "a.b", 20)
    found = find("x = f(y)[0] * 2", "f(y)[0] *", 12)
    assert found and len(found.hits) == 1 and "f(y)[0] *" in found.text
    assert find("text", "missing", 20) is None and find("text", "", 20) is None


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        ("The Straße here", "STRASSE", ["Straße"]),
        ("Eine STRASSE", "straße", ["STRASSE"]),
        ("in İstanbul and istanbul", "İSTANBUL", ["İstanbul", "istanbul"]),
        ("a cafe\u0301 b", "caf\u00e9", ["cafe\u0301"]),
        ("it\u2019s \u201cso\u201d", 'it\'s "so"', ["it\u2019s \u201cso\u201d"]),
        ("The **upper limit** of", "upper limit of", ["upper limit** of"]),
        ("moves 32\n  litres a minute", "32 litres", ["32\n  litres"]),
        ("a  b", " b", [" b"]),
        ("within, in and in", " in ", [" in "]),
        ("f(*args) and args", "*args", ["*args"]),
        ("f(*args) and args", "ARGS", ["args", "args"]),
        ("only args", "*args", ["args"]),
        ("text", "`*`", []),
        ("text", " \n", []),
    ],
)
def test_a_needle_is_found_in_any_case_and_white_space_and_else_in_other_signs(
    text: str, needle: str, found: list[str]
) -> None:
    assert [text[start:end] for start, end in hits(text, needle)] == found


@given(st.text(), st.text(), st.text(), st.integers(20, 60))
def test_what_is_there_is_found_and_shown_within_the_room(
    before: str, needle: str, behind: str, room: int
) -> None:
    text = before + needle + behind
    found = find(text, needle, room)
    if not needle.strip():
        return
    assert found and text[found.start : found.end] == found.text and len(found.text) <= room
    first, last = found.hits[0]
    assert found.start <= first and (last <= found.end or last - first > room)


def test_searching_takes_no_longer_in_odd_texts() -> None:
    for text in (" " * 300_000, "a " * 150_000, "a\u0301" * 100_000, "*" * 300_000):
        for needle in ("a   b", " x", "\u00e1x", "a " * 40 + "b"):
            assert find(text, needle, 100) is None


def test_all_sections_of_a_name_are_found() -> None:
    text = "# A\n\n## Limits\n\n1\n\n## Use\n\n## Limits\n\n2\n\n## Limits of all\n"
    assert [part.text.split()[-1] for part in sections(text, "limits")] == ["1", "2"]
    assert len(sections(text, "lim")) == 3 and sections(text, "none") == []


def test_offsets_count_characters_even_where_case_changes_length() -> None:
    text = "İİİ needle"
    found = find(text, "NEEDLE", 6)
    assert found and text[found.start : found.end] == found.text and "needle" in found.text


def test_a_section_goes_on_to_the_next_of_its_level() -> None:
    found = section(GUIDE, "setup")
    assert (
        found and found.text.startswith("## Setup\n") and found.text.endswith("| width | 4 |\n\n")
    )
    options = section(GUIDE, "### Options")
    assert options and options.text.startswith("### Options") and "## Limits" not in options.text
    last = section(GUIDE, "LIMIT")
    assert last and last.end == last.total


def test_exact_headings_come_before_those_that_contain_the_words() -> None:
    text = "# About limits\n\na\n\n# Limits of all\n\nb\n\n# Limits\n\nc\n"
    found = [section(text, heading) for heading in ("limits", "limits of", "about")]
    assert [part.text.split()[-1] for part in found if part] == ["c", "b", "a"]


def test_a_comment_in_code_is_no_heading() -> None:
    assert section(GUIDE, "not a heading") is None and section(GUIDE, "") is None
    assert section("~~~\n# a\n```\n# b\n~~~\n# real\n", "b") is None
    assert section("```js\nx\n", "x") is None


UNDERLINED = """# Page

Error handling
==============

Raise.

Retries
-------

Twice.

Deeper
~~~~~~

Last.

======
 Over
======

Two lines of prose
above a rule
---

```
No title
========
```
"""


def test_underlined_headings_are_sections_too() -> None:
    found = section(UNDERLINED, "error handling")
    assert found and found.text.startswith("Error handling\n=") and "Last." in found.text
    assert found.text.endswith("Last.\n\n")
    deeper = section(UNDERLINED, "deeper")
    assert deeper and deeper.text == "Deeper\n~~~~~~\n\nLast.\n\n"


def test_headings_are_listed_in_order() -> None:
    assert headings(UNDERLINED) == ["Page", "Error handling", "Retries", "Deeper", "Over"]
    assert headings("---\ntitle: x\n---\n\nText") == []
