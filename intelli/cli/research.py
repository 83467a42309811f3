"""`intelli research` and `intelli resume`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from intelli.cli import options as opt
from intelli.cli.streams import DEFAULT_MAX_CHARS, Streams
from intelli.errors import RunError, UsageError
from intelli.records import Query, Research
from intelli.settings import Settings, Value, load

if TYPE_CHECKING:
    from intelli.pipeline import Run
    from intelli.store import ResumedState
    from intelli.toolbox import Job, Toolbox

UNVERIFIED_EXIT, NOT_SAVED_EXIT = 8, 9


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(help=_HELP)(research)
    app.command()(resume)


_HELP = """Research a question: search, fetch, extract, collate, suggest; prints the report.

    intelli research "how does asyncio.timeout cancel" --focus "what happens to the inner task"

    intelli research "which index types does it support" --docs docs --docs README.md

    intelli research "rate limits of the API" --only-domain docs.example.com --json
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A research run as the command line asks for it."""

    query: Query
    settings: Settings
    job: Job
    streams: Streams
    timeout: float | None = None
    fresh: bool = False
    strict: bool = False
    max_chars: int = DEFAULT_MAX_CHARS
    output: Path | None = None
    resume: str | None = None
    collate: tuple[str, ...] = ()
    """What to collate instead of searching and reading pages."""


def research(
    query: opt.QueryText,
    focus: opt.Focus = "",
    urls: opt.Urls = None,
    url: opt.Url = None,
    docs: opt.Docs = None,
    domain: opt.Domain = None,
    only_domain: opt.OnlyDomain = None,
    exclude_domain: opt.ExcludeDomain = None,
    backend: opt.BackendNames = None,
    engine: opt.Engine = None,
    cache_dir: opt.CacheDir = None,
    fresh: opt.Fresh = False,
    offline: opt.Offline = False,
    budget: opt.Budget = None,
    budget_unknown_ok: opt.BudgetUnknownOk = False,
    timeout: opt.Timeout = None,
    allow_private: opt.AllowPrivate = False,
    strict: opt.Strict = False,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    output: opt.Output = None,
    json: opt.Json = False,
    events: opt.Events = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> int:
    from intelli.toolbox import Job

    overrides = settings_options(
        engine=engine,
        cache_dir=cache_dir,
        backend=backend,
        budget=budget,
        allow_private=allow_private,
        urls=urls,
    )
    settings = load(overrides)
    if offline:
        settings = offline_settings(settings, overrides)
    job = Job(
        docs=tuple(docs or ()),
        urls=tuple(url or ()),
        offline=offline,
        budget_unknown_ok=budget_unknown_ok,
    )
    if offline and not job.docs:
        raise UsageError(
            "--offline needs something to read that is no network",
            code="offline",
            hint="name local files with --docs PATH",
        )
    asked = Asked(
        query=Query(
            text=question(query),
            focus=focus.strip(),
            urls=len(job.urls) or pages_wanted(settings),
            domains=tuple(domain or ()),
            only_domains=tuple(only_domain or ()),
            exclude_domains=tuple(exclude_domain or ()),
        ),
        settings=settings,
        job=job,
        streams=Streams(as_json=json, events=events, quiet=quiet, verbose=verbose),
        timeout=timeout,
        fresh=fresh,
        strict=strict,
        max_chars=max_chars or DEFAULT_MAX_CHARS,
        output=output,
    )
    return carry_out(asked)


def resume(
    session: opt.SessionName,
    engine: opt.Engine = None,
    cache_dir: opt.CacheDir = None,
    budget: opt.Budget = None,
    budget_unknown_ok: opt.BudgetUnknownOk = False,
    timeout: opt.Timeout = None,
    allow_private: opt.AllowPrivate = False,
    strict: opt.Strict = False,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    output: opt.Output = None,
    json: opt.Json = False,
    events: opt.Events = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> int:
    """Finish a stopped run, paying only for what is missing.

    intelli resume latest
    """
    from intelli.store import Store
    from intelli.toolbox import Job

    overrides = settings_options(
        engine=engine, cache_dir=cache_dir, budget=budget, allow_private=allow_private
    )
    settings = load(overrides)
    stored = Store(settings.cache_dir).open(session)
    if engine is None and stored.engine:
        settings = load({**overrides, "engine": stored.engine})
    streams = Streams(as_json=json, events=events, quiet=quiet, verbose=verbose)
    asked = Asked(
        query=stored.query,
        settings=settings,
        job=Job(docs=stored.docs, urls=stored.urls, budget_unknown_ok=budget_unknown_ok),
        streams=streams,
        timeout=timeout,
        strict=strict,
        max_chars=max_chars or DEFAULT_MAX_CHARS,
        output=output,
        resume=stored.name,
    )
    return carry_out(asked)


def carry_out(asked: Asked) -> int:
    """Run it, print what came of it, and return the exit code."""
    from intelli.cli.running import with_toolbox

    runs: list[Run] = []

    async def work(tools: Toolbox) -> Research:
        run = await _open_run(asked, tools)
        runs.append(run)
        return await run(asked.timeout)

    try:
        done = with_toolbox(asked.settings, asked.job, asked.streams, work)
    except RunError as error:
        if runs:
            _print_failure(asked, runs[0].research, error)
        raise
    return _print(asked, done)


async def _open_run(asked: Asked, tools: Toolbox) -> Run:
    """A run on a session of its own, or without one where nothing can be written."""
    from intelli.errors import StoreError
    from intelli.pipeline import Run
    from intelli.saving import Saving
    from intelli.store import Given

    try:
        session = tools.store.begin(
            asked.query,
            tools.settings.engine,
            datetime.now(UTC),
            fresh=asked.fresh,
            resume_name=asked.resume,
            given=Given(docs=tuple(map(str, asked.job.docs)), urls=asked.job.urls),
        )
    except StoreError as error:
        saving = Saving(None, tools.emit)
        saving.fail(error)
        return Run(asked.query, tools, saving)
    saving = Saving(session, tools.emit)
    if not asked.collate:
        return Run(asked.query, tools, saving, session.resumed)
    return Run(asked.query, tools, saving, await _given_extractions(asked, tools))


async def _given_extractions(asked: Asked, tools: Toolbox) -> ResumedState:
    """Extractions of other sessions and files, as if a run had stopped before its collation."""
    from intelli.materials import extractions_of
    from intelli.records import Answer
    from intelli.store import ResumedState

    sources = await extractions_of(asked.collate, tools)
    if not sources:
        raise UsageError("there is nothing to collate in that", code="no-extractions")
    return ResumedState(answer=Answer(links=tuple(s.link for s in sources)), sources=sources)


def _print(asked: Asked, done: Research) -> int:
    from intelli.report_text import FLAGGED, pack
    from intelli.show.documents import research_document
    from intelli.show.plain import closing_line

    flagged = asked.strict and any(c.status in FLAGGED for c in done.report.claims)
    if flagged and done.outcome == "completed":
        done = replace(done, outcome="unverified")
    if asked.streams.as_json:
        asked.streams.document(research_document(done), file=asked.output)
    else:
        asked.streams.markdown(pack(done, asked.max_chars), file=asked.output)
    asked.streams.say(closing_line(done))
    if done.outcome == "not-saved":
        return NOT_SAVED_EXIT
    return UNVERIFIED_EXIT if flagged else 0


def _print_failure(asked: Asked, known: Research, error: RunError) -> None:
    """What is known of a run that ended without a report."""
    from intelli.show.documents import research_document
    from intelli.show.plain import closing_line

    if asked.streams.as_json:
        asked.streams.document(research_document(known, error), file=asked.output)
        error.document_printed = True
    elif known.session:
        asked.streams.say(closing_line(known))


def offline_settings(settings: Settings, overrides: dict[str, Value]) -> Settings:
    """With `--offline`, `auto` means the model only where it is served on this machine."""
    from intelli.toolbox import ENGINE_ROLES, is_on_loopback

    if settings.text("engine") != "auto" or all(is_on_loopback(settings, r) for r in ENGINE_ROLES):
        return settings
    return load({**overrides, "engine": "local"})


def question(argument: str) -> str:
    """The question, from standard input for `-`. Raises UsageError when it is blank."""
    text = sys.stdin.read() if argument == "-" else argument
    text = text.strip()
    if not text:
        raise UsageError("the question is empty", code="empty-query", hint="say what to look for")
    return text


def pages_wanted(settings: Settings) -> int:
    return min(settings.count("urls"), settings.count("max_urls"))


def settings_options(
    *,
    backend: list[str] | None = None,
    cache_dir: Path | None = None,
    allow_private: bool = False,
    **others: Value,
) -> dict[str, Value]:
    """Options as settings; what was not given stays out."""
    return {
        **others,
        "cache_dir": str(cache_dir) if cache_dir else None,
        "search.backends": tuple(backend) if backend else None,
        "fetch.allow_private": True if allow_private else None,
    }
