"""Tells what kind of document some bytes are, from the bytes first and the label second."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import urlsplit

HEAD = 2_048
SAMPLE = 20_000
_HTML = re.compile(
    rb"^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?>.*?-->)\s*)*+"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|script|div|p|h1|table)\b",
    re.I | re.S,
)
_PAGE = re.compile(
    rb"^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?>.*?-->)\s*)*+<(?:!doctype\s+html|html|head|body)\b",
    re.I | re.S,
)
"""Markdown may begin with any tag, as a `<div align=center>`; only a whole page is none."""

_MARKUP = re.compile(rb"<(?:html|body|head)\b", re.I)
_TYPES = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "application/pdf": "pdf",
    "application/json": "json",
    "text/x-rst": "rst",
    "text/prs.fallenstein.rst": "rst",
}
_SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".rst": "rst",
    ".json": "json",
    ".txt": "text",
}
LANGUAGES = {
    ".py": "python", ".pyi": "python", ".js": "javascript", ".mjs": "javascript",
    ".ts": "typescript", ".tsx": "tsx", ".jsx": "jsx", ".rs": "rust", ".go": "go", ".c": "c",
    ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".java": "java", ".kt": "kotlin",
    ".rb": "ruby", ".php": "php", ".cs": "csharp", ".swift": "swift", ".sh": "sh", ".lua": "lua",
    ".sql": "sql", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".ini": "ini", ".css": "css",
    ".diff": "diff", ".patch": "diff",
}  # fmt: skip
"""File suffix to the language of a code fence."""

_SIGNS = (
    (b"%PDF-", "pdf"),
    (b"PK\x03\x04", "binary"),
    (b"\x1f\x8b", "binary"),
    (b"\x89PNG", "binary"),
    (b"GIF8", "binary"),
    (b"\xff\xd8\xff", "binary"),
    (b"\x7fELF", "binary"),
)
_BOMS = (b"\xff\xfe", b"\xfe\xff")
_CONTROLS = frozenset(range(32)) - {0, 8, 9, 10, 12, 13, 27}


def sniff(body: bytes, content_type: str, url: str) -> str:
    """The kind as in `Document.kind`. `content_type` is the header's value, possibly empty."""
    head = body[:HEAD]
    for sign, kind in _SIGNS:
        if head.startswith(sign) or (kind == "pdf" and sign in head[:1024]):
            return kind
    media = content_type.partition(";")[0].strip().lower()
    if (_PAGE if _is_named_markdown(media, url) else _HTML).match(head):
        return "html"
    kind = _TYPES.get(media) or ("json" if media.endswith("+json") else "")
    if kind == "html" or (kind == "pdf" and _MARKUP.search(head)):
        return "html"
    if _is_binary(head):
        return "binary"
    if kind and kind != "pdf":
        return kind
    return _by_name(url) or ("html" if _MARKUP.search(head) else "text")


def is_garbled(text: str) -> bool:
    """Whether decoded text is not text after all: NULs, or controls that no author types."""
    sample = text[:SAMPLE]
    bad = sum(mark < " " and mark not in "\t\n\r\f\b\x1b" for mark in sample)
    failed = sample.count("\ufffd")
    return "\0" in sample or bad > len(sample) / 50 or failed > len(sample) / 10


def suffix(url: str) -> str:
    """The suffix of the file a URL names, lower case, with its dot; empty when there is none."""
    return PurePosixPath(urlsplit(url).path).suffix.lower()


def _is_named_markdown(media: str, url: str) -> bool:
    named = _by_name(url) == "markdown" and media in {"", "text/plain", "application/octet-stream"}
    return named or _TYPES.get(media) == "markdown"


def _by_name(url: str) -> str:
    ending = suffix(url)
    return _SUFFIXES.get(ending) or ("code" if ending in LANGUAGES else "")


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
