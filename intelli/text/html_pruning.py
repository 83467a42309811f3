"""Drops page furniture from the located content."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from intelli.text.html_blocks import is_note
from intelli.text.html_tree import HEADINGS, class_names, drop, tag_of, text_of
from intelli.text.html_weights import Weight

_EDGE = r"(?:^|[\s_-])"
_END = r"(?:$|[\s_-])"
_ALWAYS = re.compile(
    _EDGE + r"(?:cookie\w*|consent|gdpr|breadcrumbs?|pagination|pager|paginator|"
    r"page-nav\w*|prev-?next|next-?prev|post-nav\w*|share|sharing|sharedaddy|social|addtoany|"
    r"skip-?(?:link|nav|to)\w*|edit-?(?:this|page|link|on)\w*|editsection|feedback|"
    r"was-this\w*|newsletter|subscribe|signup|sign-up|advert\w*|ads?|adsbygoogle|"
    r"promo|sponsor\w*|modal|overlay|toolbar|noprint|navbox|catlinks|jump-?links|"
    r"copy-?(?:btn|button|code)|clipboard|print-?only|login|related-?(?:posts|articles|links)|"
    r"recommended|navbar|nav-?(?:links|header|footer|bottom|top|buttons)|sphinxsidebar|"
    r"site-?(?:header|footer|nav)|page-?footer|footer-?(?:nav|links)|back-?to-?top|"
    r"reply-?link|comment-reply\w*|votecell|vote|js-vote-count|post-menu|"
    r"bbcodeblock-(?:expandlink|shrinklink)|message-(?:footer|attribution|lastedit|actionbar)|"
    r"(?:user|message|post|forum)-?signature)" + _END
)
_HEADER = r"(?:^|\s)(?:(?:page|site|post|article|entry|top|main|global|doc)[-_]?)?header(?:$|\s)|"
_MAYBE = re.compile(
    _HEADER + _EDGE + r"(?:side-?bar|aside|related|footer|menu|nav|navigation|toc|banner|popup|"
    r"table-?of-?contents|tags?|tag-?list|widget|byline|author|bio|post-?meta|meta|rating|"
    r"metadata|teaser|recirc\w*|trending|popular|see-?also|links|topbar|masthead|helpful|"
    r"disclaimer|copyright|legal|contributors?|last-?(?:updated|modified)|user-?(?:info|details|card)|"
    r"message-user|actions?|controls?|buttons?|btn-group|stats)" + _END
)
_ROLES = frozenset(
    "navigation banner contentinfo search complementary dialog alertdialog menu menubar toolbar "
    "tablist tooltip".split()
)
_CONTROLS = frozenset({"button", "input", "select", "textarea", "dialog", "datalist"})
_STRUCTURE = frozenset({"pre", "code", "tr", "td", "th", "tbody", "thead", *HEADINGS})
_LISTS = frozenset({"ul", "ol", "div", "section", "dl", "p"})
_VALUABLE = ("pre", "table", "h1")
_PERMALINK = frozenset("¶ § # 🔗 ⚓ ∞ [link] [src] [source] [permalink] ☍ ➜ permalink".split())
DOMINANT = 0.4
LINKED = 0.6
PROSE = 100
_KEPT = re.compile(
    r"accordion|collaps|faq|footnote|citation|topic(?:\s|$)|tab-?(?:panel|pane|content)"
)
_FURTHER = re.compile(r"see also|references|further reading|external links|resources", re.I)


def prune(content: HtmlElement, weights: dict[HtmlElement, Weight]) -> None:
    """Drop furniture in place; what holds much of the content stays, whatever it is called."""
    limit = DOMINANT * weights[content].total
    first, last = _kept_range(content, weights)
    is_index = weights[content].kept < 0.35 * weights[content].total
    for place, element in enumerate(list(content.iterdescendants())):
        weight = weights.get(element)
        if weight is None:
            continue
        if element.tag in _CONTROLS:
            if not _unfolds(element):
                drop(element)
        elif weight.total <= limit and element.tag not in _STRUCTURE:
            plain = is_index or (first < place < last and _is_plain_list(element))
            if _is_furniture(element, weight) or (not plain and _is_link_list(element, weight)):
                drop(element)
    _drop_permalinks(content)


def _kept_range(content: HtmlElement, weights: dict[HtmlElement, Weight]) -> tuple[int, int]:
    """Places of the first and last leaf that an extractor kept."""
    places = [
        place
        for place, element in enumerate(content.iterdescendants())
        if len(element) == 0 and element in weights and weights[element].kept > 20
    ]
    return (places[0], places[-1]) if places else (0, 0)


def _is_furniture(element: HtmlElement, weight: Weight) -> bool:
    names = _names(element)
    kept = weight.kept / weight.total if weight.total else 0.0
    linked = weight.linked / weight.total if weight.total else 0.0
    if element.tag == "a" and tag_of(element.getparent()) in HEADINGS:
        return False
    if element.tag == "nav" or element.get("role") in _ROLES or _ALWAYS.search(names):
        prose = weight.total > 600 and linked < 0.3 and kept > 0.5
        listing = next(element.iter("pre"), None) is not None
        return not prose and not listing and not is_note(element)
    if _KEPT.search(names):
        return False
    if element.tag in {"footer", "aside", "header"} or _MAYBE.search(names):
        prose = weight.total > PROSE and linked < 0.33
        return kept < 0.5 and not prose and not is_note(element) and not _holds_value(element)
    return False


def _names(element: HtmlElement) -> str:
    # A long id is the slug of a heading and says nothing of the element's part in the page.
    own = element.get("id") or ""
    own = own if own.count("-") < 3 and "." not in own else ""
    return f"{' '.join(class_names(element))} {own.lower()}"


def _unfolds(element: HtmlElement) -> bool:
    # The question of a folded answer is a button on many sites.
    parent = element.getparent()
    return element.tag == "button" and (
        (parent is not None and parent.tag in HEADINGS)
        or (element.get("aria-expanded") is not None and len(text_of(element)) > 20)
    )


def _is_plain_list(element: HtmlElement) -> bool:
    # Between paragraphs a list of links without a class of its own was written by the author.
    names = (element.get("class") or "").split()
    return (element.tag in {"ul", "ol", "dl"} and len(names) < 2) or "toctree-wrapper" in names


def _is_link_list(element: HtmlElement, weight: Weight) -> bool:
    if element.tag not in _LISTS or weight.kept > 0.2 * weight.total:
        return False
    heading = next(element.iter(*HEADINGS, "dt", "strong"), None)
    if heading is not None and _FURTHER.match(text_of(heading)):
        return False
    links = sum(1 for _ in element.iter("a"))
    return links >= 3 and weight.linked > LINKED * weight.total and not _holds_value(element)


def _holds_value(element: HtmlElement) -> bool:
    return any(next(element.iter(tag), None) is not None for tag in _VALUABLE)


def _drop_permalinks(content: HtmlElement) -> None:
    for link in list(content.iter("a")):
        text = text_of(link).lower()
        if text in _PERMALINK and "#" in (link.get("href") or "#"):
            drop(link)
