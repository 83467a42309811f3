"""A stored session again: what `refresh` and `replay` have in common."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from intelli.asking import changes_since, kept_answer
from intelli.cli.asking import Asked, print_failure, print_result
from intelli.cli.running import with_toolbox
from intelli.errors import Interrupted, NothingFound, RunError, Stopped, StoreError
from intelli.records import Answer, Research, Source
from intelli.settings import Settings, Value, load

if TYPE_CHECKING:
    from intelli.pipeline import Run
    from intelli.store import StoredSession
    from intelli.toolbox import Toolbox


class Again(Protocol):
    """A way to run a session again; `facts` go into the document."""

    @property
    def stored(self) -> StoredSession: ...

    @property
    def facts(self) -> dict[str, object]: ...

    @property
    def unchanged(self) -> str:
        """What is said in place of a report when there was nothing to do."""
        ...

    async def prepare(self, tools: Toolbox) -> Run | None:
        """The run, None when there is nothing to do."""
        ...


def carry_out_again(asked: Asked, again: Again) -> int:
    """Do it, print what came of it, and return the exit code."""
    runs: list[Run] = []

    async def work(tools: Toolbox) -> Research:
        began = time.monotonic()
        try:
            async with asyncio.timeout(asked.timeout):
                run = await again.prepare(tools)
        except TimeoutError as error:
            raise Stopped(
                f"the deadline of {asked.timeout:g} s is over",
                code="deadline",
                hint="give --timeout more seconds; the session stays as it is",
            ) from error
        except asyncio.CancelledError as error:
            raise Interrupted("interrupted", code="interrupted") from error
        if run is None:
            return kept_answer(again.stored, time.monotonic() - began, "fetch")
        runs.append(run)
        left = asked.timeout and max(0.001, asked.timeout - (time.monotonic() - began))
        return await run(left)

    try:
        done = with_toolbox(asked.settings, asked.job, asked.streams, work)
    except RunError as error:
        if error.research:
            print_failure(asked, error.research, error)
        raise
    if runs:
        return print_result(asked, done, changes=changes_since(asked, done), facts=again.facts)
    return print_result(asked, done, instead=again.unchanged, facts=again.facts)


def run_from(
    asked: Asked,
    stored: StoredSession,
    tools: Toolbox,
    answer: Answer,
    sources: tuple[Source, ...],
    how: str,
) -> Run:
    """A run that begins with these sources, all of them on disk before it does."""
    from intelli.pipeline import Run
    from intelli.saving import Saving
    from intelli.store.meta import Origin
    from intelli.store.writing import ResumedState

    saving = Saving(None, tools.emit)
    try:
        session = tools.store.begin(
            asked.query,
            tools.settings.engine,
            datetime.now(UTC),
            fresh=True,
            given=stored.meta.given,
        )
        saving = Saving(session, tools.emit)
    except StoreError as error:
        saving.fail(error)
    origin = Origin(session=stored.name, timestamp=stored.timestamp, by=how)
    saving.begin_from(origin, answer, sources)
    resumed = ResumedState(answer=answer, sources=sources)
    return Run(asked.query, tools, saving, resumed, continues=False)


def finished(stored: StoredSession) -> StoredSession:
    """Raises NothingFound for a session without a report, and without pages."""
    if not stored.report:
        raise NothingFound(
            f"{stored.name} has no report: its run ended as `{stored.outcome}`",
            code="no-report",
            hint=f"finish it with `intelli resume {stored.name}`",
        )
    if not any(source.record.page for source in stored.sources):
        raise NothingFound(
            f"{stored.name} has no stored pages",
            code="no-pages",
            hint="ask its question again with `intelli research`",
        )
    return stored


def as_before(overrides: dict[str, Value], stored: StoredSession) -> Settings:
    """Settings with the engine of the session, where that was the local one: `llm` is for the
    user's settings to choose."""
    if overrides.get("engine") is None and stored.engine == "local":
        overrides = {**overrides, "engine": "local"}
    return load(overrides)
