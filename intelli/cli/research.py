"""`intelli research` and `intelli resume`."""

from __future__ import annotations

from intelli.cli import options as opt
from intelli.cli.asking import Asked, carry_out
from intelli.cli.dry_run import show_plan
from intelli.cli.inputs import (
    age_of,
    deadline_of,
    docs_of,
    judged,
    pages_wanted,
    paths_of,
    query_of,
    settings_for,
    settings_options,
    without_userinfo,
)
from intelli.cli.streams import DEFAULT_MAX_CHARS, Streams
from intelli.settings import load


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
    thorough: opt.Thorough = False,
    judge: opt.Judge = False,
    dry_run: opt.DryRun = False,
    reuse: opt.Reuse = None,
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
    """Research a question: search, fetch, extract, collate, suggest; prints the report.

    \b
    Examples:
      intelli research "how does asyncio.timeout cancel" --focus "what the inner task sees"
      intelli research "which index types are there" --docs docs --docs README.md
      intelli research "rate limits of the API" --only-domain docs.example.com --json
    """
    from intelli.toolbox import Job

    overrides = settings_options(
        engine=engine, cache_dir=cache_dir, backend=backend, budget=budget, urls=urls
    )
    job = Job(
        docs=paths_of(docs),
        urls=tuple(map(without_userinfo, url or ())),
        offline=offline,
        budget_unknown_ok=budget_unknown_ok,
        thorough=thorough,
        judge=judged(judge, thorough),
        fresh=fresh,
    )
    settings = settings_for(job, overrides, allow_private=allow_private)
    pages = len(job.urls) or pages_wanted(settings)
    asked = Asked(
        query=query_of(query, focus, pages, domain, only_domain, exclude_domain),
        settings=settings,
        job=job,
        streams=Streams(as_json=json, events=events, quiet=quiet, verbose=verbose),
        timeout=deadline_of(timeout),
        fresh=fresh,
        reuse=None if reuse is None or fresh else age_of(reuse),
        strict=strict,
        max_chars=max_chars or DEFAULT_MAX_CHARS,
        output=output,
    )
    return show_plan(asked) if dry_run else carry_out(asked)


def resume(
    session: opt.SessionName,
    docs: opt.Docs = None,
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

    \b
    Example:
      intelli resume latest
    """
    from intelli.store import Store
    from intelli.toolbox import Job

    overrides = settings_options(
        engine=engine, cache_dir=cache_dir, budget=budget, allow_private=allow_private
    )
    settings = load(overrides)
    stored = Store(settings.cache_dir).open(session)
    if engine is None and stored.engine == "local":  # `llm` is for the user's settings to choose
        settings = load({**overrides, "engine": "local"})
    streams = Streams(as_json=json, events=events, quiet=quiet, verbose=verbose)
    asked = Asked(
        query=stored.query,
        settings=settings,
        job=Job(
            docs=docs_of(stored.docs, docs), urls=stored.urls, budget_unknown_ok=budget_unknown_ok
        ),
        streams=streams,
        timeout=deadline_of(timeout),
        strict=strict,
        max_chars=max_chars or DEFAULT_MAX_CHARS,
        output=output,
        resume=stored.name,
    )
    return carry_out(asked)
