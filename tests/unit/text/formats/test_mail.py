"""Mail shows its header and text; a page that was saved as mail is read as a page."""

from __future__ import annotations

import pytest

from intelli.text.readers import read

PLAIN = """Return-Path: <ada@gate.test>
Received: from x by y
From: =?utf-8?q?Ada_G=C3=A4te?= <ada@gate.test>
To: pump@gate.test
Subject: =?iso-8859-1?Q?=DCber?= the
 gate
Date: Wed, 05 Apr 2023 10:00:00 +0000
MIME-Version: 1.0
"""
TEXT = "Content-Type: text/plain; charset=iso-8859-1\n\n> why?\nW\u00e4ter.\n-- \nAda\n"
HEAD = (
    "From: Ada Gäte <ada@gate.test>  \nTo: pump@gate.test  \nDate: Wed, 05 Apr 2023 10:00:00 +0000"
)
PARTS = """Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: multipart/alternative; boundary="c"

--c
Content-Type: text/html

<p>The <b>gate</b></p>
--c--
--b
Content-Type: text/plain
Content-Disposition: attachment; filename=x.txt

attached
--b--
"""
PAGE = """From: <Saved by a browser>
Subject: x
MIME-Version: 1.0
Content-Type: multipart/related; boundary="b"

--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable
Content-Location: https://gate.test/book/

<html><head><title>Gate book</title></head><body><main><h1>Gate book</h1><p>W=C3=A4ter ru=
ns by the <a href=3D"x">gate</a> in spring and in autumn.</p></main></body></html>
--b
Content-Type: image/png
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--b--
"""


def test_a_message_shows_what_a_reader_sees() -> None:
    document = read((PLAIN + TEXT).encode("latin-1"), "", "https://a.test/x")
    assert (document.kind, document.title) == ("mail", "Über the gate")
    assert document.published == "2023-04-05"
    assert document.text == f"{HEAD}\n\n> why?\nWäter."


def test_html_is_converted_and_attachments_are_left_out() -> None:
    document = read((PLAIN + PARTS).encode(), "message/rfc822", "https://a.test/x")
    assert document.text == f"{HEAD}\n\nThe **gate**"


def test_a_mailbox_shows_every_message() -> None:
    box = "".join(
        f"From ada@gate.test Wed Apr  5 10:00:00 2023\nFrom: ada\nSubject: {n}\n\n>From {n}\n\n"
        for n in "ab"
    )
    document = read(box.encode(), "application/mbox", "https://a.test/x")
    assert document.text == "## a\n\nFrom: ada\n\nFrom a\n\n## b\n\nFrom: ada\n\nFrom b"


def test_a_saved_page_is_read_as_a_page() -> None:
    document = read(PAGE.replace("\n", "\r\n").encode(), "multipart/related", "https://a.test/x")
    assert (document.kind, document.title) == ("html", "Gate book")
    assert document.text == (
        "Wäter runs by the [gate](https://gate.test/book/x) in spring and in autumn."
    )


@pytest.mark.parametrize(
    "rest",
    [
        "Content-Type: message/rfc822\n\n" * 20_000,
        "".join(f"Content-Type: multipart/mixed; boundary=x{n}\n\n--x{n}\n" for n in range(3_000)),
        "Content-Type: multipart/mixed\n\nno boundary",
        "Content-Type: text/plain; charset=nonsense\nContent-Transfer-Encoding: base64\n\n!!!",
        "Subject: =?x?y?z?= =?utf-8?b?a?=\nDate: never\n\n",
    ],
)
def test_no_message_is_too_odd(rest: str) -> None:
    assert read((PLAIN + rest).encode(), "message/rfc822", "https://a.test/").kind == "mail"
