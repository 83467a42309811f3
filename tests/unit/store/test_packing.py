"""Windows, matches and sections of long texts end where a reader would end them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from intelli.store.packing import find, headings, section, window

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


def test_the_first_match_is_shown_with_its_surroundings_and_all_are_counted() -> None:
    text = "start\n" + "filler words\n" * 50 + "The Needle is here\n" + "needle again\n" * 3
    found = find(text, "needle", 60)
    assert found and found.matches == 4
    assert "The Needle is here" in found.text and len(found.text) < 100
    assert text[found.start : found.end] == found.text
    assert text[found.start - 1] == "\n"


def test_a_needle_is_literal() -> None:
    assert find("a.b axb", "A.B", 20) == find("a.b axb", "a.b", 20)
    found = find("x = f(y)[0] * 2", "f(y)[0] *", 5)
    assert found and found.matches == 1 and "f(y)[0] *" in found.text
    assert find("text", "missing", 20) is None and find("text", "", 20) is None


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
