"""What a reader makes of the bytes of one page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from intelli.text.characters import clean

HEAD = 4_000
"""Characters of a text that stand in its signals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One reading. `text` is Markdown without the title line, empty when nothing could be read.

    `kind` is one of `intelli.text.kinds`, or the format that was in an archive. `published` and
    `modified` are ISO dates, `author` is the name or the names; `canonical` and `alternate` (the
    page's own Markdown) are absolute URLs. `error` is None or says why there is no text:
    `pdf-scanned`, `pdf-encrypted`, `pdf-broken`, `office-encrypted`, `archive-broken`. `signals`
    are measured facts of the whole page, before anything was pruned: counts and sizes in
    characters as numbers, `doc_title` and `body_head` (the first 4,000 visible characters) as text.
    """

    text: str
    kind: str
    title: str = ""
    published: str | None = None
    modified: str | None = None
    author: str | None = None
    language: str | None = None
    canonical: str | None = None
    alternate: str | None = None
    signals: Mapping[str, float | str] = field(default_factory=dict)
    error: str | None = None


def document_of(
    text: str,
    kind: str,
    *,
    title: str = "",
    published: str | None = None,
    language: str = "",
    left_out: str = "",
) -> Document:
    """A reading of what is no HTML: text and title without control characters, and its signals.
    What a bound `left_out` (`9 more lines`) is said in a last line, and by the signal `cut`."""
    text = clean(text).strip("\n") + (f"\n\n({left_out} are not shown.)" if left_out else "")
    title = " ".join(clean(title).split())
    signals: dict[str, float | str] = {
        "visible_chars": len(text),
        "text_chars": len(text),
        "code_blocks": text.count("\n```") // 2,
        "headings": len(re.findall(r"^#{1,6} ", text, re.M)),
        "body_head": text[:HEAD],
        "doc_title": title,
        **({"cut": 1.0} if left_out else {}),
    }
    return Document(
        text=text,
        kind=kind,
        title=title,
        published=published,
        language=language or None,
        signals=signals,
    )


def date_of(text: str) -> str | None:
    """The ISO date that a text begins with, None where there is none."""
    found = re.match(r"\s*((?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))", text)
    return found[1] if found else None
