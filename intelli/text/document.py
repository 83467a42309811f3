"""What a reader makes of the bytes of one page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One reading. `text` is Markdown without the title line, empty when nothing could be read.

    `kind` is `html`, `markdown`, `text`, `pdf`, `rst`, `json`, `code` or `binary`. `published` is
    an ISO date; `canonical` and `alternate` (the page's own Markdown) are absolute URLs.
    `error` is None or `pdf-scanned`, `pdf-encrypted`, `pdf-broken`. `signals` are measured facts
    of the whole page, before anything was pruned: counts and sizes in characters as numbers,
    `doc_title` and `body_head` (the first 4,000 visible characters) as text.
    """

    text: str
    kind: str
    title: str = ""
    published: str | None = None
    language: str | None = None
    canonical: str | None = None
    alternate: str | None = None
    signals: Mapping[str, float | str] = field(default_factory=dict)
    error: str | None = None
