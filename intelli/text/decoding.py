"""Turns the bytes of a page into text: what the bytes prove comes before what their label says."""

from __future__ import annotations

import codecs
import re

from intelli.text.detection import guess

HEAD = 4_096
SAMPLE = 200_000
FAILED = 0.002
"""Share of characters that may fail under a declared encoding; more, and the label is a lie."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Where Python takes a label at its word and browsers read its superset (WHATWG Encoding, labels).
_LABELS = {
    **dict.fromkeys(("latin1", "iso8859-1", "ascii", "us-ascii", "ansi_x3.4-1968", "l1"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "gb_2312-80", "x-gbk", "chinese", "hz"), "gb18030"),
    **dict.fromkeys(
        ("shift_jis", "sjis", "x-sjis", "shift-jis", "windows-31j", "ms_kanji"), "cp932"
    ),
    **dict.fromkeys(
        ("euc-kr", "euckr", "ks_c_5601-1987", "ksc5601", "korean", "windows-949"), "cp949"
    ),
    **dict.fromkeys(("iso-8859-9", "latin5", "l5"), "cp1254"),
    **dict.fromkeys(("iso-8859-11", "tis-620", "windows-874", "dos-874"), "cp874"),
    **dict.fromkeys(("big5", "big5-hkscs", "x-x-big5", "cn-big5"), "big5hkscs"),
    **dict.fromkeys(("utf-16", "unicode", "ucs-2", "utf-16le"), "utf-16-le"),
    **dict.fromkeys(("x-mac-roman", "macintosh", "mac"), "mac_roman"),
    **dict.fromkeys(("iso-8859-1", "iso_8859-1", "windows-1252", "x-cp1252"), "cp1252"),
    "iso-8859-8-i": "iso8859-8",
    "logical": "iso8859-8",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-euc-jp": "euc_jp",
    "utf8": "utf-8",
    "x-unicode20utf8": "utf-8",
}
_LABEL = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_META = re.compile(rb"<meta\b[^>]*?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_XML = re.compile(rb"^\s*<\?xml\b[^>]*?encoding\s*=\s*[\"']([\w.:-]+)", re.I)
_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH = re.compile(rb"[\x80-\xff]")
_WIDE = frozenset({"gb18030", "big5hkscs", "cp932", "cp949", "euc_jp", "euc-jp", "euc_kr"})
_MIXED = "intelli.cp1252"


def decode(body: bytes, content_type: str) -> str:
    """The text of the bytes; `content_type` is the header's value, possibly empty. Never raises.

    BOM; UTF-16 by its NULs; valid UTF-8 over any label; UTF-8 with a few foreign bytes; the
    header's label, then the page's own; detection.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    if encoding := _wide(body[:SAMPLE]):
        return body.decode(encoding, "replace").replace("\0", "")
    labels = _labels(body, content_type)
    if (text := _utf8(body, labels)) is not None:
        return text
    for label in labels:
        if (text := _declared(body, label)) is not None:
            return text
    if body.isascii() and b"\x1b" not in body:
        return body.decode("ascii")
    return _detected(body)


def _wide(body: bytes) -> str:
    """UTF-16 of mostly Latin text leaves its NULs on one parity of byte positions."""
    even, odd = body[::2].count(0), body[1::2].count(0)
    if (
        even + odd < 8
        or max(even, odd) <= 0.05 * max(1, len(body))
        or max(even, odd) < 5 * min(even, odd)
    ):
        return ""
    return "utf-16-be" if even > odd else "utf-16-le"


def _utf8(body: bytes, labels: list[str]) -> str | None:
    high = len(_HIGH.findall(body))
    if high >= 2 and b"\x1b$" not in body:
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError:
            pass
    sequences = _SEQUENCE.findall(body)
    bad = high - sum(map(len, sequences))
    # Short text in an East Asian encoding holds valid sequences by chance: its label decides.
    margin = 10 if _WIDE.intersection(labels) else 1
    if len(sequences) >= 3 and len(sequences) > margin * bad:
        return body.decode("utf-8", _MIXED)
    return None


def _labels(body: bytes, content_type: str) -> list[str]:
    """Python's names of the declared encodings, most trusted first."""
    found = [
        _LABEL.search(content_type.encode("ascii", "ignore")),
        _META.search(body[:HEAD]),
        _XML.search(body[:HEAD]),
    ]
    names = [match[1].decode("ascii").lower().strip(" :.") for match in found if match]
    return [_LABELS.get(name, name) for name in names]


def _declared(body: bytes, encoding: str) -> str | None:
    if encoding == "utf-7":  # no browser reads it: it was only ever used to smuggle markup
        return None
    try:
        text = body.decode(encoding, "replace")
    except (LookupError, UnicodeError):
        return None
    return text if text.count("\ufffd") <= FAILED * len(text) else None


def _detected(body: bytes) -> str:
    if b"\x1b" not in body and (encoding := guess(body[:SAMPLE])):
        return body.decode(encoding, "replace")
    import charset_normalizer

    best = charset_normalizer.from_bytes(body[:SAMPLE]).best()
    if best is None:
        return body.decode("cp1252", "replace")
    encoding = _LABELS.get(best.encoding.replace("_", "-"), best.encoding)
    return body.decode(encoding, "replace")


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    byte = error.object[error.start : error.start + 1]
    return byte.decode("cp1252", "replace"), error.start + 1


codecs.register_error(_MIXED, _as_cp1252)
