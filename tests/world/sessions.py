"""A finished session written by hand, as another program that knows the format would."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path


def write_session(
    cache: Path,
    query: str,
    sources: Mapping[str, str],
    *,
    summary: str = "",
    day: str = "2026-04-19",
) -> Path:
    """Sources are text by URL. The directory holds what the format promises at the least, and the
    cache's index lists it."""
    words = re.findall(r"[a-z0-9]+", query.lower())[:5]
    digest = hashlib.sha1(query.encode(), usedforsecurity=False).hexdigest()[:6]
    session = cache / "-".join([day, *words, digest])
    (session / "sources").mkdir(parents=True)
    for n, (url, text) in enumerate(sources.items(), 1):
        host = re.sub(r"[^a-z0-9]+", "-", url.partition("://")[2].partition("/")[0]).strip("-")
        body = f"# Page {n}\n\n> Source: {url}\n\n---\n\n{text}\n"
        _write(session / "sources" / f"{n:02}-{host}.md", body)
    links = "\n".join(f"{n}. <{url}>" for n, url in enumerate(sources, 1))
    report = f"# {query}\n\n## Summary\n\n{summary or 'Nothing. [1]'}\n\n## Sources\n\n{links}\n"
    _write(session / "report.md", report)
    _write(session / "query.txt", f"{query}\n")
    _add_to_index(cache / ".index.json", session.name, query, f"{day}T10:00:00.000Z")
    return session


def _add_to_index(index: Path, slug: str, query: str, timestamp: str) -> None:
    known = json.loads(index.read_text(encoding="utf-8"))["searches"] if index.exists() else []
    entry = {"slug": slug, "query": query, "timestamp": timestamp}
    _write(index, json.dumps({"searches": [*known, entry]}, indent=2))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
