"""`meta.json`: what a session was asked, how far each source came and what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from intelli.records import (
    Answer,
    Conflict,
    EngineName,
    Extract,
    Failure,
    Judgement,
    Link,
    Query,
    Related,
    Source,
    SourceStatus,
    SourceType,
    Timing,
    Usage,
    record,
)
from intelli.store import layout
from intelli.store.codec import read_list, read_or, to_plain
from intelli.store.disk import read_json, read_text

SCHEMA = 1
_FINAL = " .?!…。？！"
RUNNING = "running"
COMPLETED = "completed"
INTERRUPTED = "interrupted"
RESUMABLE = frozenset({RUNNING, INTERRUPTED, "stopped", "collation-failed"})
"""Outcomes after which the same question goes on where the run stopped short."""


@record
class Given:
    """What a run was told to read instead of searching, which is part of which question it is, and
    how it was told to search, which is not."""

    docs: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    offline: bool = False
    backends: tuple[str, ...] = ()


@record
class Origin:
    """The run whose pages this one has; by its `timestamp` it is known also where it has become an
    archive since. `by` is the command that made this one of it."""

    session: str
    timestamp: str = ""
    by: str = ""


@record
class Entry:
    """What `meta.json` alone knows of a source; `extraction` is set only when there is one."""

    n: int
    link: Link
    status: SourceStatus
    failure: Failure | None = None
    extraction: ExtractionEntry | None = None
    has_page: bool = False


@record
class ExtractionEntry:
    """An extraction without its text."""

    source_type: SourceType = "other"
    currency: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    reply: str = ""


@record
class Meta:
    """The readable part of `meta.json`; `timestamp` is ISO 8601 in UTC, of the latest run."""

    query: Query
    engine: EngineName | None = None
    outcome: str = RUNNING
    timestamp: str = ""
    given: Given = Given()
    answer: Answer = Answer(links=())
    entries: tuple[Entry, ...] = ()
    usage: Usage = Usage()
    timing: Timing = Timing()
    warnings: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    origin: Origin | None = None
    good: int | None = None
    """Sources with status `ok`, as far as the file tells."""

    @property
    def question(self) -> tuple[object, ...]:
        """Two runs with the same value here ask the same question."""
        query = self.query
        domains = (query.domains, query.only_domains, query.exclude_domains)
        sets = tuple(frozenset(name.lower() for name in names) for names in domains)
        given = (self.given.docs, self.given.urls)
        return (bare(query.text), bare(query.focus), sets, self.engine, given)


def document(meta: Meta, sources: Iterable[Source]) -> dict[str, Any]:
    """The JSON object that is written; keys of pi-intelli-search keep their names."""
    query = meta.query
    return {
        "schema": SCHEMA,
        "outcome": meta.outcome,
        "query": query.text,
        "focus": query.focus,
        "engine": meta.engine,
        "timestamp": meta.timestamp,
        "durationMs": round(meta.timing.wall_s * 1000),
        "options": {
            **to_plain(query, frozenset({"text", "focus"})),
            "given": to_plain(meta.given),
        },
        "search": {
            "backend": meta.answer.backend,
            "answer": meta.answer.text,
            "links": to_plain(meta.answer.links),
        },
        "judge": to_plain(meta.answer.judgement),
        "sources": [_entry(source) for source in sources],
        "usage": to_plain(meta.usage),
        "timing": to_plain(meta.timing),
        "warnings": list(meta.warnings),
        "related": to_plain(meta.related),
        "conflicts": to_plain(meta.conflicts),
        **({"origin": to_plain(meta.origin)} if meta.origin else {}),
    }


def _entry(source: Source) -> dict[str, Any]:
    """The first keys are for whoever reads the file; `link` to `has_page` bring the record back."""
    page, extract, failure = source.page, source.extract, source.failure
    return {
        "n": source.n,
        "url": source.link.url,
        "file": source.file,
        "error": failure.code if failure else None,
        "title": page.title if page else source.link.title,
        "verdict": page.verdict if page else (failure.verdict if failure else None),
        "via": page.via if page else None,
        "score": page.score if page else None,
        "chars": len(page.text) if page else 0,
        "type": extract.source_type if extract else None,
        "extraction_chars": len(extract.text) if extract else 0,
        "link": to_plain(source.link),
        "status": source.status,
        "failure": to_plain(failure),
        "extraction": _extraction(extract),
        "has_page": page is not None,
    }


def _extraction(extract: Extract | None) -> Any:
    is_reply = extract is not None and extract.reply
    return to_plain(extract, frozenset({"page", "text"} if is_reply else {"page", "text", "reply"}))


def head(directory: Path, root: Path) -> Meta:
    """Which question a session asked and how it ended, without what it found: lists read this."""
    return _head(read_json(directory / layout.META, root) or {}, directory, root)


def read(directory: Path, root: Path) -> Meta:
    """What is known of a session, from `meta.json` or, where that is silent, its other files."""
    data = read_json(directory / layout.META, root) or {}
    return replace(
        _head(data, directory, root),
        answer=_answer(_mapping(data.get("search")), data.get("judge")),
        entries=read_list(Entry, data.get("sources")),
        usage=read_or(Usage(), data.get("usage")),
        timing=read_or(Timing(), data.get("timing")),
        warnings=tuple(str(w) for w in _list(data.get("warnings"))),
        related=read_list(Related, data.get("related")),
        conflicts=read_list(Conflict, data.get("conflicts")),
    )


def _head(data: Mapping[str, Any], directory: Path, root: Path) -> Meta:
    options = _mapping(data.get("options"))
    text = data.get("query")
    query = {**options, "text": text if isinstance(text, str) else _query_text(directory, root)}
    if isinstance(data.get("focus"), str):
        query["focus"] = data["focus"]
    engine = data.get("engine")
    outcome, timestamp = data.get("outcome"), data.get("timestamp")
    return Meta(
        query=read_or(Query(text=query["text"]), query),
        engine=engine if engine in ("llm", "local") else None,
        outcome=outcome if isinstance(outcome, str) else "",
        timestamp=timestamp if isinstance(timestamp, str) else _date_of(directory),
        given=read_or(Given(), options.get("given")),
        origin=next(iter(read_list(Origin, [data.get("origin")])), None),
        good=_good(data.get("sources")),
    )


def _good(sources: object) -> int | None:
    entries = _list(sources)
    return sum(_mapping(e).get("status") == "ok" for e in entries) if entries else None


def _answer(search: Mapping[str, Any], judgement: object) -> Answer:
    text, backend = search.get("answer"), search.get("backend")
    return Answer(
        links=read_list(Link, search.get("links")),
        text=text if isinstance(text, str) else "",
        backend=backend if isinstance(backend, str) else "",
        judgement=read_or(Judgement(), judgement),
    )


def extract_of(entry: Entry, source: Source) -> Source:
    """`source` with the empty extraction that only `entry` knows of, if it knows of one."""
    if entry.extraction is None or source.page is None:
        return source
    kept = entry.extraction
    extract = Extract(
        page=source.page,
        text="",
        source_type=kept.source_type,
        currency=kept.currency,
        spans=kept.spans,
        reply=kept.reply,
    )
    return replace(source, extract=extract)


def bare(text: str) -> str:
    """A question without what does not matter: spacing, case and final punctuation."""
    return " ".join(text.split()).casefold().rstrip(_FINAL)


def instant(timestamp: str) -> datetime:
    """A timestamp of any program as a moment; the beginning of time when it is none."""
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _query_text(directory: Path, root: Path) -> str:
    stored = read_text(directory / layout.QUERY, root)
    if stored is not None:
        return stored.strip()
    report = read_text(directory / layout.REPORT, root) or ""
    heading = next((line for line in report.splitlines() if line.startswith("# ")), "")
    return heading[2:].strip() or directory.name


def _date_of(directory: Path) -> str:
    """From the name, else from the clock of the disk."""
    day = directory.name[:10]
    if instant(day) > instant(""):
        return f"{day}T00:00:00Z"
    moment = datetime.fromtimestamp(directory.stat().st_mtime, UTC)
    return moment.isoformat(timespec="seconds")


def _mapping(data: object) -> Mapping[str, Any]:
    return data if isinstance(data, dict) else {}


def _list(data: object) -> list[Any]:
    return data if isinstance(data, list) else []
