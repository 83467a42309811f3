"""Reads a PDF: the text of its pages as Markdown, with a marker in front of each page."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from intelli.text.characters import clean
from intelli.text.document import Document
from intelli.text.pdf_layout import markdown_of, mended, styles_of, without_running_lines

if TYPE_CHECKING:
    import pypdfium2

    from intelli.text.pdf_lines import Line

MAX_PAGES = 3_000
SCANNED = 20
"""Letters a page below which the text layer is no more than a stamp on pictures."""
_LOOKED_AT = 3
"""Pages that are asked for a picture."""

PASSWORD = 4
"""FPDF_ERR_PASSWORD of fpdfview.h."""

TITLE_CHARS = 150
TITLE_LINES = 3
"""A longer title is text of the page."""

_NO_TITLE = re.compile(
    r"^(?:untitled|document\d*|title|unknown|none|\W*anonymous\W*|microsoft word.*|"
    r".*\.(?:docx?|tex|dvi|indd|pdf|qxd|jpe?g|png|tiff?))$",
    re.I,
)


def read_pdf(body: bytes, _url: str = "") -> Document:
    """The document's text, or an `error`: `pdf-broken`, `pdf-encrypted`, `pdf-scanned`."""
    import pypdfium2

    # pdfium answers bytes that are no PDF in many ways; all of them cost this page alone.
    try:
        pdf = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        code = "pdf-encrypted" if error.err_code == PASSWORD else "pdf-broken"
        return Document(text="", kind="pdf", error=code)
    except Exception:  # noqa: BLE001
        return Document(text="", kind="pdf", error="pdf-broken")
    try:
        return _document(pdf)
    except Exception:  # noqa: BLE001 - the seam with pdfium, as above
        return Document(text="", kind="pdf", error="pdf-broken")
    finally:
        pdf.close()


def _document(pdf: pypdfium2.PdfDocument) -> Document:
    pages = _pages(pdf)
    if not pages:
        return Document(text="", kind="pdf", error="pdf-broken")
    letters = sum(sum(map(str.isalnum, line.text)) for page in pages for line in page)
    signals: dict[str, float | str] = {"pages": len(pdf), "visible_chars": letters}
    if letters == 0 or (letters < SCANNED * len(pages) and _has_picture(pdf)):
        return Document(text="", kind="pdf", error="pdf-scanned", signals=signals)
    first = pages[0]  # where the title may stand although every other page repeats it as its head
    pages = without_running_lines(pages)
    styles = styles_of(pages)
    marked = [
        f"<!-- page {n} -->\n\n{markdown_of(page, styles)}" for n, page in enumerate(pages, 1)
    ]
    more = len(pdf) - len(pages)
    if more > 0:
        marked.append(f"({more} more pages are not shown.)")
        signals["cut"] = 1.0
    text = clean(mended("\n\n".join(marked))).strip()
    return Document(
        text=text,
        kind="pdf",
        title=_title(pdf, first),
        published=_created(pdf),
        signals=signals | {"text_chars": len(text), "body_head": text[:4_000]},
    )


def _has_picture(pdf: pypdfium2.PdfDocument) -> bool:
    from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

    kinds = (FPDF_PAGEOBJ_IMAGE,)
    first = (pdf[number] for number in range(min(len(pdf), _LOOKED_AT)))
    return any(next(page.get_objects(filter=kinds), None) is not None for page in first)


def _pages(pdf: pypdfium2.PdfDocument) -> list[list[Line]]:
    from intelli.text.pdf_lines import lines_of

    pages = []
    for number in range(min(len(pdf), MAX_PAGES)):
        page = pdf[number]
        pages.append(lines_of(page))
        page.close()
    return pages


def _title(pdf: pypdfium2.PdfDocument, page: list[Line]) -> str:
    named = clean(" ".join(str(pdf.get_metadata_value("Title")).split()))
    if named and len(named) <= TITLE_CHARS and not _NO_TITLE.match(named):
        return named
    return _largest(page)


def _largest(page: list[Line]) -> str:
    """The largest lines of a page that stand together; empty where several places may be meant."""
    lines = [line for line in page if any(map(str.isalpha, line.text)) and len(line.text) > 3]
    sizes = {line.size for line in lines}
    if len(sizes) < 2:
        return ""
    runs: list[list[Line]] = []
    before: Line | None = None
    for line in lines:
        if line.size == max(sizes):
            if before is not None and before.size == line.size and _together(before, line):
                runs[-1].append(line)
            else:
                runs.append([line])
        before = line
    if len(runs) > 1 and runs[0][0] is not lines[0]:
        return ""
    title = " ".join(line.text for line in runs[0])
    return title if len(runs[0]) <= TITLE_LINES and len(title) <= TITLE_CHARS else ""


def _together(before: Line, line: Line) -> bool:
    return abs(before.bottom - line.bottom) <= 2 * line.size


def _created(pdf: pypdfium2.PdfDocument) -> str | None:
    match = re.match(r"D:((?:19|20)\d\d)(\d\d)(\d\d)", str(pdf.get_metadata_value("CreationDate")))
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3])).isoformat()
    except ValueError:
        return None
