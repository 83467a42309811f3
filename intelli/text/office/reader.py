"""Tells which document an archive holds and has it read."""

from __future__ import annotations

from collections.abc import Callable

from intelli.text.document import Document
from intelli.text.office.archive import Archive, ArchiveError
from intelli.text.office.docx import read_docx
from intelli.text.office.epub import read_epub
from intelli.text.office.odf import read_odf
from intelli.text.office.pptx import read_pptx
from intelli.text.office.xlsx import read_xlsx

_READERS: tuple[tuple[str, Callable[[Archive], Document]], ...] = (
    ("word/document.xml", read_docx),
    ("ppt/presentation.xml", read_pptx),
    ("xl/workbook.xml", read_xlsx),
    ("META-INF/container.xml", read_epub),
    ("content.xml", read_odf),
)
"""The entry that only this kind of document has."""

_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")


def read_archive(body: bytes, url: str) -> Document:
    """The document in an archive; kind `binary` for an archive of anything else."""
    try:
        archive = Archive(body)
        for entry, reader in _READERS:
            if entry in archive:
                return reader(archive)
    except ArchiveError as error:
        is_document = error.code != "archive-broken" or _names_document(body)
        return Document(
            text="",
            kind="archive" if is_document else "binary",
            error=error.code if is_document else None,
        )
    return Document(text="", kind="binary")


def read_ole(body: bytes, url: str) -> Document:
    """An Office file with a password stands in this container; files of the nineties also do."""
    if _ENCRYPTED_PACKAGE in body:
        return Document(text="", kind="ole", error="office-encrypted")
    return Document(text="", kind="binary")


def _names_document(body: bytes) -> bool:
    """Whether what is left of an archive was once a document."""
    return any(entry.encode() in body for entry, _ in _READERS) or b"mimetypeapplication/" in body
