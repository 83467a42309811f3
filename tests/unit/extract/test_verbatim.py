"""What a model says it copied is held against the page, piece by piece."""

from __future__ import annotations

import pytest

from intelli.extract.verbatim import checked

PAGE = """# Pump

The pump moves 12 litres per minute. It wants a clean filter every 20 days of use, no less.

Start it with `pump --rate 12`; the limit is `max_rate=40`.

```sh
pump --rate 12
pump --clean --days 20
exit
```

| model | litres | price |
| --- | --- | --- |
| P1 | 12 | 90 € |
| P2 | 14 | 110 € |
"""


def test_what_stands_on_the_page_is_not_touched() -> None:
    found = checked(PAGE, PAGE)
    assert found.text == PAGE.strip()
    assert (found.repaired, found.dropped) == ((), ())


def test_spans_are_offsets_into_the_page() -> None:
    notes = "Fast.\n\n```sh\npump --rate 12\npump --clean --days 20\nexit\n```"
    (span,) = checked(notes, PAGE).spans
    assert PAGE[slice(*span)] == notes.partition("\n\n")[2]


@pytest.mark.parametrize(
    "code",
    [
        "pump --rate 12\nexit",  # lines between are left out
        "pump  --rate 12",
        "  pump --rate 12\n  ...\n  exit",
        "max_rate=40",
    ],
)
def test_code_may_leave_lines_out_and_indent_otherwise(code: str) -> None:
    notes = f"```sh\n{code}\n```"
    assert checked(notes, PAGE).text == notes


def test_a_line_of_code_that_is_nearly_right_becomes_that_of_the_page() -> None:
    found = checked("```sh\npump --rate 12\npump --clean --days 30\n```", PAGE)
    assert found.text == "```sh\npump --rate 12\npump --clean --days 20\n```"
    assert found.repaired == ("pump --clean --days 30 -> pump --clean --days 20",)


def test_a_line_of_code_that_is_not_there_goes() -> None:
    found = checked("```sh\n# first of all\npump --rate 12\nexit\n```", PAGE)
    assert found.text == "```sh\npump --rate 12\nexit\n```"
    assert found.dropped == ("# first of all",)


def test_code_that_is_mostly_invented_goes_whole() -> None:
    found = checked("Do this:\n\n```py\nimport os\nos.remove('x')\nexit\n```\n\nDone.", PAGE)
    assert "import" not in found.text and "```" not in found.text and "Done." in found.text
    assert found.repaired == ()


def test_code_that_was_cut_off_is_closed() -> None:
    assert checked("```sh\npump --rate 12", PAGE).text == "```sh\npump --rate 12\n```"


def test_a_row_with_another_figure_becomes_that_of_the_page() -> None:
    head = "| model | litres | price |\n| --- | --- | --- |\n"
    found = checked(f"{head}| P1 | 12 | 90 € |\n| P2 | 15 | 110 € |", PAGE)
    assert found.text == f"{head}| P1 | 12 | 90 € |\n| P2 | 14 | 110 € |"


def test_a_row_of_figures_of_different_rows_is_none() -> None:
    found = checked("| model | price |\n| --- | --- |\n| P1 | 110 € |\n| P2 | 110 € |", PAGE)
    assert "P1" not in found.text and "| P2 | 110 € |" in found.text
    assert found.dropped == ("| P1 | 110 € |",)


def test_a_table_of_what_the_prose_says_may_be_made() -> None:
    notes = "| what | value |\n| --- | --- |\n| speed | 12 litres |\n| care | a clean filter |"
    assert checked(notes, PAGE).text == notes


@pytest.mark.parametrize("quote", ["> {}", '"{}"', "“{}”", '- It says "{}" there'])
def test_a_quotation_is_the_sentence_of_the_page(quote: str) -> None:
    right = "It wants a clean filter every 20 days of use, no less."
    assert checked(quote.format(right), PAGE).text == quote.format(right)
    found = checked(quote.format(right.replace("20", "30")), PAGE)
    assert right in found.text and found.repaired


def test_a_quotation_of_nothing_loses_its_marks() -> None:
    words = "It was built by giants in the days of old"
    found = checked(f'He said "{words}".\n\n> {words}', PAGE)
    assert found.text == f"He said {words}.\n\n{words}"
    assert len(found.dropped) == 2


@pytest.mark.parametrize(
    ("notes", "text"),
    [
        ("Use `pump --rate 12`.", "Use `pump --rate 12`."),
        ("The limit is `max_rate=50`.", "The limit is `max_rate=40`."),
        ("Fine. Set `min_rate = 3` first. Good.", "Fine. Good."),
        ("It takes `rate 12+`, no less.", "It takes rate 12+, no less."),
        ("- Set `min_rate = 3`\n- Clean it", "- Clean it"),
        ("Call `clean()` or `stop`.", "Call `clean()` or `stop`."),
    ],
)
def test_code_with_a_figure_is_that_of_the_page_or_goes(notes: str, text: str) -> None:
    assert checked(notes, PAGE).text == text


def test_how_a_page_writes_its_markup_makes_no_difference() -> None:
    page = "Set *max\\_rate* to **40** with `--rate=40` in “the file of all settings” or so."
    notes = '`max_rate` to `40`: "Set max_rate to 40 with --rate=40 in “the file of all settings”"'
    assert checked("The value `to 40 with --rate=40` holds.", page).dropped == ()
    assert checked(notes, page).dropped == ()


@pytest.mark.parametrize(
    "notes",
    [
        "`" * 100_000,
        '"' * 100_000,
        "```\n" * 20_000,
        "| 1 " * 20_000,
        "." * 100_000,
        "- > " * 20_000,
        "`" + "1" * 100_000,
        "```\n" + "x1 = 2\n" * 20_000,
        "|-" * 50_000 + "x",
    ],
)
def test_odd_notes_are_no_error(notes: str) -> None:
    assert len(checked(notes, PAGE + "9" * 100_000).text) <= 2 * len(notes) + 10
