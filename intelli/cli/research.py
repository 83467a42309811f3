"""`intelli research` and `intelli resume`."""

from __future__ import annotations

from intelli.asking import request_of
from intelli.cli import options as opt
from intelli.cli.asking import Asked, carry_out
from intelli.cli.dry_run import show_plan
from intelli.cli.inputs import question, store_at
from intelli.cli.streams import DEFAULT_MAX_CHARS, Streams
from intelli.inputs import (
    Options,
    deadline_of,
    docs_of,
    settings_for,
    settings_options,
)


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
    options = Options(
        focus=focus,
        urls=urls,
        url=url,
        docs=docs,
        domain=domain,
        only_domain=only_domain,
        exclude_domain=exclude_domain,
        backend=backend,
        engine=engine,
        cache_dir=cache_dir,
        thorough=thorough,
        judge=judge,
        reuse=reuse,
        fresh=fresh,
        offline=offline,
        budget=budget,
        budget_unknown_ok=budget_unknown_ok,
        timeout=timeout,
        allow_private=allow_private,
    )
    asked = Asked.of(
        request_of(question(query), options),
        streams=Streams(as_json=json, events=events, quiet=quiet, verbose=verbose),
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
    from intelli.job import Job

    stored = store_at(cache_dir).open(session)
    if engine is None and stored.engine == "local":  # `llm` is for the user's settings to choose
        engine = "local"
    given = stored.meta.given
    overrides = settings_options(
        engine=engine, cache_dir=cache_dir, backend=list(given.backends), budget=budget
    )
    job = Job(
        docs=docs_of(stored.docs, docs),
        urls=stored.urls,
        offline=given.offline,
        budget_unknown_ok=budget_unknown_ok,
    )
    asked = Asked(
        query=stored.query,
        settings=settings_for(job, overrides, allow_private=allow_private),
        job=job,
        streams=Streams(as_json=json, events=events, quiet=quiet, verbose=verbose),
        timeout=deadline_of(timeout),
        strict=strict,
        max_chars=max_chars or DEFAULT_MAX_CHARS,
        output=output,
        resume=stored.name,
    )
    return carry_out(asked)
