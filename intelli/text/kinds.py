"""Tells what kind of document some bytes are: by the bytes first, then the label, then the name.

The kinds: `html`, `markdown`, `text`, `pdf`, `archive` (DOCX, PPTX, XLSX, OpenDocument and EPUB, by
their entries), `ole` (the container of old and of encrypted Office files), `rst`, `asciidoc`,
`man`, `latex`, `json`, `notebook`, `csv`, `feed`, `mail` (one message, a mailbox, a saved page),
`code` and `binary`.
"""

from __future__ import annotations

import re

from intelli.text.languages import language_by_label, language_by_name, suffix

HEAD = 2_048
SAMPLE = 20_000
_LEAD = rb"^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?>.*?-->)\s*)*+"
_HTML = re.compile(
    _LEAD + rb"<(?:!doctype\s+html|html|head|body|title|meta|script|div|p|h1|table)\b", re.I | re.S
)
_PAGE = re.compile(_LEAD + rb"<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
"""Markdown may begin with any tag, as a `<div align=center>`; only a whole page is none."""

_MARKUP = re.compile(rb"<(?:html|body|head)\b", re.I)
_TAG = re.compile(rb"</?(?:a|p|div|span|br|ul|table|h[1-6]|pre|link|meta|title|img)\b", re.I)
_SHAPES = tuple(
    (re.compile(pattern, re.S), kind)
    for pattern, kind in (
        (
            _LEAD + rb"(?:<!DOCTYPE rss\b[^>]*>\s*)?"
            rb"<(?:rss\b|feed\b[^>]*Atom|rdf:RDF\b[^>]*purl\.org/rss)",
            "feed",
        ),
        (_LEAD + rb"<opml\b", "feed"),
        (rb"^\s*<\?xml\b", "code"),
        (
            rb"^(?:diff --git |diff -\w+ |Index: [^\n]*\n=+\n|From [0-9a-f]{40} |"
            rb"--- \S[^\n]*\n\+\+\+ )",
            "code",
        ),
        (rb"^[.'](?:\\\"|TH |Dd |so )", "man"),
        (rb"^\s*(?:%[^\n]*\n\s*)*+\\(?:documentclass|documentstyle|section|chapter)\b", "latex"),
        (rb"^(?://[^\n]*\n|\s)*+= \S[^\n=]*\n(?=.*?\n(?:==+ |:[\w-]+:))", "asciidoc"),
        (rb"^#!\s*/", "code"),
    )
)
"""What a text of each kind begins with."""

_MAIL = re.compile(rb"^(?:From |[A-Za-z][A-Za-z-]*:)")
_MAIL_FIELD = re.compile(
    rb"^(?:from|to|subject|date|received|message-id|mime-version|return-path|delivered-to):",
    re.I | re.M,
)
_JSON = re.compile(rb"^\s*(?:[{\[]\s*){1,4}+\"[^\"\n]*\"\s*[:,\]]")
_NOTEBOOK = (b'"nbformat"', b'"cells"')
_TYPES = {
    "text/html": "html", "application/xhtml+xml": "html", "text/markdown": "markdown",
    "text/x-markdown": "markdown", "application/pdf": "pdf", "application/json": "json",
    "text/json": "json", "text/x-rst": "rst", "text/prs.fallenstein.rst": "rst",
    "application/x-ipynb+json": "notebook", "application/rss+xml": "feed",
    "application/atom+xml": "feed", "text/csv": "csv", "text/tab-separated-values": "csv",
    "application/csv": "csv", "application/vnd.ms-excel": "csv", "text/asciidoc": "asciidoc",
    "text/x-asciidoc": "asciidoc", "application/x-tex": "latex", "text/x-tex": "latex",
    "application/x-latex": "latex", "text/x-latex": "latex", "text/troff": "man",
    "text/x-troff": "man", "application/x-troff": "man", "application/x-troff-man": "man",
    "message/rfc822": "mail", "application/mbox": "mail", "multipart/related": "mail",
    "application/x-mimearchive": "mail",
}  # fmt: skip
_SUFFIXES = {
    "md": "markdown", "markdown": "markdown", "mdx": "markdown", "qmd": "markdown",
    "rmd": "markdown", "rst": "rst", "rest": "rst", "json": "json", "geojson": "json",
    "txt": "text", "text": "text", "ipynb": "notebook", "rss": "feed", "atom": "feed",
    "opml": "feed", "csv": "csv", "tsv": "csv", "tab": "csv", "adoc": "asciidoc",
    "asciidoc": "asciidoc", "tex": "latex", "ltx": "latex", "sty": "latex", "man": "man",
    "mdoc": "man", "roff": "man", "eml": "mail", "mbox": "mail", "mht": "mail", "mhtml": "mail",
}  # fmt: skip
ARCHIVES = frozenset(
    "docx docm dotx pptx pptm ppsx potx xlsx xlsm xltx odt ott ods ots odp otp epub".split()
)
"""Suffixes of documents that are ZIP archives."""

_PAGES = frozenset({"php", "svg"})
"""Languages whose files servers run or browsers show: what comes back is no source."""

_SIGNS = (
    (b"%PDF-", "pdf"),
    (b"PK\x03\x04", "archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    (b"\x1f\x8b", "binary"),
    (b"\x89PNG", "binary"),
    (b"GIF8", "binary"),
    (b"\xff\xd8\xff", "binary"),
    (b"\x7fELF", "binary"),
)
_PDF_WITHIN = re.compile(rb"(?<![\"'`\w ])%PDF-\d")
"""Readers of PDF accept what stands in front of the sign; source code only speaks of it."""

_BOMS = (b"\xff\xfe", b"\xfe\xff")
_CONTROLS = frozenset(range(32)) - {0, 8, 9, 10, 12, 13, 27}


def sniff(body: bytes, content_type: str, url: str) -> str:
    """The kind, one of those above. `content_type` is the header's value, possibly empty."""
    head = body[:HEAD]
    for sign, kind in _SIGNS:
        if head.startswith(sign):
            return kind
    if _PDF_WITHIN.search(head[:1024]):
        return "pdf"
    media = media_type(content_type)
    is_markdown = _is_named_markdown(media, url)
    if (_PAGE if is_markdown else _HTML).match(head):
        return "html"
    labelled = _by_label(media)
    if labelled in {"html", "pdf"} and _MARKUP.search(head):
        return "html"
    if labelled != "html" and _is_binary(head):
        return "binary"
    if shape := "" if is_markdown else _by_shape(body, head):
        return shape
    named = _by_name(url)
    if labelled == "html":
        return "html" if _TAG.search(head) or not named or suffix(url) in _PAGES else named
    if labelled and labelled != "pdf":
        return labelled
    return named or ("html" if _MARKUP.search(head) else "") or _by_guess(head)


def is_garbled(text: str) -> bool:
    """Whether decoded text is not text after all: NULs, or controls that no author types."""
    sample = text[:SAMPLE]
    bad = sum(mark < " " and mark not in "\t\n\r\f\b\x1b" for mark in sample)
    failed = sample.count("\ufffd")
    return "\0" in sample or bad > len(sample) / 50 or failed > len(sample) / 10


def media_type(content_type: str) -> str:
    """The media type of a header's value, lower case, without its parameters."""
    return content_type.partition(";")[0].strip().lower()


def _is_named_markdown(media: str, url: str) -> bool:
    named = _by_name(url) == "markdown" and media in {"", "text/plain", "application/octet-stream"}
    return named or _TYPES.get(media) == "markdown"


def _by_label(media: str) -> str:
    if kind := _TYPES.get(media):
        return kind
    if media.endswith("+json"):
        return "json"
    return "code" if language_by_label(media) else ""


def _by_name(url: str) -> str:
    return _SUFFIXES.get(suffix(url)) or ("code" if language_by_name(url) else "")


def _by_shape(body: bytes, head: bytes) -> str:
    lead = head.lstrip(b"\xef\xbb\xbf")
    for pattern, kind in _SHAPES:
        if pattern.match(lead):
            return kind
    if lead.lstrip().startswith(b"{") and all(key in body for key in _NOTEBOOK):
        return "notebook"
    header = lead.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    fields = {field.lower() for field in _MAIL_FIELD.findall(header)}
    return "mail" if len(fields) >= 3 and _MAIL.match(lead) else ""


def _by_guess(head: bytes) -> str:
    return "json" if _JSON.match(head) else "text"


def _is_binary(head: bytes) -> bool:
    if head.startswith(_BOMS) or not head:
        return False
    nuls = head.count(0)
    if nuls and not _is_wide(head, nuls):
        return True
    bad = sum(byte in _CONTROLS for byte in head)
    return bad > len(head) / 50


def _is_wide(head: bytes, nuls: int) -> bool:
    # UTF-16 of mostly Latin text: the NULs stand on one byte parity only.
    even = head[::2].count(0)
    small, large = sorted((even, nuls - even))
    return nuls > len(head) * 0.05 and large >= 5 * max(1, small)
