"""How current a page is, by its own words."""

from __future__ import annotations

import re

from intelli.records import Page

_REMARK_WITHIN = 1_500
_VERSION = re.compile(
    r"(?i)\b(?:new in(?: version)?|as of(?: version)?|applies to(?: version)?|documentation for"
    r"|tested (?:with|on)) [\w.-]{0,20} ?v?\d+(?:\.\d+)+\b"
)
_UPDATED = re.compile(
    r"(?i)\blast (?:updated|modified|reviewed|edited)(?: on)?:? *"
    r"((?:\d{4}-\d\d-\d\d)|(?:\w{3,9}\.? \d{1,2}, \d{4})|(?:\d{1,2} \w{3,9} \d{4}))"
)


def currency(page: Page) -> str:
    """The date of publication, else the page's own remark on its date or version, else ``""``."""
    if page.published:
        return page.published
    head = page.text[:_REMARK_WITHIN]
    tail = page.text[-_REMARK_WITHIN:]
    for text in (head, tail):
        if updated := _UPDATED.search(text):
            return f"updated {updated[1]}"
    version = _VERSION.search(head)
    return version[0] if version else ""
