"""Archives of strangers cost one page: bombs, damage, passwords and odd entries."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from intelli.text.readers import read
from tests.world.archives import WORD, archive, docx, paragraph

BOMB = "<!DOCTYPE a [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '{f'&{chr(97 + n)};' * 10}'>" for n in range(12)
) + "]>"  # fmt: skip


def outcome(body: bytes) -> tuple[str, str, str | None]:
    document = read(body, "application/zip", "https://a.test/x.docx")
    return document.kind, document.text, document.error


def encrypted(body: bytes) -> bytes:
    """The archive with the flag of a password on every entry."""
    local, central = struct.pack("<I", 0x04034B50), struct.pack("<I", 0x02014B50)
    changed = bytearray(body)
    for sign, offset in ((local, 6), (central, 8)):
        at = body.find(sign)
        while at >= 0:
            changed[at + offset] |= 1
            at = body.find(sign, at + 4)
    return bytes(changed)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (archive({"some.txt": "x"}), ("binary", "", None)),
        (b"PK\x03\x04nothing of an archive", ("binary", "", None)),
        (docx(paragraph("x"))[:-30], ("archive", "", "archive-broken")),
        (archive({"word/document.xml": b" " * 41_000_000}), ("archive", "", "archive-broken")),
        (encrypted(docx(paragraph("x"))), ("archive", "", "office-encrypted")),
        (
            archive({f"word/{n}": "" for n in range(20_001)} | {"word/document.xml": "<a/>"}),
            ("archive", "", "archive-broken"),
        ),
        (archive({"word/document.xml": ""}), ("docx", "", None)),
        (archive({"word/document.xml": "<no xml at all"}), ("docx", "", None)),
        (archive({"xl/workbook.xml": "<w/>", "../../xl/x": "y"}), ("xlsx", "", None)),
        (archive({"META-INF/container.xml": "<c/>"}), ("epub", "", None)),
        (archive({"content.xml": "<c/>"}), ("odt", "", None)),
        (archive({"ppt/presentation.xml": "<c/>"}), ("pptx", "", None)),
    ],
)
def test_an_archive_is_a_document_or_says_why_not(
    body: bytes, expected: tuple[str, str, str | None]
) -> None:
    assert outcome(body) == expected


def test_an_office_file_with_a_password_says_so() -> None:
    sign = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    locked = sign + b"\0" * 500 + "EncryptedPackage".encode("utf-16-le")
    assert outcome(locked) == ("ole", "", "office-encrypted")
    assert outcome(sign + b"\0" * 500) == ("binary", "", None)


def test_entities_are_not_expanded_and_no_file_is_opened() -> None:
    body = (
        f"<w:document {WORD}><w:body><w:p><w:r><w:t>a&m;b</w:t></w:r></w:p></w:body></w:document>"
    )
    assert len(outcome(archive({"word/document.xml": BOMB + body}))[1]) < 100
    outside = "<!DOCTYPE a [<!ENTITY m SYSTEM 'file:///etc/passwd'>]>"
    assert "root:" not in outcome(archive({"word/document.xml": outside + body}))[1]


def test_tables_inside_tables_end_somewhere() -> None:
    deep = "<w:tbl><w:tr><w:tc>" * 50_000
    assert outcome(docx(deep))[0] == "docx"


def test_a_lie_about_the_size_is_found_out() -> None:
    body = bytearray(archive({"word/document.xml": b" " * 100_000}))
    at = body.find(struct.pack("<I", 0x02014B50))
    body[at + 24 : at + 28] = struct.pack("<I", 10)
    assert zipfile.is_zipfile(io.BytesIO(body))
    assert outcome(bytes(body))[2] in {None, "archive-broken"}
