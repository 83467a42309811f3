"""Each stage alone: `intelli search`, `fetch` and `related` (extract and collate: engines.py)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import options as opt
from intelli.cli.inputs import about, question
from intelli.cli.streams import DEFAULT_MAX_CHARS, NOT_SAVED_EXIT, Streams
from intelli.errors import FetchError, FetchFailed, IntelliError, NoLinks, RunError, UsageError
from intelli.events import Event, Warned
from intelli.inputs import (
    Options,
    pages_wanted,
    paths_of,
    query_of,
    settings_options,
    without_userinfo,
)
from intelli.records import Answer, Link, Page, Query
from intelli.settings import load

if TYPE_CHECKING:
    from intelli.toolbox import Toolbox

MOST_QUERIES = 6
QUERIES_AT_ONCE = 3
LONGEST_QUERY = 4000
"""Characters; no search service takes more."""
MOST_ADDRESSES = 20
"""Addresses to read at the end, over all questions."""
Queries = Annotated[list[str], typer.Argument(metavar="QUERY...", help="One to six questions.")]
Addresses = Annotated[list[str], typer.Argument(metavar="URL...", help="Pages to fetch.")]
Explain = Annotated[
    bool, typer.Option("--explain", help="Show both readings of a page and why one won.")
]
Found = tuple[str, Answer | None, Sequence[str]]


def search(
    queries: Queries,
    urls: opt.Urls = None,
    docs: opt.Docs = None,
    domain: opt.Domain = None,
    only_domain: opt.OnlyDomain = None,
    exclude_domain: opt.ExcludeDomain = None,
    backend: opt.BackendNames = None,
    thorough: opt.Thorough = False,
    fresh: opt.Fresh = False,
    cache_dir: opt.CacheDir = None,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
    events: opt.Events = False,
    quiet: opt.Quiet = False,
) -> int:
    """Search alone: links for one to six questions, grouped by question.

    \b
    Example:
      intelli search "sqlite fts5 ranking" "bm25 in postgres" --urls 5
    """
    from intelli.cli.running import with_toolbox
    from intelli.job import Job

    if len(queries) > MOST_QUERIES:
        raise UsageError(
            f"{len(queries)} questions; at most {MOST_QUERIES} at once",
            code="too-many-queries",
            hint="split them over several commands",
        )
    settings = load(settings_options(backend=backend, cache_dir=cache_dir, urls=urls))
    sites = Options(domain=domain, only_domain=only_domain, exclude_domain=exclude_domain)
    asked = [query_of(text, pages_wanted(settings), sites) for text in queries]
    _check_lengths(asked)
    streams = Streams(as_json=json, events=events, quiet=quiet)
    job = Job(docs=paths_of(docs), thorough=thorough, fresh=fresh, reads=False)
    groups, errors = with_toolbox(settings, job, streams, lambda tools: _search_all(asked, tools))
    error = errors[0] if errors and not any(answer for _, answer, _ in groups) else None
    room, where = max_chars or DEFAULT_MAX_CHARS, settings.cache_option
    _print_groups(groups, error, streams, room, where)
    if error:
        error.document_printed = True
        raise error
    return NOT_SAVED_EXIT if streams.unsaved else 0


def _check_lengths(asked: Sequence[Query]) -> None:
    for query in asked:
        if len(query.text) > LONGEST_QUERY:
            raise UsageError(
                f"a question has {len(query.text)} characters; {LONGEST_QUERY} are allowed",
                code="query-too-long",
                hint="shorten it",
            )


async def _search_all(asked: list[Query], tools: Toolbox) -> tuple[list[Found], list[RunError]]:
    """Three questions at a time; one that finds nothing does not hurt the others."""
    slots = asyncio.Semaphore(QUERIES_AT_ONCE)
    errors: list[RunError] = []

    async def one(query: Query) -> Found:
        warnings: list[str] = []

        def hear(event: Event) -> None:
            if isinstance(event, Warned):
                warnings.append(event.message)
            tools.emit(event)

        async with slots:
            try:
                answer = await tools.search(query, hear)
            except NoLinks as error:
                errors.append(error)
                return query.text, None, [*warnings, error.message]
        return query.text, _cut(answer, query.urls), warnings

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(query)) for query in asked]
    return [task.result() for task in tasks], errors


def _cut(answer: Answer, most: int) -> Answer:
    return replace(answer, links=answer.links[:most])


def _print_groups(
    groups: Sequence[Found], error: RunError | None, streams: Streams, max_chars: int, where: str
) -> None:
    """The links of each question, and the best of all questions as one ranking, each page once."""
    from intelli.search.rules import fuse
    from intelli.show.documents import search_document
    from intelli.show.listing import search_text

    ranked = fuse([answer.links for _, answer, _ in groups if answer])[:MOST_ADDRESSES]
    if streams.as_json:
        streams.document(search_document(groups, ranked, error))
    elif error is None:
        streams.markdown(search_text(groups, ranked, max_chars, where))


def fetch(
    urls: Addresses,
    explain: Explain = False,
    max_chars: opt.MaxChars = None,
    fresh: opt.Fresh = False,
    allow_private: opt.AllowPrivate = False,
    output: opt.Output = None,
    json: opt.Json = False,
    events: opt.Events = False,
    quiet: opt.Quiet = False,
) -> int:
    """Fetch pages and print them as Markdown.

    \b
    Example:
      intelli fetch https://docs.python.org/3/library/asyncio-task.html --explain
    """
    from intelli.cli.running import with_toolbox
    from intelli.job import Job
    from intelli.show.documents import envelope, page_body
    from intelli.show.listing import pages_text

    settings = load(settings_options(allow_private=allow_private))
    streams = Streams(as_json=json, events=events, quiet=quiet)
    urls = [without_userinfo(url) for url in urls]
    job = Job(search=False, fresh=fresh)
    results = with_toolbox(settings, job, streams, lambda tools: _fetch_all(urls, tools))
    failed = [(url, result) for url, result in results if isinstance(result, FetchError)]
    if explain:
        failed = [(url, _explained(problem)) for url, problem in failed]
    error = _all_failed(failed) if len(failed) == len(results) else None
    if json:
        pages = [
            page_body(url, *((r, None) if isinstance(r, Page) else (None, r))) for url, r in results
        ]
        outcome = error.outcome if error else "completed"
        streams.document(envelope(outcome, error, pages=pages), file=output)
    else:
        good = [(url, result) for url, result in results if isinstance(result, Page)]
        if good:
            text = pages_text(good, explain=explain, max_chars=max_chars)
            whole = pages_text(good, explain=explain, max_chars=None)
            streams.result(text, file=output, whole=whole)
        if not error:
            for url, problem in failed:
                streams.error(about(url, problem))
    if error:
        error.document_printed = True
        raise error
    return NOT_SAVED_EXIT if streams.unsaved else 0


async def _fetch_all(urls: Sequence[str], tools: Toolbox) -> list[tuple[str, Page | FetchError]]:
    """Each address once and in its place, a page or why there is none."""
    from intelli.fetch.page import fetch_page

    slots = asyncio.Semaphore(tools.settings.count("fetch.concurrency"))

    async def one(url: str) -> Page | FetchError:
        async with slots:
            try:
                return await fetch_page(Link(url=url), tools.fetching)
            except FetchError as error:
                return error

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(url)) for url in urls]
    return [(url, task.result()) for url, task in zip(urls, tasks, strict=True)]


def _explained(error: FetchError) -> FetchError:
    """The error with what else was tried in its message."""
    if error.tried:
        error.message = f"{error.message}; tried as well: {'; '.join(error.tried)}"
    return error


def _all_failed(failed: Sequence[tuple[str, IntelliError]]) -> FetchFailed:
    reasons = "; ".join(f"{url}: {error.message}" for url, error in failed[:3])
    more = f" and {len(failed) - 3} more" if len(failed) > 3 else ""
    _, first = failed[0]
    code = first.code if len(failed) == 1 else "fetch-failed"
    return FetchFailed(f"could not fetch {reasons}{more}", code=code, hint=first.hint)


def related(
    query: opt.QueryText,
    focus: opt.Focus = "",
    cache_dir: opt.CacheDir = None,
    json: opt.Json = False,
) -> int:
    """Earlier sessions that may help with a question; asks no model.

    \b
    Example:
      intelli related "d1 limits"
    """
    from intelli.show.documents import envelope, related_body
    from intelli.show.listing import related_text
    from intelli.store import Store
    from intelli.suggest.related import related as rank

    asked = Query(text=question(query), focus=focus)
    store = Store(load(settings_options(cache_dir=cache_dir)).cache_dir)
    streams = Streams(as_json=json)
    found = rank(asked, store.questions(f"{asked.text}\n{asked.focus}"))
    if json:
        streams.document(envelope("completed", related=[related_body(r) for r in found]))
    else:
        streams.result(related_text(found))
    return 0
