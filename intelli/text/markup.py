"""Reads text that is not HTML: Markdown, plain text, JSON, source code."""

from __future__ import annotations

import contextlib
import json
import re

from intelli.text.characters import clean
from intelli.text.document import Document, date_of, document_of
from intelli.text.fences import fence

_FRONT = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)\n\1[ \t]*(?:\n|\Z)", re.S)
_FIELD = re.compile(r"^(\w+)\s*[:=]\s*(.+?)\s*$", re.M)
_HEADING = re.compile(r"#[ \t]([^\n]*)(?:\n|\Z)")
_SETEXT = re.compile(r"\A\s*(\S[^\n]*)\n=+[ \t]*(?:\n|\Z)")
_ANY_HEADING = re.compile(
    r"^(?:(#{1,6})[ \t]([^\n]*)|(\S[^\n]*)\n(=+|-{3,})[ \t]*)$|(<h1\b[^>]*>.*?</h1>)",
    re.M | re.I | re.S,
)
_CODE = re.compile(r"^[ ]{0,3}(`{3,}|~{3,}).*?(?:^[ ]{0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S)
_TITLE_WITHIN = 4_000
"""Characters at the start of a Markdown text in which its title is looked for."""

_TITLE_LENGTH = 300
PRETTY = 2_000_000
"""Characters of JSON up to which it is laid out anew; beyond, it stays as it came."""


def read_markdown(text: str) -> Document:
    """Markdown as it stands, its front matter and its title line taken off."""
    body = clean(text)
    fields: dict[str, str] = {}
    if match := _FRONT.match(body):
        fields = {name.lower(): value.strip("\"'") for name, value in _FIELD.findall(match[2])}
        body = body[match.end() :]
    title = fields.get("title", "")
    heading = _HEADING.match(body, _past_comments(body)) or _SETEXT.match(body)
    if heading is not None and (not title or _same(heading[1], title)):
        title = title or _bare(heading[1])
        body = body[heading.end() :]
    title = title or _later_title(body)
    published = date_of(fields.get("date", ""))
    return document_of(body, "markdown", title=title, published=published)


def read_text(text: str) -> Document:
    """Plain text as it stands."""
    return document_of(text, "text")


def read_json(text: str) -> Document:
    """JSON, laid out with two blanks of indent where it parses, in a fence."""
    body = clean(text).strip()
    if len(body) <= PRETTY and "\n" not in body:
        with contextlib.suppress(ValueError, RecursionError):
            body = json.dumps(json.loads(body), ensure_ascii=False, indent=2)
    return document_of(fence(body, "json") if body else "", "json")


def read_code(text: str, url: str, language: str) -> Document:
    """Source code in a fence; the file's name is the title."""
    body = clean(text).strip("\n")
    name = url.partition("?")[0].rstrip("/").rsplit("/", 1)[-1]
    return document_of(fence(body, language) if body else "", "code", title=name)


def _later_title(body: str) -> str:
    """The heading of level 1 that comes before any other, under badges or an introduction."""
    found = _ANY_HEADING.search(_CODE.sub("", body[:_TITLE_WITHIN]))
    if found is None:
        return ""
    if found[5]:
        return " ".join(re.sub(r"<[^>]*>", " ", found[5]).split())
    is_first_level = found[1] == "#" or (found[4] or "").startswith("=")
    return _bare(found[2] or found[3] or "") if is_first_level else ""


def _past_comments(body: str) -> int:
    """Where the text begins, behind white space and comments."""
    at = 0
    while True:
        at = len(body) - len(body[at:].lstrip()) if body[at : at + 1].isspace() else at
        end = body.find("-->", at) if body.startswith("<!--", at) else -1
        if end < 0:
            return at
        at = end + 3


def _bare(heading: str) -> str:
    """The words of a heading line; one longer than any title is cut."""
    words = heading.strip()[:_TITLE_LENGTH]
    opened = words.rstrip("#")
    if opened != words and (not opened or opened[-1] in " \t"):  # `## Title ##`, but not `# C#`
        words = opened
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return re.sub(r"\*\*|`", "", words).strip("*_ \t")


def _same(heading: str, title: str) -> bool:
    return re.sub(r"\W+", "", _bare(heading).lower()) == re.sub(r"\W+", "", title.lower())
