"""Removes what a page does not show: scripts, embedded objects, hidden elements."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from intelli.text.html_hiding import Hiding
from intelli.text.html_tree import body_of, classes, drop_all

_NEVER_SHOWN = (
    "script", "style", "noscript", "template", "iframe", "object", "embed", "applet", "canvas",
    "audio", "video", "svg", "link", "meta", "base", "datalist",
)  # fmt: skip
_UNSEEN = re.compile(
    r"(?:^|\s)(?:sr-only|visually-?hidden|screen-reader(?:-text|-only)?|a11y-hidden|"
    r"u-hidden-visually|offscreen|is-hidden-visually)(?:\s|$)"
)
# Tabs that are not open and boxes that fold out are content; the page only shows one at a time.
_FOLDED = re.compile(
    r"tab-?(?:panel|pane|content|item|body)|accordion|collaps|expand|spoiler|tabbed"
)
_CONSENT = re.compile(
    r"(?:^|[\s_-])(?:cookie\w*|onetrust|ot-(?:sdk|pc)|consent|gdpr|ccpa|cmpbox|cybotcookiebot\w*|truste|"
    r"didomi|usercentrics|qc-cmp\w*|sp_message\w*|osano|termly|iubenda)(?:$|[\s_-])"
)
_CONSENT_TAGS = ("div", "section", "aside", "dialog", "form", "footer")
_DOMINANT = 0.5


def remove_unshown(root: HtmlElement) -> None:
    """Drop, in place, everything that is never shown as text."""
    page = _size(root) - sum(len((e.text or "").strip()) for e in root.iter("script", "style"))
    unshown = root.iter(*_NEVER_SHOWN)
    drop_all([e for e in unshown if e.tag != "noscript" or not _is_whole_page(e, page)])


def remove_hidden(root: HtmlElement, hiding: Hiding) -> None:
    """Drop, in place, hidden elements, unless they hold most of the page."""
    body = body_of(root)
    hidden = [element for element in body.iterdescendants() if _is_hidden(element, hiding)]
    if not hidden:
        return
    limit = _DOMINANT * _size(body)
    drop_all([element for element in hidden if _size(element) <= limit])


def remove_consent(root: HtmlElement) -> None:
    """Drop, in place, the boxes that ask for consent: their prose reads like content."""
    body = body_of(root)
    boxes = [e for e in body.iter(*_CONSENT_TAGS) if _CONSENT.search(classes(e))]
    limit = _DOMINANT * _size(body) if boxes else 0
    drop_all([box for box in boxes if _is_apart(box) and _size(box) <= limit])


def _is_apart(box: HtmlElement) -> bool:
    # A page about cookies may name its sections so; only a box of its own is dropped.
    inside = any(a.tag in {"main", "article"} for a in box.iterancestors())
    return not inside and next(box.iter("h1", "pre"), None) is None


def _is_hidden(element: HtmlElement, hiding: Hiding) -> bool:
    if element.get("role") == "tabpanel" or element.tag in {"pre", "code", "math"}:
        return False
    if _UNSEEN.search((element.get("class") or "").lower()):
        return True
    if element.get("aria-hidden") == "true":
        return not _FOLDED.search(classes(element))
    if element.get("hidden") is not None or hiding.conceals(element):
        return element.get("hidden") != "until-found" and not _FOLDED.search(classes(element))
    return False


def _is_whole_page(noscript: HtmlElement, page: int) -> bool:
    return _size(noscript) > max(2_000, _DOMINANT * page)


def _size(element: HtmlElement) -> int:
    return sum(len(text.strip()) for text in element.itertext())
