"""Makes ZIP archives as Office programs write them, as small as they can be."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

WORD = 'xmlns:w="urn:w" xmlns:r="urn:r"'


def archive(entries: Mapping[str, str | bytes]) -> bytes:
    """The bytes of a ZIP file with these entries."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return out.getvalue()


def docx(body: str, **parts: str) -> bytes:
    """A DOCX with this body; `parts` are further files of its folder `word`."""
    document = f"<w:document {WORD}><w:body>{body}</w:body></w:document>"
    others = {f"word/{name}.xml": text for name, text in parts.items()}
    return archive({"word/document.xml": document, **others})


def paragraph(text: str, properties: str = "") -> str:
    """A paragraph of a DOCX."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def relations(targets: Mapping[str, str]) -> str:
    """A file of relations: target by id."""
    rows = "".join(f'<Relationship Id="{k}" Target="{v}"/>' for k, v in targets.items())
    return f"<Relationships>{rows}</Relationships>"
