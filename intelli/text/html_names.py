"""Tells from an element's class names and id which part of a page it is."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lxml.html import HtmlElement

from intelli.text.html_tree import plain_names

_EDGE = r"(?:^|[\s_-])"
_END = r"(?:$|[\s_-])"
_FURNITURE = re.compile(
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
_DOUBTFUL = re.compile(
    _HEADER + _EDGE + r"(?:side-?bar|aside|related|footer|menu|nav|navigation|toc|banner|popup|"
    r"table-?of-?contents|tags?|tag-?list|widget|byline|author|bio|post-?meta|meta|rating|"
    r"metadata|teaser|recirc\w*|trending|popular|see-?also|links|topbar|masthead|helpful|"
    r"disclaimer|copyright|legal|contributors?|last-?(?:updated|modified)|user-?(?:info|details|card)|"
    r"message-user|actions?|controls?|buttons?|btn-group|stats)" + _END
)
_APART = re.compile(
    r"comment|sidebar|related|footer|widget|promo|recommend|teaser|card|carousel|slider|author|"
    r"byline|meta|share|social|subscribe|newsletter|tags?\b|banner|menu|caption|credit|signature|"
    r"disqus|popup|modal|login|cta\b|ad-|advert|sponsor|outbrain|taboola|more|next|trending|"
    r"popular|toolbar|breadcrumb|hero|bio\b|rail"
)
_CONTENT = re.compile(
    _EDGE + r"(?:article|content|body|entry|post|story|main|markdown|prose|document|docs?|text|"
    r"rst-content|page|topic|section|wiki|mw|answer|question|message|description|readme|chapter|"
    r"post-?content)" + _END
)
_TEXT = re.compile(
    r"article-?_*(?:body|content|text)|entry-?content|post-?(?:body|content|text)|markdown|prose|"
    r"rst-content|mw-parser|rich-?text|wysiwyg|story-?body|bbwrapper|message-?body|document\b|"
    r"page-?content|main-?content|content-?body|body-?content|docstring|docblock|user-?content"
)
_UNFOLDING = re.compile(
    r"accordion|collaps|faq|footnote|citation|topic(?:\s|$)|tab-?(?:panel|pane|content)"
)


class Names(NamedTuple):
    """What names suggest: page furniture, maybe furniture, something beside the text, a holder of
    content, the text itself, or text that unfolds."""

    furniture: bool = False
    doubtful: bool = False
    apart: bool = False
    content: bool = False
    text: bool = False
    unfolding: bool = False


_NOTHING = Names()


def names_of(element: HtmlElement) -> Names:
    """The judgement of an element's own names."""
    classes, identity = element.get("class"), element.get("id")
    return _judged(classes or "", identity or "") if classes or identity else _NOTHING


@lru_cache(maxsize=4096)
def _judged(classes: str, identity: str) -> Names:
    # A long id is the slug of a heading and says nothing of the element's part in the page.
    own = identity.lower() if identity.count("-") < 3 and "." not in identity else ""
    names = f"{' '.join(plain_names(classes))} {own}"
    patterns = (_FURNITURE, _DOUBTFUL, _APART, _CONTENT, _TEXT, _UNFOLDING)
    return Names(*(pattern.search(names) is not None for pattern in patterns))
