"""A research run as someone asks for it: a command, a program, a batch or an editor."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from intelli.errors import IntelliError, StoreError, UsageError, first_of
from intelli.inputs import (
    Options,
    age_of,
    deadline_of,
    judged,
    pages_wanted,
    paths_of,
    query_of,
    settings_for,
    settings_options,
    without_userinfo,
)
from intelli.job import Job
from intelli.records import STAGES, Query, Research, Stage, Timing, Usage
from intelli.settings import Settings

if TYPE_CHECKING:
    from intelli.changes import Difference
    from intelli.events import Emit
    from intelli.pipeline import Run
    from intelli.store import Given, StoredSession
    from intelli.store.writing import ResumedState
    from intelli.toolbox import Toolbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to find out, with which settings, and what earlier work may be used for it."""

    query: Query
    settings: Settings
    job: Job
    timeout: float | None = None
    """Seconds for the whole run."""
    fresh: bool = False
    reuse: timedelta | None = None
    resume: str | None = None
    """The stopped session that is to be finished."""
    collate: tuple[str, ...] = ()
    """What to collate instead of searching and reading pages."""

    @property
    def given(self) -> Given:
        from intelli.store import Given

        docs = tuple(str(path.absolute()) for path in self.job.docs)
        return Given(
            docs=docs,
            urls=self.job.urls,
            offline=self.job.offline,
            backends=self.settings.backends_option,
        )


def request_of(query: str, options: Options) -> Request:
    """The request for a question with its options. Raises UsageError naming the one that is wrong,
    or a setting that is."""
    fresh, reuse = options.get("fresh", False), options.get("reuse")
    job = Job(
        docs=paths_of(options.get("docs")),
        urls=tuple(map(without_userinfo, options.get("url") or ())),
        offline=options.get("offline", False),
        budget_unknown_ok=options.get("budget_unknown_ok", False),
        thorough=options.get("thorough", False),
        judge=judged(options.get("judge", False), options.get("thorough", False)),
        fresh=fresh,
    )
    overrides = settings_options(
        engine=options.get("engine"),
        cache_dir=options.get("cache_dir"),
        backend=options.get("backend"),
        budget=options.get("budget"),
        urls=options.get("urls"),
    )
    settings = settings_for(job, overrides, allow_private=options.get("allow_private", False))
    pages = len(job.urls) or pages_wanted(settings)
    return Request(
        query=query_of(query, pages, options),
        settings=settings,
        job=job,
        timeout=deadline_of(options.get("timeout")),
        fresh=fresh,
        reuse=None if reuse is None or fresh else age_of(reuse),
    )


def reused(asked: Request) -> Research | None:
    """The answer of an earlier session that is new enough, where one was asked for."""
    if asked.reuse is None:
        return None
    from intelli.store import Store

    began = time.monotonic()
    store = Store(asked.settings.cache_dir)
    since = datetime.now(UTC) - asked.reuse
    stored = store.reusable(asked.query, asked.settings.engine, since, asked.given)
    if stored is None:
        return None
    return kept_answer(stored, time.monotonic() - began, "search")


def kept_answer(stored: StoredSession, seconds: float, stage: Stage) -> Research:
    """A stored report as the result of now: nothing was spent but `seconds` in one stage, and what
    its run has cost is saved."""
    from intelli.store import load_research

    research = load_research(stored)
    usage, took = research.usage, round(seconds, 3)
    stages: dict[str, float] = dict.fromkeys(STAGES, 0.0)
    return replace(
        research,
        usage=Usage(saved=usage.total + usage.saved),
        timing=Timing(wall_s=took, stages=stages | {stage: took}),
    )


async def carry_out(asked: Request, emit: Emit) -> Research:
    """Do it, or take it from an earlier session; every event goes to `emit`. Raises RunError, whose
    `research` is what is known, and UsageError before anything is asked or paid."""
    from intelli.toolbox import open_toolbox

    kept = reused(asked)
    if kept is not None:
        return kept
    try:
        async with open_toolbox(asked.settings, asked.job, emit) as tools:
            run = await open_run(asked, tools)
            return await run(asked.timeout)
    except BaseExceptionGroup as errors:
        raise first_of(errors) from None


async def open_run(asked: Request, tools: Toolbox) -> Run:
    """A run on a session of its own, or without one where nothing can be written."""
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


def _fitting(asked: Request, resumed: ResumedState) -> ResumedState | None:
    """What a stopped run left, unless its links are of another kind than what was asked for: such
    a session was not written by us."""
    local = bool(asked.job.docs) and not asked.job.urls
    kinds = {link.url.startswith("file:") for link in resumed.answer.links}
    return resumed if kinds <= {local} or (asked.job.docs and asked.job.urls) else None


async def _given_extractions(asked: Request, tools: Toolbox) -> ResumedState:
    """Extractions of other sessions and files, as if a run had stopped before its collation."""
    from intelli.materials import extractions_of
    from intelli.records import Answer
    from intelli.store.writing import ResumedState

    sources = await extractions_of(asked.collate, tools)
    if not sources:
        raise UsageError("there is nothing to collate in that", code="no-extractions")
    return ResumedState(answer=Answer(links=tuple(s.link for s in sources)), sources=sources)


def changes_since(asked: Request, done: Research) -> Difference | None:
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
