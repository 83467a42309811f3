"""Pages of odd makes and of a size that no honest page has are read whole."""

from __future__ import annotations

import pytest

from intelli.text.readers import read


@pytest.mark.parametrize("tag", ["div", "b", "blockquote", "ul><li", "table><tr><td", "dl><dd"])
def test_a_hundred_thousand_nested_elements_keep_their_text(tag: str) -> None:
    body = f"<html><body>{f'<{tag}>' * 100_000}deep down".encode()
    assert "deep down" in read(body, "text/html", "https://water.test/").text


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ("<div>gauge</div>", "gauge"),
        ("<script>x</script>gauge ", "gauge"),
        ("<i hidden>x</i>gauge ", "gauge"),
        ("<button>x</button>gauge ", "gauge"),
        ("<noscript>x</noscript>gauge ", "gauge"),
        ("<b>gauge</b> ", "**gauge**"),
        ("<a href='/x'>gauge</a> ", "[gauge](https://water.test/x)"),
        ("<img src='x' alt='gauge'>", "![gauge]()"),
        ("<math alttext='gauge'><mi>x</mi></math> ", "$gauge$"),
        ("<p>gauge<br>", "gauge"),
        ("<tr><td>gauge</td><td>1</td></tr>", "gauge"),
        ("gauge ", "gauge"),
        ("gauge\0 ", "gauge"),
    ],
)
def test_thirty_thousand_of_a_kind_are_all_read(piece: str, shown: str) -> None:
    opening = "<table>" if piece.startswith("<tr") else ""
    body = f"<html><body>{opening}{piece * 30_000}".encode()
    text = read(body, "text/html", "https://water.test/").text
    assert text.count(shown) >= 29_999
    assert len(text) < 40 * 30_000


@pytest.mark.parametrize("body", [b"<p>" + b"x" * 2_000_000, b"<p>" + b"<" * 300_000])
def test_one_long_line_is_read_whole(body: bytes) -> None:
    assert len(read(body, "text/html", "https://water.test/").text) >= 300_000 - 1


def test_streamed_parts_by_the_thousand_keep_their_order() -> None:
    parts = "".join(
        f'<template id="P:{n}"></template><div hidden id="S:{n}">part{n}.</div>'
        for n in range(3000)
    )
    moves = "".join(f'$RS("S:{n}","P:{n}")' for n in range(3000))
    body = f"<html><body>{parts}<script>{moves}</script>".encode()
    text = read(body, "text/html", "https://water.test/").text
    assert text.index("part7.") < text.index("part8.") < text.index("part2999.")


@pytest.mark.parametrize(
    "body",
    [
        b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><p>gauge</p>",
        "<html><body><p>gauge</p>".encode("utf-16"),
        b"<html><meta charset='no-such-thing'><body><p>gauge</p>",
        b"<html><body><p>ga\0uge</p>",
    ],
)
def test_pages_of_odd_makes_are_read(body: bytes) -> None:
    assert read(body, "text/html", "https://water.test/").text == "gauge"
