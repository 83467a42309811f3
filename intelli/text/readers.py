"""Reads the bytes of a page into a Document, by what they are and not by what they are called."""

from __future__ import annotations

from intelli.text.decoding import decode
from intelli.text.document import Document
from intelli.text.kinds import is_garbled, sniff
from intelli.text.markup import read_code, read_json, read_markdown, read_text

__all__ = ["decode", "read", "warm"]


def warm() -> None:
    """Import the parsers now: they take a moment."""
    from intelli.text import html, pdf  # noqa: F401

    html.warm()


def read(body: bytes, content_type: str, url: str) -> Document:
    """What the bytes say; `content_type` is the header's value, `url` makes links absolute.

    Never raises: what cannot be read has empty text, kind `binary` or an `error`.
    """
    kind = sniff(body, content_type, url)
    if kind == "binary":
        return Document(text="", kind=kind)
    if kind == "pdf":
        from intelli.text.pdf import read_pdf

        return read_pdf(body)
    text = decode(body, content_type)
    if kind == "html":
        from intelli.text.html import read_html

        return read_html(text, url)
    if is_garbled(text):
        return Document(text="", kind="binary")
    return _read_text(text, kind, url)


def _read_text(text: str, kind: str, url: str) -> Document:
    if kind == "markdown":
        return read_markdown(text)
    if kind == "rst":
        from intelli.text.rst import read_rst

        return read_rst(text)
    if kind == "json":
        return read_json(text)
    if kind == "code":
        return read_code(text, url)
    return read_text(text)
