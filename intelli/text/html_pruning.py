"""Drops page furniture from the located content."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from intelli.text.html_blocks import is_note
from intelli.text.html_names import names_of
from intelli.text.html_tree import BLOCKS, HEADINGS, class_names, drop_all, tag_of, text_of
from intelli.text.html_weights import Weight

_ROLES = frozenset(
    "navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar "
    "tablist tooltip".split()
)
_CONTROLS = frozenset({"button", "input", "select", "textarea", "dialog", "datalist"})
_STRUCTURE = frozenset({"pre", "code", "tr", "td", "th", "tbody", "thead", "dt", *HEADINGS})
_KEPT = _STRUCTURE | _CONTROLS
_LISTS = frozenset({"ul", "ol", "div", "section", "dl", "p"})
_VALUABLE = ("pre", "table", "h1")
_PERMALINK = frozenset("¶ § # 🔗 ⚓ ∞ [link] [src] [source] [permalink] ☍ ➜ permalink".split())
DOMINANT = 0.4
LINKED = 0.6
PROSE = 100
UNLIKELY = 0.4
UNLIKELY_SECTION = 0.12
INDEX = 0.35
"""Below this share of likely text a page is a list of links, and those are its content."""

TEXT = 0.75
"""From this share on a page is text, and what is unlikely in it does not belong to it."""

_FURTHER = re.compile(r"see also|references|further reading|external links|resources", re.I)


def prune(
    content: HtmlElement, weights: dict[HtmlElement, Weight], *, is_thread: bool = False
) -> None:
    """Drop furniture in place; what holds much of the content stays, whatever it is called."""
    dropped = _furniture(content, weights)
    total, kept = _left(content, dropped, weights)
    if not is_thread and kept >= TEXT * total:
        parts = _parts(content, weights)
        dropped += [part for part in parts if _is_unlikely(part, weights[part])]
    drop_all([*dropped, *_permalinks(content)])


def _furniture(content: HtmlElement, weights: dict[HtmlElement, Weight]) -> list[HtmlElement]:
    dropped = [e for e in content.iterdescendants(*_CONTROLS) if e in weights and not _unfolds(e)]
    first, last = _kept_range(content, weights)
    is_index = weights[content].kept < INDEX * weights[content].total
    for part, place in _parts(content, weights).items():
        plain = is_index or (first < place < last and _is_plain_list(part))
        if _is_furniture(part, weights[part]) or (not plain and _is_link_list(part, weights[part])):
            dropped.append(part)
    return dropped


def _parts(content: HtmlElement, weights: dict[HtmlElement, Weight]) -> dict[HtmlElement, int]:
    """What may be dropped, and its place in the content."""
    limit = DOMINANT * weights[content].total
    return {
        element: place
        for place, element in enumerate(content.iterdescendants())
        if element.tag not in _KEPT and element in weights and weights[element].total <= limit
    }


def _left(
    content: HtmlElement, dropped: list[HtmlElement], weights: dict[HtmlElement, Weight]
) -> tuple[int, float]:
    """The characters of the content without what is dropped, and how many of them are likely."""
    gone = set(dropped)
    outermost = [e for e in gone if gone.isdisjoint(e.iterancestors())]
    total = weights[content].total - sum(weights[e].total for e in outermost)
    return total, weights[content].kept - sum(weights[e].kept for e in outermost)


def _kept_range(content: HtmlElement, weights: dict[HtmlElement, Weight]) -> tuple[int, int]:
    """Places of the first and last leaf that is likely content."""
    places = [
        place
        for place, element in enumerate(content.iterdescendants())
        if len(element) == 0 and element in weights and weights[element].kept > 20
    ]
    return (places[0], places[-1]) if places else (0, 0)


def _is_unlikely(element: HtmlElement, weight: Weight) -> bool:
    headed = next(element.iter(*HEADINGS), None) is not None
    likely = weight.kept >= (UNLIKELY_SECTION if headed else UNLIKELY) * weight.total
    plain = likely or element.tag not in BLOCKS
    return not plain and not _holds_value(element) and not _is_further(element)


def _is_furniture(element: HtmlElement, weight: Weight) -> bool:
    names = names_of(element)
    kept = weight.kept / weight.total if weight.total else 0.0
    linked = weight.linked / weight.total if weight.total else 0.0
    if element.tag == "a" and tag_of(element.getparent()) in HEADINGS:
        return False
    if element.tag == "nav" or element.get("role") in _ROLES or names.furniture:
        prose = weight.total > 600 and linked < 0.3 and kept > 0.5
        listing = next(element.iter("pre"), None) is not None
        return not prose and not listing and not is_note(element)
    if names.unfolding:
        return False
    if element.tag in {"footer", "aside", "header"} or names.doubtful:
        prose = weight.total > PROSE and linked < 0.33
        return kept < 0.5 and not prose and not is_note(element) and not _holds_value(element)
    return False


def _unfolds(element: HtmlElement) -> bool:
    # The question of a folded answer is a button on many sites.
    parent = element.getparent()
    return element.tag == "button" and (
        (parent is not None and parent.tag in HEADINGS and text_of(parent) == text_of(element))
        or (element.get("aria-expanded") is not None and len(text_of(element)) > 20)
    )


def _is_plain_list(element: HtmlElement) -> bool:
    # Between paragraphs a list of links without a class of its own was written by the author.
    names = (element.get("class") or "").split()
    return (element.tag in {"ul", "ol", "dl"} and len(names) < 2) or "toctree-wrapper" in names


def _is_link_list(element: HtmlElement, weight: Weight) -> bool:
    if element.tag not in _LISTS or weight.kept > 0.2 * weight.total:
        return False
    if _is_further(element):
        return False
    links = sum(1 for _ in element.iter("a"))
    return links >= 3 and weight.linked > LINKED * weight.total and not _holds_value(element)


def _is_further(element: HtmlElement) -> bool:
    """Whether a heading in it or before it says that it holds references."""
    heading = next(element.iter(*HEADINGS, "dt", "strong"), None)
    before, parent = element.getprevious(), element.getparent()
    if before is None and parent is not None:
        before = parent.getprevious()
    if heading is None and tag_of(before) in HEADINGS:
        heading = before
    return heading is not None and _FURTHER.match(text_of(heading)) is not None


def _holds_value(element: HtmlElement) -> bool:
    return any(next(element.iter(tag), None) is not None for tag in _VALUABLE)


def _permalinks(content: HtmlElement) -> list[HtmlElement]:
    return [link for link in content.iter("a") if _is_permalink(link)]


def _is_permalink(link: HtmlElement) -> bool:
    text = text_of(link).lower()
    if text == "source":
        return "src" in class_names(link)
    return text in _PERMALINK and "#" in (link.get("href") or "#")
