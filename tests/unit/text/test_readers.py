"""The reader goes by what bytes are, not by what they are called."""

from __future__ import annotations

import pytest

from intelli.text.readers import read


@pytest.mark.parametrize(
    ("body", "content_type", "url", "kind"),
    [
        (b"<!doctype html><p>x</p>", "text/plain", "https://a.test/x", "html"),
        (b"<html><body>x", "application/pdf", "https://a.test/x.pdf", "html"),
        (b"x", "text/html; charset=utf-8", "https://a.test/", "html"),
        (b"# x", "text/markdown; charset=utf-8", "https://a.test/", "markdown"),
        (b"# x", "text/plain", "https://a.test/readme.MD?v=1", "markdown"),
        (b"x\n=\n", "text/plain", "https://a.test/x.rst", "rst"),
        (b"{}", "application/json", "https://a.test/", "json"),
        (b"{}", "application/ld+json", "https://a.test/", "json"),
        (b"x = 1", "text/plain", "https://a.test/x.py", "code"),
        (b"just words", "text/plain", "https://a.test/notes", "text"),
        (b"just words", "", "", "text"),
        ("wide words".encode("utf-16"), "text/plain", "https://a.test/", "text"),
        (b"\x89PNG\r\n\x1a\n", "text/html", "https://a.test/", "binary"),
        (b"PK\x03\x04rest", "text/plain", "https://a.test/", "binary"),
        (b"ab\x00\x01\x00cd", "text/plain", "https://a.test/", "binary"),
        (b"fine at first " * 500 + b"\x00\x01", "text/plain", "https://a.test/", "binary"),
        (bytes(range(1, 32)) * 4, "application/octet-stream", "https://a.test/", "binary"),
        (b"%PDF-1.4 nothing else", "application/octet-stream", "https://a.test/", "pdf"),
    ],
)
def test_kind(body: bytes, content_type: str, url: str, kind: str) -> None:
    assert read(body, content_type, url).kind == kind


def test_binary_has_no_text() -> None:
    assert read(b"\x7fELF\x01\x01", "text/html", "https://a.test/").text == ""


def test_plain_text_stays_as_it_stands() -> None:
    text = "  two  blanks\n\n\n# no heading\n\ttab"
    assert read(text.encode(), "text/plain", "https://a.test/").text == text


def test_front_matter_becomes_title_and_date() -> None:
    body = b'---\ntitle: "Weirs"\ndate: 2024-05-06\ntags: [a]\n---\n\nBody *here*.\n'
    document = read(body, "text/markdown", "https://a.test/")
    assert (document.title, document.published) == ("Weirs", "2024-05-06")
    assert document.text == "Body *here*."


def test_the_first_heading_of_markdown_is_the_title() -> None:
    document = read(b"# `weir` [guide](x)\n\nText\n\n## More\n", "text/markdown", "https://a.test/")
    assert document.title == "weir guide"
    assert document.text == "Text\n\n## More"


def test_a_heading_that_differs_from_the_front_matter_stays() -> None:
    document = read(b"---\ntitle: A\n---\n# B\n\nText", "text/markdown", "https://a.test/")
    assert document.text.startswith("# B")


def test_json_is_laid_out_in_a_fence() -> None:
    document = read('{"ä": [1]}'.encode(), "application/json", "https://a.test/")
    assert document.text == '```json\n{\n  "ä": [\n    1\n  ]\n}\n```'


def test_broken_json_stays_as_it_stands() -> None:
    assert read(b"{broken", "application/json", "https://a.test/").text == "```json\n{broken\n```"


def test_source_code_is_fenced_under_its_name() -> None:
    document = read(b"def f():\n    pass\n", "text/plain", "https://a.test/src/pump.py?raw=1")
    assert document.title == "pump.py"
    assert document.text == "```python\ndef f():\n    pass\n```"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (b"![badge](x)\n\n# Weirs\n\nText", "Weirs"),
        (b'<div align="center">\n\n<h1>Weirs</h1>\n\n</div>\n\nText', "Weirs"),
        (b"```\n# comment\n```\n\nText\n\n## Part\n\n# Late", ""),
    ],
)
def test_a_title_may_stand_under_badges_or_tags(body: bytes, title: str) -> None:
    document = read(body, "text/markdown", "https://a.test/README.md")
    assert (document.kind, document.title) == ("markdown", title)
