"""Bytes become the right text although their label lies or is missing."""

from __future__ import annotations

import codecs

import pytest

from intelli.text.readers import decode

GERMAN = "Über die Brücke führt ein schöner Weg, größer als früher."
JAPANESE = "水門は毎年春に動かなくなります。原因はまだ分かりません。"
RUSSIAN = "Шлюз заедает каждую весну, и никто не знает, почему это происходит."


@pytest.mark.parametrize(
    ("body", "label", "text"),
    [
        (GERMAN.encode("utf-8-sig"), "text/html; charset=iso-8859-1", GERMAN),
        (codecs.BOM_UTF16_LE + GERMAN.encode("utf-16-le"), "", GERMAN),
        (codecs.BOM_UTF16_BE + GERMAN.encode("utf-16-be"), "text/html; charset=utf-8", GERMAN),
        (GERMAN.encode("utf-16-le"), "", GERMAN),
        (GERMAN.encode("utf-16-be"), "text/plain; charset=utf-16", GERMAN),
        (GERMAN.encode(), "text/html; charset=windows-1252", GERMAN),
        (GERMAN.encode("cp1252"), "text/html; charset=ISO-8859-1", GERMAN),
        ("a “quote” – €".encode("cp1252"), "text/html; charset=latin1", "a “quote” – €"),
        (JAPANESE.encode("cp932"), "text/html; charset=Shift_JIS", JAPANESE),
        (JAPANESE.encode("euc_jp"), "text/html; charset='euc-jp'", JAPANESE),
        (JAPANESE.encode("iso2022_jp"), "text/html; charset=iso-2022-jp", JAPANESE),
        (RUSSIAN.encode("koi8-r"), "text/html; charset=koi8-r", RUSSIAN),
        (RUSSIAN.encode("cp1251") * 3, "", RUSSIAN * 3),
        (
            "水闸每年春天都会卡住".encode("gb18030"),
            "text/html; charset=gb2312",
            "水闸每年春天都会卡住",
        ),
        (b"plain", "text/plain; charset=no-such-thing", "plain"),
        (b"plain", "", "plain"),
        (b"", "", ""),
    ],
)
def test_text_is_found(body: bytes, label: str, text: str) -> None:
    assert decode(body, label) == text


def test_the_page_says_its_encoding_where_the_header_does_not() -> None:
    body = f"<meta http-equiv='Content-Type' content='text/html; charset=cp1251'>{RUSSIAN}"
    assert RUSSIAN in decode(body.encode("cp1251"), "text/html")


def test_a_label_the_bytes_do_not_follow_is_not_believed() -> None:
    assert decode(RUSSIAN.encode("cp1251") * 4, "text/html; charset=utf-8") == RUSSIAN * 4


def test_a_few_foreign_bytes_do_not_spoil_utf8() -> None:
    body = GERMAN.encode() + b" caf\xe9 \x93x\x94"
    assert decode(body, "") == GERMAN + " café “x”"


@pytest.mark.parametrize("label", ["charset=utf-16", "charset=base64", "charset=utf-7", "charset="])
def test_no_label_makes_it_raise(label: str) -> None:
    assert decode(b"\xff\x00\xd8 odd", label)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Le système est prêt."),
        ("cp1252", "Volume: 3 m³, 5 cm² – système"),
        ("cp1252", "mañana será otro día"),
        ("cp1250", "Zażółć gęślą jaźń"),
        ("iso8859-2", "Zażółć gęślą jaźń"),
        ("cp1254", "Türkiye'nin başkenti değil mi"),
    ],
)
def test_short_undeclared_text_is_read_as_the_language_its_letters_fit(
    encoding: str, text: str
) -> None:
    assert decode(text.encode(encoding), "text/html") == text
