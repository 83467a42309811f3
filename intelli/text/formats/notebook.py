"""Reads a Jupyter notebook: its prose, its code and what the code printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from intelli.text.characters import clean
from intelli.text.document import Document, document_of
from intelli.text.fences import fence
from intelli.text.markup import read_json, read_markdown

MAX_OUTPUT = 10_000
"""Characters of one output: a cell may print for hours."""

_COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_PROSE = ("text/markdown", "text/latex")


def read_notebook(text: str, url: str) -> Document:
    """The cells in order; the first heading is the title. What is no notebook is shown as JSON."""
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return read_json(text)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        return read_json(text)
    language = _language(notebook)
    blocks = [block for cell in cells if isinstance(cell, dict) for block in _cell(cell, language)]
    body = read_markdown("\n\n".join(block for block in blocks if block.strip()))
    return document_of(body.text, "notebook", title=body.title)


def _cell(cell: dict[str, Any], language: str) -> Iterator[str]:
    source = _joined(cell.get("source"))
    kind = cell.get("cell_type")
    if kind == "markdown":
        yield source.strip("\n")
    elif kind == "code":
        if source.strip():
            yield fence(source.strip("\n"), language)
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else []:
            if isinstance(output, dict):
                yield _output(output)
    elif source.strip():
        yield fence(source.strip("\n"))


def _output(output: dict[str, Any]) -> str:
    kind = output.get("output_type")
    if kind == "error":
        return _printed(f"{output.get('ename', '')}: {output.get('evalue', '')}")
    if kind == "stream":
        return _printed(_joined(output.get("text")))
    data = output.get("data")
    if not isinstance(data, dict):
        return ""
    if prose := next((text for name in _PROSE if (text := _joined(data.get(name)))), ""):
        return prose[:MAX_OUTPUT].strip("\n")
    return _printed(_joined(data.get("text/plain")))


def _printed(text: str) -> str:
    # Whoever prints colours means a terminal.
    text = clean(_COLOUR.sub("", text[: 2 * MAX_OUTPUT])).strip("\n")
    cut = f"{text[:MAX_OUTPUT]}\n…" if len(text) > MAX_OUTPUT else text
    return fence(cut) if cut.strip() else ""


def _language(notebook: dict[str, Any]) -> str:
    about = notebook.get("metadata")
    about = about if isinstance(about, dict) else {}
    for key, field in (("language_info", "name"), ("kernelspec", "language")):
        named = about.get(key)
        language = named.get(field) if isinstance(named, dict) else None
        if isinstance(language, str) and re.fullmatch(r"[\w+#.-]{1,30}", language):
            return language.lower()
    return "python"


def _joined(value: object) -> str:
    """Text as notebooks keep it: whole, or as a list of lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
