"""Reads the bytes of a page into a Document, by what they are and not by what they are called."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from intelli.text.decoding import decode
from intelli.text.document import Document
from intelli.text.kinds import is_garbled, media_type, sniff
from intelli.text.languages import language_of
from intelli.text.markup import read_code, read_json, read_markdown, read_text

__all__ = ["decode", "read", "warm"]

_OF_BYTES = {
    "pdf": ("pdf", "read_pdf"),
    "archive": ("office.reader", "read_archive"),
    "ole": ("office.reader", "read_ole"),
    "mail": ("formats.mail", "read_mail"),
}
_OF_TEXT = {
    "html": ("html", "read_html"),
    "feed": ("formats.feed", "read_feed"),
    "notebook": ("formats.notebook", "read_notebook"),
    "csv": ("formats.delimited", "read_delimited"),
    "rst": ("formats.rst", "read_rst"),
    "asciidoc": ("formats.asciidoc", "read_asciidoc"),
    "man": ("formats.roff", "read_roff"),
    "latex": ("formats.latex", "read_latex"),
}
"""Kind to the module and the function that reads it, imported when the first one comes."""


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
    if kind in _OF_BYTES:
        return _call(_OF_BYTES[kind], body, url)
    text = decode(body, content_type)
    if kind == "html":
        return _call(_OF_TEXT[kind], text, url)
    if is_garbled(text):
        return Document(text="", kind="binary")
    if kind in _OF_TEXT:
        return _call(_OF_TEXT[kind], text, url)
    if kind == "code":
        return read_code(text, url, language_of(text, media_type(content_type), url))
    return {"markdown": read_markdown, "json": read_json}.get(kind, read_text)(text)


def _call(place: tuple[str, str], source: bytes | str, url: str) -> Document:
    module, function = place
    reader = getattr(import_module(f"intelli.text.{module}"), function)
    return cast(Document, reader(source, url))
