"""URLs out of a model's prose: Markdown links, bare and bold ones, and those without a scheme."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from intelli.records import Link

_ABSOLUTE = re.compile(r"https?://(?=[^\s/])", re.IGNORECASE)
_HOST_PATH = re.compile(
    r"(?<![\w@/.:%&=?#+~\\-])"
    r"(?:www\.(?:[a-z0-9-]{1,63}\.){0,8}[a-z]{2,24}(?:/|\b)"
    r"|(?:(?i:[a-z0-9\u00df-\u024f][a-z0-9\u00df-\u024f-]{0,62})\.){1,8}([a-z]{2,24})(?::\d{1,5})?/)"
)
_FILE_ENDING = re.compile(
    r"(?:[jt]sx?|mjs|json|ya?ml|toml|html?|css|txt|java|cpp|py|md|xml|csv|lock|cfg|ini|exe|dll|zip"
    r"|env|log)\Z"
)
"""`Node.js/Express` and `setup.py/setup.cfg` are no addresses."""

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_STOPS = frozenset(_INVISIBLE + ' \t\r\n\f\v\u00a0<>"“”„«»{}*|\\^`[]。，、；：！？（）「」『』【】')
_TARGET_STOPS = frozenset(_INVISIBLE + ' \t\r\n\f\v\u00a0<>"')
_BRACKETED_STOPS = frozenset("<>\r\n")
"""Inside of `](<…>)` spaces and brackets belong to the target."""
_TRAILING = ".,;:!?'’…"
_ESCAPED = re.compile(r"\\([^A-Za-z0-9\s])")
_NUMBER = re.compile(r"[\W\d_]*\Z")
_SOURCES = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*)?(?:\*\*|__)?(?:sources?|references?|citations?)[ \t]*"
    r"(?::?(?:\*\*|__)?:?[ \t]*$|:(?:\*\*|__)?[ \t]|(?:\*\*|__):[ \t])",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)


class _Span(NamedTuple):
    start: int
    end: int
    url: str


def find_links(text: str) -> tuple[Link, ...]:
    """Every address in the order of the text, each once, ranked from 1.

    The title is the label of a Markdown link, else the last part of the path, else the host.
    """
    titles: dict[str, str] = {}
    for span in _spans(text):
        label = _label(text, span.start)
        if label or span.url not in titles:
            titles[span.url] = titles.get(span.url) or label
    return tuple(
        Link(url=url, rank=rank, title=title or _name(url))
        for rank, (url, title) in enumerate(titles.items(), 1)
    )


def without_sources(text: str) -> str:
    """`text` without the list of sources at its end, which would be printed a second time."""
    for match in reversed(list(_SOURCES.finditer(text))[-3:]):
        tail = text[match.start() :]
        if not _HEADING.search(tail, match.end() - match.start()) and find_links(tail):
            return text[: match.start()].rstrip()
    return text.rstrip()


def _spans(text: str) -> Iterator[_Span]:
    """Absolute URLs win: nothing inside of one is an address of its own."""
    position = 0
    for absolute in _absolute(text):
        yield from _schemeless(text, position, absolute.start)
        yield absolute
        position = absolute.end
    yield from _schemeless(text, position, len(text))


def _absolute(text: str) -> Iterator[_Span]:
    position = 0
    for match in _ABSOLUTE.finditer(text):
        if match.start() < position:
            continue
        position = _end(text, match.start(), len(text))
        url = _tidy(text, match.start(), position)
        if len(url) > len(match[0]) and _has_host(url):
            yield _Span(match.start(), position, url)


def _schemeless(text: str, start: int, stop: int) -> Iterator[_Span]:
    position = start
    for match in _HOST_PATH.finditer(text, start, stop):
        if match.start() < position or _FILE_ENDING.match(match[1] or ""):
            continue
        position = _end(text, match.start(), stop)
        yield _Span(match.start(), position, "https://" + _tidy(text, match.start(), position))


def _end(text: str, start: int, stop: int) -> int:
    """Where the URL that starts here ends; parentheses belong to it as far as they balance."""
    if text.endswith("](<", 0, start):
        return next((n for n in range(start, stop) if text[n] in _BRACKETED_STOPS), stop)
    stops = _TARGET_STOPS if _is_target(text, start) else _STOPS
    depth = 0
    for position in range(start, stop):
        character = text[position]
        if character in stops:
            return position
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return position
    return stop


def _tidy(text: str, start: int, end: int) -> str:
    url = text[start:end]
    if _is_target(text, start):
        url = _ESCAPED.sub(r"\1", url)
    else:
        url = url.rstrip(_TRAILING)
        url = _balanced(url).rstrip(_TRAILING)
        if text[max(0, start - 1) : start] == "_":
            url = url.rstrip("_")
    return url.replace("&amp;", "&")


def _balanced(url: str) -> str:
    """`url` up to the first bracket that is not closed: it opened around what follows."""
    opened: list[int] = []
    for position, character in enumerate(url):
        if character == "(":
            opened.append(position)
        elif character == ")" and opened:
            opened.pop()
    return url[: opened[0]] if opened else url


def _is_target(text: str, start: int) -> bool:
    """Whether a URL that starts here is the target of a Markdown link."""
    return text[max(0, start - 3) : start].endswith(("](", "](<"))


def _label(text: str, start: int) -> str:
    """The label of the Markdown link whose target starts here; numbers and URLs are none."""
    if not _is_target(text, start):
        return ""
    close = text.rindex("](", 0, start)
    depth = 0
    for position in range(close, max(-1, close - 300), -1):
        depth += (text[position] == "]") - (text[position] == "[")
        if depth == 0:
            label = " ".join(text[position + 1 : close].strip("[]*_` ").split())
            return "" if _NUMBER.match(label) or _ABSOLUTE.match(label) else label
    return ""


def _has_host(url: str) -> bool:
    try:
        return bool(urlsplit(url).hostname)
    except ValueError:
        return False


def _name(url: str) -> str:
    parts = urlsplit(url)
    return unquote(PurePosixPath(parts.path).stem) or parts.netloc
