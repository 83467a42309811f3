"""Short one-line texts out of long or marked-up ones."""

from __future__ import annotations

import html
import re
import unicodedata

from intelli.text.characters import clean

_BLOCK_TAG = re.compile(r"</?(?:p|br|div|li|ul|ol|pre|blockquote|h[1-6]|t[rdh])\b[^<>]*>", re.I)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.I)
_JOINER = "\u200d"
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]")
_FLAGS_BEFORE = re.compile("[\U0001f1e6-\U0001f1ff]*\\Z")
_EXTENDER = re.compile("[\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_LONGEST_CLUSTER = 32


def one_line(text: str) -> str:
    """`text` without line breaks, doubled spaces and characters that nobody sees."""
    return " ".join(clean(text).split())


def untagged(markup: str) -> str:
    """The words of a piece of HTML on one line."""
    return one_line(html.unescape(_TAG.sub("", _BLOCK_TAG.sub(" ", markup))))


def cut(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, ended between words where there are any, and never
    inside of what is seen as one character."""
    if len(text) <= limit:
        return text
    room = max(1, limit - 2)
    space = text.rfind(" ", room // 2, room + 1)
    end = space if space > 0 else _between_clusters(text, room)
    head = text[:end].rstrip()
    return f"{head} …" if head else "…"


def _between_clusters(text: str, at: int) -> int:
    """The last position up to `at` that does not split an emoji, a flag or an accented letter."""
    for position in range(at, max(-1, at - _LONGEST_CLUSTER), -1):
        if not _is_inside(text, position):
            return position
    return at


def _is_inside(text: str, at: int) -> bool:
    if at == 0:
        return False
    after, before = text[at], text[at - 1]
    if _FLAG.match(after):  # two letters make a flag
        letters = _FLAGS_BEFORE.search(text, max(0, at - 2 * _LONGEST_CLUSTER), at)
        return bool(letters and len(letters[0]) % 2)
    is_extended = bool(_EXTENDER.match(after)) or unicodedata.category(after).startswith("M")
    return is_extended or before == _JOINER
