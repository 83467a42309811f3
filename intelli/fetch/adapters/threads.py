"""How a conversation becomes text: a heading for each post, its body below that level."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from intelli.fetch.cleaning import clean, segments
from intelli.records import record

Json = Mapping[str, Any]
_HEADING = re.compile(r"^(#{1,6})(?=[ \t])", re.M)
_UNDERLINED = re.compile(r"^(?![-*+>|#])(\S[^\n]*)\n(?:=+|-{2,})[ \t]*$", re.M)
_TAG = re.compile(r"<(/?)h([1-6])\b", re.I)


@record
class Post:
    """One contribution: `heading` says whose it is and when, `body` is in the site's form."""

    heading: str
    body: str
    level: int = 2


def markdown_of(posts: Iterable[Post]) -> str:
    """Posts whose bodies are Markdown."""
    parts = []
    for post in posts:
        body = demoted(post.body, post.level)
        parts.append(f"{'#' * post.level} {one_line(post.heading)}\n\n{body}".rstrip())
    return "\n\n".join(parts)


def html_of(title: str, opening: str, posts: Iterable[Post]) -> str:
    """A page of posts whose bodies are HTML, for the reader; `opening` is HTML as well."""
    parts = [f"<h1>{html.escape(title)}</h1>", _lowered(opening, 1)]
    for post in posts:
        level = post.level
        heading = html.escape(one_line(post.heading))
        parts.append(f"<h{level}>{heading}</h{level}><div>{_lowered(post.body, level)}</div>")
    body = "\n".join(parts)
    head = f"<title>{html.escape(title)}</title>"
    return f"<!doctype html><html><head>{head}</head><body><article>{body}</article></body></html>"


def demoted(markdown: str, level: int) -> str:
    """A post's Markdown with its headings below `level`, so that none passes for another post."""
    cleaned = clean(f"\n\n{markdown}")
    title = f"# {cleaned.title}\n\n" if cleaned.title else ""
    text = "".join(
        part if is_code else _deeper(part, level)
        for is_code, part in segments(title + cleaned.text)
    )
    return text.strip()


def _deeper(text: str, level: int) -> str:
    text = _UNDERLINED.sub(r"# \1", text)
    return _HEADING.sub(lambda match: "#" * min(6, len(match[1]) + level), text)


def _lowered(markup: str, level: int) -> str:
    return _TAG.sub(lambda match: f"<{match[1]}h{min(6, int(match[2]) + level)}", markup)


def one_line(text: str) -> str:
    """Text of a site as part of a line."""
    return " ".join(text.split())


def joined(*facts: object) -> str:
    """The facts there are, with commas between them."""
    return ", ".join(one_line(str(fact)) for fact in facts if fact not in (None, "", False))


def counted(number: int, noun: str) -> str:
    """`1 comment`, `2 comments`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def text_at(value: Any, *path: str) -> str:
    """The text at a path of keys in a site's JSON, "" when there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def object_at(value: Any, *path: str) -> Json:
    """The object at a path of keys in a site's JSON, an empty one when there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def number_at(value: Any, *path: str) -> int:
    """The whole number at a path of keys, 0 when there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return int(value) if isinstance(value, int | float) and abs(value) < 1e15 else 0


def objects(value: Any) -> list[Json]:
    """The objects in a JSON array; nothing for what is none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def names(values: Sequence[Json], key: str) -> str:
    """A field of each object, with commas between them."""
    return ", ".join(name for value in values if (name := text_at(value, key)))


def day(stamp: Any) -> str | None:
    """The day of an ISO time or of seconds since 1970, None when it is neither."""
    if isinstance(stamp, str):
        return stamp[:10] if re.match(r"\d{4}-\d{2}-\d{2}(?!\d)", stamp) else None
    if isinstance(stamp, int | float) and 0 < stamp < 1e11:
        return datetime.fromtimestamp(stamp, UTC).date().isoformat()
    return None
