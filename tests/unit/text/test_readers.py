"""The reader goes by what bytes are, not by what they are called."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


@pytest.mark.parametrize(
    ("body", "content_type", "url", "kind"),
    [
        (b'<?xml version="1.0"?><!-- x --><rss version="2.0"/>', "text/html", "", "code"),
        (b"<rss><channel><title>t</title></channel></rss>", "text/plain", "", "feed"),
        (b'{"nbformat": 4, "cells": []}', "application/json", "", "notebook"),
        (b"a,b\n1,2", "application/vnd.ms-excel", "https://a.test/x.csv", "csv"),
        (b"a\tb\n1\t2", "text/plain", "https://a.test/x.tsv", "csv"),
        (b".TH GATE 8\n.SH NAME\ngate", "application/octet-stream", "", "man"),
        (b"% hand-made\n\\documentclass{article}", "text/plain", "", "latex"),
        (b"From: a\nTo: b\nSubject: c\n\nx", "text/plain", "", "mail"),
        (b"From a@b Wed Apr 5 2023\nFrom: a\nTo: b\nDate: c\n\nx", "text/plain", "", "mail"),
        (b"From here on, water: it runs.\n\nTo: nobody", "text/plain", "", "text"),
        (b"From " + b"a1" * 20 + b" Mon Sep 17 00:00:00 2001\nFrom: a\n", "text/plain", "", "code"),
        (b"diff --git a/x b/x\n", "text/plain", "", "code"),
        (b"#!/usr/bin/env -S python3 -u\nx = 1", "text/plain", "https://a.test/x", "code"),
        (b"#![no_std]\n# Title", "text/plain", "https://a.test/x", "text"),
        (b"x = 1", "text/html", "https://a.test/x.py", "code"),
        (b"x = 1", "video/mp2t", "https://a.test/x.ts", "code"),
        (b"Hello <b>you</b> <a href=x>x</a>", "text/html", "https://a.test/x.py", "html"),
        (b"# Gates", "text/html", "https://a.test/x.md", "markdown"),
        (b"Gates\n=====", "text/plain", "https://a.test/_sources/x.rst.txt", "rst"),
        (b'{"a": 1}', "text/plain", "https://a.test/api", "json"),
        (b"{not json}", "text/plain", "https://a.test/api", "text"),
        (b'<?xml version="1.0"?>\n<svg/>', "image/svg+xml", "https://a.test/x.svg", "code"),
        (b"all: x", "text/plain", "https://a.test/Makefile", "code"),
        (b"SIGN = b'%PDF-1.4'\n", "text/plain", "https://a.test/x.py", "code"),
        (b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4 x", "text/plain", "https://a.test/x", "pdf"),
    ],
)
def test_kind_by_bytes_then_label_then_name(
    body: bytes, content_type: str, url: str, kind: str
) -> None:
    assert read(body, content_type, url).kind == kind


@pytest.mark.parametrize(
    ("body", "content_type", "url", "language"),
    [
        (b"a: 1", "text/yaml", "https://a.test/x", "yaml"),
        (b"x = 1", "application/javascript; charset=utf-8", "https://a.test/x", "javascript"),
        (b"x = 1", "text/x-c", "https://a.test/x.py", "python"),
        (b"#!/bin/bash\nx", "", "", "sh"),
        (b"--- a/x\n+++ b/x\n", "text/plain", "https://a.test/x.patch", "diff"),
        (b"<?xml version='1.0'?><a/>", "", "", "xml"),
        (b"all: x", "", "https://a.test/src/Makefile", "makefile"),
    ],
)
def test_code_is_fenced_under_its_language(
    body: bytes, content_type: str, url: str, language: str
) -> None:
    assert read(body, content_type, url).text.startswith(f"```{language}\n")


NAMES = (
    "x.html x.md x.txt x.py x.json x.csv x.ipynb x.rst x.adoc x.tex x.1 x.rss x.eml x.docx".split()
)
SEEDS = (
    ".TH a 1\n.TP\n.B x\n.if n \\{\n.TS\ntab(;);\nl.\nT{\n",
    ".Dd x\n.Nm\n.Op Fl v\n.It Xr a 1 .\n",
    "\\documentclass{a}\\item[\\begin{tabular}{l}a&b\\\\$$\\[\\verb|",
    "= A\n:a: b\n\n|===\n2*|a\n----\n* x\n[source]\n<<a,b>> `+x+` +++y+++\n",
    "From: a\nTo: b\nSubject: =?utf-8?q?=C3?=\nContent-Type: multipart/x; boundary=b\n\n--b\n",
    "<rss><channel><item><title>&amp;lt;</title><link>\n</item>",
    '{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["x"]}]}',
    'a;"b\n;;c\t|d\n',
    ".. list-table::\n   :x: y\n\n   * - a\n+--+\n|a |\n",
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.lists(
        st.tuples(st.sampled_from(SEEDS), st.integers(0, 60), st.text(max_size=5)), max_size=5
    ),
)
def test_nothing_makes_it_raise_and_no_control_character_passes(
    name: str, parts: list[tuple[str, int, str]]
) -> None:
    text = "".join(seed[:cut] + more + seed[cut:] for seed, cut, more in parts)
    document = read(text.encode("utf-8", "surrogatepass"), "", f"https://a.test/{name}")
    shown = document.text + document.title
    assert not any(mark < " " and mark not in "\t\n\f" for mark in shown)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "body",
    [b"", b"\n", b"\xff\xfe", b"x" * 1_000_000, b"[" * 100_000, b"{" * 100_000, b"PK", b"\\"],
)
def test_every_kind_takes_the_odd_body(name: str, body: bytes) -> None:
    assert read(body, "application/octet-stream", f"https://a.test/{name}").error is None
