"""A session as it lies on disk, whoever wrote it: `report.md` and `sources/` are enough."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from intelli.errors import NothingFound, UsageError
from intelli.records import (
    Claim,
    EngineName,
    Query,
    Report,
    Research,
    record,
)
from intelli.store import layout, meta
from intelli.store.codec import read_list
from intelli.store.disk import read_json, read_text
from intelli.store.sources import StoredSource, load_sources
from intelli.store.summary import outcome_of

RETRIES = 5


@record
class StoredSession:
    """`report` is the Markdown of `report.md`, "" for a run without one; `meta` is what
    `meta.json` says, or what can be told without it."""

    name: str
    path: Path
    outcome: str
    report: str
    answer: Report
    meta: meta.Meta
    sources: tuple[StoredSource, ...] = ()

    @property
    def query(self) -> Query:
        return self.meta.query

    @property
    def focus(self) -> str:
        return self.meta.query.focus

    @property
    def timestamp(self) -> str:
        return self.meta.timestamp

    @property
    def engine(self) -> EngineName | None:
        return self.meta.engine

    @property
    def docs(self) -> tuple[Path, ...]:
        """Local files the run was told to read."""
        return tuple(Path(path) for path in self.meta.given.docs)

    @property
    def urls(self) -> tuple[str, ...]:
        """Addresses the run was told to read."""
        return self.meta.given.urls

    def texts(self) -> Mapping[int, str]:
        """The whole file of each source of the report, as evidence points into it."""
        return {s.n: s.text for s in self.sources if s.text and s.status == "ok"}

    def source(self, n: int) -> StoredSource:
        """Source number `n`. Raises NothingFound naming the numbers there are."""
        found = next((source for source in self.sources if source.n == n), None)
        if found is None:
            numbers = ", ".join(str(source.n) for source in self.sources) or "none"
            raise NothingFound(
                f"{self.name} has no source {n}", code="no-source", hint=f"it has {numbers}"
            )
        return found


def parse_ref(ref: str) -> tuple[str, int | None]:
    """`SESSION:N` or `SESSION` in parts. Raises UsageError when N is not a number from 1."""
    session, colon, number = ref.strip().rpartition(":")
    if not colon:
        return number, None
    if not re.fullmatch(r"[0-9]{1,6}", number) or int(number) < 1:
        raise UsageError(
            f"not a source's number: {layout.single_line(number)!r} in {layout.single_line(ref)!r}",
            code="bad-ref",
            hint="write SESSION:N, such as latest:1",
        )
    return session, int(number)


def load(directory: Path, root: Path) -> StoredSession:
    """Read a session. A refresh may rename the directory meanwhile: then it is read again, so
    that files of two runs never mix. Raises OSError when it is gone."""
    for _ in range(RETRIES):
        before = directory.stat()
        session = _load(directory, root)
        after = directory.stat()
        if (before.st_dev, before.st_ino) == (after.st_dev, after.st_ino):
            return session
    return session


def _load(directory: Path, root: Path) -> StoredSession:
    known = meta.read(directory, root)
    report = read_text(directory / layout.REPORT, root) or ""
    return StoredSession(
        name=directory.name,
        path=directory,
        outcome=outcome_of(directory, known),
        report=report,
        answer=_answer(directory, root, known, report),
        meta=known,
        sources=load_sources(directory, root, known),
    )


def _answer(directory: Path, root: Path, known: meta.Meta, report: str) -> Report:
    if not report:  # a run killed just before its last file has evidence of a report it has not
        return Report(summary="")
    evidence = read_json(directory / layout.EVIDENCE, root) or {}
    summary, assessment = evidence.get("summary"), evidence.get("assessment")
    warnings, reply = evidence.get("warnings"), evidence.get("reply")
    return Report(
        summary=summary if isinstance(summary, str) else _summary_of(report),
        conflicts=known.conflicts,
        assessment=assessment if isinstance(assessment, str) else "",
        claims=read_list(Claim, evidence.get("claims")),
        warnings=tuple(map(str, warnings)) if isinstance(warnings, list) else (),
        reply=reply if isinstance(reply, str) else "",
        cut_off=evidence.get("cut_off") is True,
    )


def _summary_of(report: str) -> str:
    """The statements of a report that came without evidence."""
    from intelli.report_text import SUMMARY, statements_only

    text = statements_only(report).strip().removeprefix(f"## {SUMMARY}").strip()
    return re.sub(r"\n[ \n]*\n", "\n\n", text)


def load_research(stored: StoredSession) -> Research:
    """The record that was saved; engine `llm` where the files do not say who wrote them."""
    known = stored.meta
    return Research(
        query=known.query,
        engine=known.engine or "llm",
        outcome=stored.outcome,
        session=stored.name,
        path=str(stored.path),
        timestamp=known.timestamp,
        report=stored.answer,
        sources=tuple(source.record for source in stored.sources),
        related=known.related,
        usage=known.usage,
        timing=known.timing,
        warnings=known.warnings,
    )
