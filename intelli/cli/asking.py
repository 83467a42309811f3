"""A research run as the command line asks for it, from its session to what is printed."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from intelli.cli.streams import DEFAULT_MAX_CHARS, NOT_SAVED_EXIT, UNVERIFIED_EXIT, Streams
from intelli.errors import IntelliError, RunError, StoreError, UsageError
from intelli.records import Query, Research
from intelli.settings import Settings

if TYPE_CHECKING:
    from intelli.changes import Difference
    from intelli.pipeline import Run
    from intelli.store import Given
    from intelli.store.writing import ResumedState
    from intelli.toolbox import Job, Toolbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A research run as the command line asks for it."""

    query: Query
    settings: Settings
    job: Job
    streams: Streams
    timeout: float | None = None
    fresh: bool = False
    reuse: timedelta | None = None
    strict: bool = False
    max_chars: int = DEFAULT_MAX_CHARS
    output: Path | None = None
    resume: str | None = None
    collate: tuple[str, ...] = ()
    """What to collate instead of searching and reading pages."""

    @property
    def given(self) -> Given:
        from intelli.store import Given

        docs = tuple(str(path.absolute()) for path in self.job.docs)
        return Given(docs=docs, urls=self.job.urls)


def carry_out(asked: Asked) -> int:
    """Run it, print what came of it, and return the exit code."""
    from intelli.cli.running import with_toolbox

    stored = _reused(asked)
    if stored is not None:
        return print_result(asked, stored)
    runs: list[Run] = []

    async def work(tools: Toolbox) -> Research:
        run = await _open_run(asked, tools)
        runs.append(run)
        return await run(asked.timeout)

    try:
        done = with_toolbox(asked.settings, asked.job, asked.streams, work)
    except RunError as error:
        if runs:
            print_failure(asked, runs[0].research, error)
        raise
    return print_result(asked, done, changes=changes_since(asked, done))


def _reused(asked: Asked) -> Research | None:
    """The answer of an earlier session that is new enough, where one was asked for."""
    if asked.reuse is None:
        return None
    from intelli.store import Store, load_research

    store = Store(asked.settings.cache_dir)
    since = datetime.now(UTC) - asked.reuse
    stored = store.reusable(asked.query, asked.settings.engine, since, asked.given)
    if stored is None:
        return None
    asked.streams.say(f"reusing {stored.name} of {stored.timestamp}")
    return load_research(stored)


async def _open_run(asked: Asked, tools: Toolbox) -> Run:
    """A run on a session of its own, or without one where nothing can be written."""
    from intelli.errors import StoreError
    from intelli.pipeline import Run
    from intelli.saving import Saving

    try:
        session = tools.store.begin(
            asked.query,
            tools.settings.engine,
            datetime.now(UTC),
            fresh=asked.fresh,
            resume_name=asked.resume,
            given=asked.given,
        )
    except StoreError as error:
        saving = Saving(None, tools.emit)
        saving.fail(error)
        return Run(asked.query, tools, saving)
    saving = Saving(session, tools.emit)
    if not asked.collate:
        return Run(asked.query, tools, saving, _fitting(asked, session.resumed))
    given = await _given_extractions(asked, tools)
    return Run(asked.query, tools, saving, given, continues=False)


def _fitting(asked: Asked, resumed: ResumedState) -> ResumedState | None:
    """What a stopped run left, unless its links are of another kind than what was asked for: such
    a session was not written by us."""
    local = bool(asked.job.docs) and not asked.job.urls
    kinds = {link.url.startswith("file:") for link in resumed.answer.links}
    return resumed if kinds <= {local} or (asked.job.docs and asked.job.urls) else None


async def _given_extractions(asked: Asked, tools: Toolbox) -> ResumedState:
    """Extractions of other sessions and files, as if a run had stopped before its collation."""
    from intelli.materials import extractions_of
    from intelli.records import Answer
    from intelli.store.writing import ResumedState

    sources = await extractions_of(asked.collate, tools)
    if not sources:
        raise UsageError("there is nothing to collate in that", code="no-extractions")
    return ResumedState(answer=Answer(links=tuple(s.link for s in sources)), sources=sources)


def changes_since(asked: Asked, done: Research) -> Difference | None:
    """What differs from the last finished run of the same question, where there is one."""
    if not done.session:
        return None
    from intelli.compare.sessions import difference
    from intelli.store import Store

    store = Store(asked.settings.cache_dir)
    with suppress(OSError, IntelliError):  # the report is there, whatever became of the earlier one
        later = store.open(done.session)
        earlier = store.earlier(later)
        if earlier is not None:
            return difference(earlier, later)
    return None


def print_result(
    asked: Asked, done: Research, *, changes: Difference | None = None, **more: object
) -> int:
    """Print a finished run, and in its document `more`; the exit code."""
    from intelli.report_text import FLAGGED, pack
    from intelli.saving import NOT_SAVED
    from intelli.show.difference import changes_body, changes_line
    from intelli.show.documents import research_document
    from intelli.show.plain import closing_line

    flagged = asked.strict and any(c.status in FLAGGED for c in done.report.claims)
    if flagged and done.outcome == "completed":
        done = replace(done, outcome="unverified")
    if asked.streams.as_json:
        document = research_document(done, _short(asked, done)) | more
        if changes:
            document["changes"] = changes_body(changes)
        asked.streams.document(document, file=asked.output)
    else:
        text = pack(done, asked.max_chars)
        asked.streams.markdown(text, file=asked.output, whole=pack(done, sys.maxsize))
    if done.outcome == NOT_SAVED:
        problem = next(reversed(done.warnings), "the run is not saved")
        asked.streams.error(StoreError(problem, code=NOT_SAVED))
    asked.streams.say(closing_line(done))
    if changes:
        asked.streams.say(f"{changes_line(changes)} · intelli diff {done.session}")
    if done.outcome == NOT_SAVED or asked.streams.unsaved:
        return NOT_SAVED_EXIT
    return UNVERIFIED_EXIT if flagged else 0


def _short(asked: Asked, research: Research) -> str:
    """What refs call the session, "" where nothing is stored."""
    from intelli.store import Store

    return Store(asked.settings.cache_dir).short(research.session) if research.session else ""


def print_failure(asked: Asked, known: Research, error: RunError) -> None:
    """What is known of a run that ended without a report."""
    from intelli.show.documents import research_document
    from intelli.show.plain import closing_line

    if asked.streams.as_json:
        document = research_document(known, _short(asked, known), error)
        asked.streams.document(document, file=asked.output)
        error.document_printed = True
    elif known.session:
        asked.streams.say(closing_line(known))
