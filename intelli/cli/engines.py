"""The engine's two stages alone: `intelli extract` and `intelli collate`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import options as opt
from intelli.cli.asking import Asked, carry_out
from intelli.cli.inputs import about, question, with_room
from intelli.cli.streams import DEFAULT_MAX_CHARS, NOT_SAVED_EXIT, Streams
from intelli.errors import ExtractionFailed, IntelliError, PageError, RunError
from intelli.events import Event, Warned
from intelli.inputs import deadline_of, settings_options, without_userinfo
from intelli.records import Extract, Query
from intelli.settings import load

if TYPE_CHECKING:
    from intelli.toolbox import Toolbox

Sources = Annotated[
    list[str], typer.Argument(metavar="SOURCE...", help="An address, a file, SESSION:N, or `-`.")
]
Extractions = Annotated[
    list[str], typer.Argument(metavar="SOURCE...", help="SESSION:N, a session, a file, or `-`.")
]
QueryOption = Annotated[str, typer.Option("--query", help="The question.", metavar="Q")]
Result = Extract | IntelliError


def extract(
    sources: Sources,
    query: QueryOption,
    focus: opt.Focus = "",
    engine: opt.Engine = None,
    cache_dir: opt.CacheDir = None,
    budget: opt.Budget = None,
    budget_unknown_ok: opt.BudgetUnknownOk = False,
    allow_private: opt.AllowPrivate = False,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    output: opt.Output = None,
    json: opt.Json = False,
    events: opt.Events = False,
    quiet: opt.Quiet = False,
) -> int:
    """Extract from pages what a question asks for.

    \b
    Example:
      intelli extract https://docs.python.org/3/library/sqlite3.html --query "how to use WAL"
    """
    from intelli.cli.running import with_toolbox
    from intelli.job import Job
    from intelli.show.documents import envelope, extraction_body
    from intelli.show.listing import extractions_text

    settings = load(
        settings_options(
            engine=engine, cache_dir=cache_dir, budget=budget, allow_private=allow_private
        )
    )
    asked = Query(text=question(query), focus=focus)
    streams = Streams(as_json=json, events=events, quiet=quiet)
    job = Job(search=False, collates=False, budget_unknown_ok=budget_unknown_ok)
    sources = [without_userinfo(source) for source in sources]
    warnings: list[str] = []
    work = partial(_extract_all, sources, asked, warnings)
    results = with_toolbox(settings, job, streams, work)
    failed = [(s, r) for s, r in results if isinstance(r, IntelliError)]
    error = _all_failed(failed) if len(failed) == len(results) else None
    if json:
        bodies = [
            extraction_body(s, *((r, None) if isinstance(r, Extract) else (None, r)))
            for s, r in results
        ]
        outcome = error.outcome if error else "completed"
        document = envelope(outcome, error, extractions=bodies, warnings=warnings)
        streams.document(document, file=output)
    else:
        good = [(s, r) for s, r in results if isinstance(r, Extract)]
        if good:
            text = extractions_text(good, max_chars or DEFAULT_MAX_CHARS, with_room)
            whole = extractions_text(good, sys.maxsize, with_room)
            streams.markdown(text, file=output, whole=whole)
        for source, problem in failed if not error else ():
            streams.error(about(source, problem))
    if error:
        error.document_printed = True
        raise error
    return NOT_SAVED_EXIT if streams.unsaved else 0


async def _extract_all(
    sources: Sequence[str], query: Query, warnings: list[str], tools: Toolbox
) -> list[tuple[str, Result]]:
    """Each source once and in its place: its extraction, or why there is none. What is said on the
    way goes into `warnings` as well."""
    from intelli.extract.hostile import remark_on
    from intelli.materials import page_of

    def note(event: Event) -> None:
        if isinstance(event, Warned):
            warnings.append(event.message)

    tools.emit.add(note)
    slots = asyncio.Semaphore(tools.settings.count("extract.concurrency"))

    async def one(source: str) -> Result:
        try:
            page = await page_of(source, tools)
            if remark := remark_on(page):
                tools.emit(Warned(message=f"{source} {remark}"))
            async with slots:
                return await tools.engine.extractor.extract(page, query)
        except (PageError, RunError) as error:
            return error

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(source)) for source in sources]
    return [(source, task.result()) for source, task in zip(sources, tasks, strict=True)]


def _all_failed(failed: Sequence[tuple[str, IntelliError]]) -> RunError:
    """The one error there is where it says more, else that nothing came of any source."""
    _, first = failed[0]
    if len(failed) == 1 and isinstance(first, RunError):
        return first
    reasons = "; ".join(f"{source}: {error.message}" for source, error in failed[:3])
    return ExtractionFailed(
        f"nothing could be extracted from {reasons}", code=first.code, hint=first.hint
    )


def collate(
    sources: Extractions,
    query: QueryOption,
    focus: opt.Focus = "",
    engine: opt.Engine = None,
    cache_dir: opt.CacheDir = None,
    budget: opt.Budget = None,
    budget_unknown_ok: opt.BudgetUnknownOk = False,
    timeout: opt.Timeout = None,
    strict: opt.Strict = False,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    output: opt.Output = None,
    json: opt.Json = False,
    events: opt.Events = False,
    quiet: opt.Quiet = False,
) -> int:
    """Collate extractions into one report with its own session.

    \b
    Example:
      intelli collate 3f7a2c:1 3f7a2c:4 notes.md --query "which limit applies"
    """
    from intelli.job import Job

    settings = load(settings_options(engine=engine, cache_dir=cache_dir, budget=budget))
    asked = Asked(
        query=Query(text=question(query), focus=focus.strip()),
        settings=settings,
        job=Job(search=False, budget_unknown_ok=budget_unknown_ok),
        streams=Streams(as_json=json, events=events, quiet=quiet),
        timeout=deadline_of(timeout),
        fresh=True,
        strict=strict,
        max_chars=max_chars or DEFAULT_MAX_CHARS,
        output=output,
        collate=tuple(sources),
    )
    return carry_out(asked)
