"""Reads the bytes of a page into a Document, by what they are and not by what they are called."""

from __future__ import annotations

from intelli.text.decoding import decode
from intelli.text.document import Document
from intelli.text.kinds import sniff

__all__ = ["decode", "read", "warm"]


def warm() -> None:
    """Import the parsers now."""
    from intelli.text import html

    html.warm()


def read(body: bytes, content_type: str, url: str) -> Document:
    """What the bytes say. Never raises: what cannot be read has empty text."""
    kind = sniff(body, content_type, url)
    if kind == "binary":
        return Document(text="", kind=kind)
    if kind == "pdf":
        from intelli.text import pdf

        return pdf.read_pdf(body)
    text = decode(body, content_type)
    if kind == "html":
        from intelli.text import html

        return html.read_html(text, url)
    return Document(text=text, kind=kind)
