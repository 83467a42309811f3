"""What an Office file says about itself."""

from __future__ import annotations

from dataclasses import dataclass

from intelli.text.document import date_of
from intelli.text.office.archive import Archive
from intelli.text.xml_tree import child, text_of

_PART = "docProps/core.xml"


@dataclass(frozen=True, slots=True)
class Facts:
    """Title, empty for none, and ISO date of its creation."""

    title: str
    created: str | None


def facts_of(archive: Archive) -> Facts:
    """The core properties (ECMA-376, part 2)."""
    root = archive.tree(_PART)
    return Facts(text_of(child(root, "title")), date_of(text_of(child(root, "created"))))
