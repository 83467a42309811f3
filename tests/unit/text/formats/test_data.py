"""Notebooks and tables of separated values become Markdown."""

from __future__ import annotations

import json

import pytest

from intelli.text.readers import read


def notebook(*cells: object, **more: object) -> bytes:
    return json.dumps({"cells": cells, "nbformat": 4, **more}).encode()


def code(source: object, *outputs: object) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "outputs": outputs}


def text_of(body: bytes, url: str = "https://a.test/x") -> str:
    return read(body, "application/json", url).text


def test_a_notebook_shows_prose_code_and_what_it_printed() -> None:
    body = notebook(
        {"cell_type": "markdown", "source": ["# Gates\n", "\n", "Text"]},
        code(
            ["x = 1\n", "print(x)"],
            {"output_type": "stream", "text": ["\x1b[31m1\x1b[0m\n"]},
            {
                "output_type": "display_data",
                "data": {"image/png": "iVBOR", "text/plain": "<F>"},
            },
            {"output_type": "error", "ename": "Oops", "evalue": "no", "traceback": ["long"]},
        ),
        metadata={"language_info": {"name": "Julia"}},
    )
    document = read(body, "text/plain", "https://a.test/x")
    assert (document.kind, document.title) == ("notebook", "Gates")
    assert document.text == (
        "Text\n\n```julia\nx = 1\nprint(x)\n```\n\n"
        "```\n1\n```\n\n```\n<F>\n```\n\n```\nOops: no\n```"
    )


@pytest.mark.parametrize(
    "cells",
    [[None], [{}], ["x"], [code(5)], [code("x", None)], [code("x", {"data": []})], {}, 5, None],
)
def test_no_cell_is_too_odd(cells: object) -> None:
    body = json.dumps({"cells": cells, "nbformat": 4, "metadata": []}).encode()
    assert read(body, "", "https://a.test/x.ipynb").error is None


def test_nesting_without_end_is_no_notebook() -> None:
    body = b'{"nbformat": 4, "cells": ' + b"[" * 100_000
    assert read(body, "", "https://a.test/x.ipynb").kind == "json"
    assert read(b"[" * 100_000, "application/json", "https://a.test/").kind == "json"


@pytest.mark.parametrize(
    ("body", "table"),
    [
        ('Day,Level\n1,"a, ""b"""\n', '| Day | Level |\n| --- | --- |\n| 1 | a, "b" |'),
        ("Day\tLevel\n1\t2,5\n", "| Day | Level |\n| --- | --- |\n| 1 | 2,5 |"),
        ("Day;Level;X\n1;2,5;\n", "| Day | Level | X |\n| --- | --- | --- |\n| 1 | 2,5 |  |"),
        ('a,"b\nc"\n\nd\n', "| a | b c |\n| --- | --- |\n| d |  |"),
        ('a,"never closed\n', "| a | never closed |\n| --- | --- |"),
        ("", ""),
    ],
)
def test_separated_values_are_a_pipe_table(body: str, table: str) -> None:
    document = read(body.encode(), "text/csv", "https://a.test/x")
    assert (document.kind, document.text) == ("csv", table)


def test_more_rows_than_anybody_reads_are_counted() -> None:
    text = read(b"a,b\n" * 20_003, "text/csv", "https://a.test/x").text
    assert text.endswith("(3 more lines are not shown.)")


def test_one_wide_row_does_not_widen_all() -> None:
    body = b"a," * 100_000 + b"\n" + b"b\n" * 10_000
    assert len(read(body, "text/csv", "https://a.test/x").text) < 10_000_000
