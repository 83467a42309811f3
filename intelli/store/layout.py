"""Names of a session and its files, and how a source or an extraction is written as Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import cast, get_args

from intelli.records import SOURCE_TYPES, Extract, Link, Page, SourceType, Verdict

SLUG_WORDS = 5
SLUG_BYTES = 120
HOST_BYTES = 80
"""Both leave room in the 255 bytes of a file name for what is put around them."""

REPORT = "report.md"
META = "meta.json"
EVIDENCE = "evidence.json"
QUERY = "query.txt"
SOURCES = "sources"
EXTRACTIONS = "extractions"

_NAME = re.compile(
    r"(?P<base>\d{4}-\d\d-\d\d-(?:.+-)?(?P<hash>[0-9a-f]{6}))"
    r"(?:\.(?:(?P<partial>partial(?:-\d+)?)|(?P<archive>\d+)))?"
)
_FILE = re.compile(r"(\d{2,})-.+\.md")
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+"
)
_HEAD = re.compile(
    r"\ufeff?(?:#[ \t]+(?P<title>[^\r\n]*)(?:\r?\n)*)?"
    r"(?P<fields>(?:>[ \t]*[A-Za-z][\w-]*:[^\r\n]*(?:\r?\n|\Z))*)"
)
_RULE = re.compile(r"(?:\r?\n)*---(?:\r?\n|\Z)(?:\r?\n)?|(?:\r?\n)*")
_SPAN = re.compile(r"(\d{1,12})-(\d{1,12})")
_TYPE_WORDS: tuple[tuple[str, SourceType], ...] = (
    ("official", "official-docs"),
    ("reference", "reference"),
    ("tutorial", "tutorial"),
    ("blog", "blog"),
    ("forum", "forum"),
)
"""How other programs word a type, where they do not use ours."""


# --- names --------------------------------------------------------------------------------------


def session_name(query: str, when: datetime) -> str:
    """`<YYYY-MM-DD>-<slug>-<hash>` with the date in UTC; a query without words has no slug."""
    day = (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC)
    parts = (day.strftime("%Y-%m-%d"), slug(query), query_hash(query))
    return "-".join(part for part in parts if part)


def slug(query: str) -> str:
    """The first five words, lower case, letters and digits of any script, at most 120 bytes."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", query).lower())
    kept = "".join(
        " " if char.isspace() else char if unicodedata.category(char)[0] in "LMN" else ""
        for char in folded
    )
    return cut_bytes("-".join(kept.split()[:SLUG_WORDS]), SLUG_BYTES).strip("-")


def query_hash(query: str) -> str:
    """Six hex digits of SHA-1 of the exact text."""
    import hashlib

    data = query.encode("utf-8", "surrogatepass")
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()[:6]


def base_name(name: str) -> str:
    """The canonical name: `name` without `.1` or `.partial`."""
    match = _NAME.fullmatch(name)
    return match["base"] if match else name


def hash_of(name: str) -> str | None:
    """The six digits in a session's name, None when it was not named by `session_name`."""
    match = _NAME.fullmatch(name)
    return match["hash"] if match else None


def is_archive(name: str) -> bool:
    match = _NAME.fullmatch(name)
    return bool(match and match["archive"])


def is_partial(name: str) -> bool:
    match = _NAME.fullmatch(name)
    return bool(match and match["partial"])


def source_filename(n: int, url: str) -> str:
    """`NN-host.md`, the same for a source and its extraction; never a path, never hidden."""
    return f"{n:02d}-{_label(url)}.md"


def file_number(filename: str) -> int | None:
    """The source's number in `NN-host.md`, None for every other file (`llms-full-host.md`)."""
    match = _FILE.fullmatch(filename)
    return int(match[1]) if match and len(match[1]) <= 6 else None


def llms_full_filename(host: str) -> str:
    return f"llms-full-{_safe(host)}.md"


def whole_sites(session: Path) -> list[Path]:
    """The `llms-full` files of a session; they are no sources."""
    folder = session / SOURCES
    return [] if folder.is_symlink() else sorted(folder.glob("llms-full-*.md"))


def site_label(host: str) -> str:
    """A host as the files of its pages are named; "" for no host."""
    return _label(host if "//" in host else f"https://{host}") if host else ""


def _label(url: str) -> str:
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "unknown"
    if parts.scheme == "file":
        return _safe(PurePosixPath(unquote(parts.path)).stem)
    return _safe(host.removeprefix("www."))


def _safe(label: str) -> str:
    kept = "".join(char if char.isalnum() or char in "-_" else "-" for char in label)
    return cut_bytes(kept.strip("-"), HOST_BYTES).strip("-") or "unknown"


def cut_bytes(text: str, limit: int) -> str:
    """`text` cut to at most `limit` bytes of UTF-8, between characters."""
    return text.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")


def single_line(text: str) -> str:
    """`text` without line breaks and control characters, as titles and header values need it."""
    return _UNPRINTABLE.sub(" ", text).strip()


def clean_text(text: str) -> str:
    """Line breaks as `\\n`, and nothing that UTF-8 cannot hold.

    Offsets into `text` stay right unless it has `\\r\\n`.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return re.sub("[\x00\ud800-\udfff]", "\ufffd", text)


# --- files --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A stored file in parts; `start` is the offset of `text` in it, `fields` have lower-case
    names."""

    title: str
    text: str
    start: int
    fields: Mapping[str, str] = field(default_factory=dict)


def render_source(page: Page) -> str:
    """The whole file of a source: header, rule, text."""
    url = page.link.url
    fields = {
        "Source": url,
        "Final-URL": page.final_url if page.final_url != url else "",
        "Via": page.via,
        "Verdict": page.verdict,
        "Score": repr(page.score) if page.score else "",
        "Published": page.published or "",
        "Modified": page.modified or "",
        "Author": page.author,
        "Fetched": page.fetched,
        "Digest": page.digest,
    }
    return _render(page.title or url, fields, page.text)


def render_extraction(extract: Extract) -> str:
    """The whole file of an extraction; its spans count in the text of the source, not the file."""
    fields = {
        "Source": extract.page.link.url,
        "Type": extract.source_type,
        "Currency": extract.currency,
        "Spans": " ".join(f"{start}-{end}" for start, end in extract.spans),
    }
    return _render(extract.page.title or extract.page.link.url, fields, extract.text)


def _render(title: str, fields: Mapping[str, str], text: str) -> str:
    lines = [
        f"> {name}: {value}" for name, raw in fields.items() if (value := single_line(str(raw)))
    ]
    return "\n".join(
        [f"# {single_line(title)}", "", *lines, "", "---", "", clean_text(text) + "\n"]
    )


def parse(content: str) -> Parsed:
    """Take a stored file apart; one without our header is all text under its first heading."""
    head = _HEAD.match(content)
    assert head, "every part of the pattern is optional"
    fields = dict(_fields(head["fields"]))
    title = (head["title"] or "").strip()
    if "source" not in fields:
        start = head.start("fields")
        return Parsed(title=title, text=content[start:].removesuffix("\n"), start=start)
    rule = _RULE.match(content, head.end())
    start = rule.end() if rule else head.end()
    return Parsed(
        title="" if title == fields["source"] else title,
        text=content[start:].removesuffix("\n"),
        start=start,
        fields=fields,
    )


def _fields(block: str) -> list[tuple[str, str]]:
    pairs = (line.lstrip("> \t").partition(":") for line in block.splitlines())
    return [(name.lower(), value.strip()) for name, _, value in pairs]


def parse_source(content: str) -> Page:
    """The page in a stored file; what the header leaves out takes its default."""
    parsed = parse(content)
    url = parsed.fields.get("source", "")
    verdict = parsed.fields.get("verdict", "ok")
    return Page(
        link=Link(url=url, title=parsed.title),
        final_url=parsed.fields.get("final-url", url),
        text=parsed.text,
        title=parsed.title,
        via=parsed.fields.get("via", "html"),
        verdict=cast(Verdict, verdict) if verdict in get_args(Verdict) else "ok",
        published=parsed.fields.get("published"),
        modified=parsed.fields.get("modified"),
        author=parsed.fields.get("author", ""),
        fetched=parsed.fields.get("fetched", ""),
        digest=parsed.fields.get("digest", ""),
        score=_number(parsed.fields.get("score", "")),
    )


def parse_extraction(content: str, page: Page) -> Extract:
    """The extraction in a stored file, made from `page`."""
    parsed = parse(content)
    spans = _SPAN.findall(parsed.fields.get("spans", ""))
    return Extract(
        page=page,
        text=parsed.text,
        source_type=_source_type(parsed.fields.get("type", "")),
        currency=parsed.fields.get("currency", ""),
        spans=tuple((int(start), int(end)) for start, end in spans),
    )


def _source_type(words: str) -> SourceType:
    lowered = words.lower()
    if lowered in SOURCE_TYPES:
        return lowered
    return next((kind for word, kind in _TYPE_WORDS if word in lowered), "other")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
