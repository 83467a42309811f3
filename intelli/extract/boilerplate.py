"""Takes the furniture out of a page: crumbs, feedback boxes, lists of links, bare images."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from intelli.text.passages import Passage

_PHRASES = (
    r"skip to (?:main |the )?content",
    r"was this (?:\w+ )?helpful",
    r"edit (?:this page|on git)",
    r"copy (?:page|link|as markdown)",
    r"(?:on this page|in this article|table of contents|back to top)",
    r"(?:report an issue|give feedback|view (?:page )?source)",
    r"(?:copyright )?(?:©|\(c\)) ?\d{4}|all rights reserved",
    r"(?:we|this (?:web)?site) uses? cookies|accept (?:all )?cookies",
    r"cookie (?:settings|preferences)",
    r"subscribe to our|join (?:our|the) newsletter|share (?:this|on \w+)",
    r"advertisement|related (?:posts|articles)|loading(?:\.\.\.|…)",
    r"(?:previous|next|sign (?:in|up)|log ?in)(?: page| article)?\W*$",
)
_CHROME = re.compile(rf"[\W_]*(?:{'|'.join(_PHRASES)})", re.IGNORECASE)
_CHROME_LENGTH = 120
_LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s\"[^\"]*\")?\)")
_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PARAGRAPH = re.compile(r"\S(?:.|\n(?![ \t]*\n))*")
_WORD_CHARACTER = re.compile(r"\w")
_MOSTLY = 0.75


def without_furniture(passages: Iterable[Passage]) -> list[Passage]:
    """The passages less every paragraph or list that a reader would skip whatever was asked; what
    stood on both sides of one becomes two passages. Code and tables are never furniture."""
    return [kept for passage in passages for kept in _kept(passage)]


def _kept(passage: Passage) -> Iterator[Passage]:
    if passage.kind == "list":
        if not _is_furniture(passage.text):
            yield passage
    elif passage.kind == "prose":
        found = _PARAGRAPH.finditer(passage.text)
        for furniture, run in groupby(found, lambda match: _is_furniture(match[0])):
            if not furniture:
                paragraphs = list(run)
                yield _part(passage, paragraphs[0].start(), paragraphs[-1].end())
    else:
        yield passage


def _part(passage: Passage, start: int, end: int) -> Passage:
    end = start + len(passage.text[start:end].rstrip())
    return replace(
        passage,
        text=passage.text[start:end],
        start=passage.start + start,
        end=passage.start + end,
    )


def _is_furniture(paragraph: str) -> bool:
    text = _COMMENT.sub("", _IMAGE.sub("", paragraph))
    if not _WORD_CHARACTER.search(text) or _is_bare_heading(text):
        return True
    if len(text) <= _CHROME_LENGTH and _CHROME.match(text):
        return True
    return _is_navigation(text)


def _is_bare_heading(text: str) -> bool:
    return text.lstrip().startswith("#") and "\n" not in text.strip()


def _is_navigation(text: str) -> bool:
    """Three links or more with hardly a word between them."""
    labels = _LINK.findall(text)
    if len(labels) < 3:
        return False
    linked = sum(len(_WORD_CHARACTER.findall(label)) for label in labels)
    bare = len(_WORD_CHARACTER.findall(_LINK.sub("", text)))
    return linked >= _MOSTLY * (linked + bare)
