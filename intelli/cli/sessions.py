"""What is stored: `intelli list` and `show`; always local, no network, no model."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import options as opt
from intelli.cli.inputs import moment_of, store_at, with_room
from intelli.cli.streams import DEFAULT_MAX_CHARS, Streams
from intelli.errors import NothingFound, UsageError
from intelli.settings import cache_option

if TYPE_CHECKING:
    from intelli.store import StoredSession
    from intelli.store.filters import Filter


Words = Annotated[
    str, typer.Option("--words", help="Only questions with all these words.", metavar="TEXT")
]
Site = Annotated[
    str, typer.Option("--site", help="Only sessions with a source of this site.", metavar="HOST")
]
Since = Annotated[
    str | None, typer.Option("--since", help="Not older: 2026-04-19 or 7d.", metavar="WHEN")
]
Before = Annotated[
    str | None, typer.Option("--before", help="Older: 2026-04-19 or 7d.", metavar="WHEN")
]
Open = Annotated[
    bool, typer.Option("--open", help="Open it in the browser, with the stored passages.")
]
Limit = Annotated[int, typer.Option("--limit", help="At most this many.", metavar="N", min=1)]


def list_sessions(
    cache_dir: opt.CacheDir = None,
    words: Words = "",
    site: Site = "",
    since: Since = None,
    before: Before = None,
    limit: Limit = 50,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
) -> int:
    """List the sessions, newest first.

    \b
    Examples:
      intelli list --limit 10
      intelli list --since 7d --words "rate limits" --site docs.example.com
    """
    from intelli.show.listing import sessions_text

    streams = Streams(as_json=json)
    found, total = store_at(cache_dir).newest(limit, _filter(words, site, since, before))
    if json:
        from intelli.show.documents import envelope, session_body

        bodies = [
            session_body(
                s.name,
                s.query,
                s.timestamp,
                focus=s.focus,
                engine=s.engine,
                outcome=s.outcome,
                sources=s.sources,
            )
            for s in found
        ]
        streams.document(envelope("completed", sessions=bodies, total=total))
        return 0
    rows = [(s.name, s.query, s.outcome, s.sources) for s in found]
    streams.result(sessions_text(rows, total, max_chars or DEFAULT_MAX_CHARS, with_room))
    return 0


def _filter(words: str, site: str, since: str | None, before: str | None) -> Filter | None:
    """What the list is limited to, None for nothing. Raises UsageError for a date that is none."""
    if not (words or site or since or before):
        return None
    from intelli.store.filters import Filter

    return Filter(
        words=words,
        site=site,
        since=moment_of(since, "--since") if since else None,
        before=moment_of(before, "--before") if before else None,
    )


def show(
    session: opt.SessionName,
    cache_dir: opt.CacheDir = None,
    open: Open = False,  # noqa: A002 - the option's name
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
) -> int:
    """Show a stored report.

    \b
    Examples:
      intelli show latest
      intelli show latest --open
    """
    from intelli.store.reading import load_research

    store = store_at(cache_dir)
    stored = store.open(session)
    if open:
        return _open(stored, cache_option(cache_dir))
    streams = Streams(as_json=json)
    research = load_research(stored)
    if json:
        from intelli.show.documents import research_document

        streams.document(research_document(research, store.short(stored.name)))
    elif research.report.summary:
        from intelli.report_text import pack

        text = pack(research, max_chars or DEFAULT_MAX_CHARS, cache_option(cache_dir))
        streams.markdown(text)
    else:
        raise NothingFound(
            f"{stored.name} has no report: its run ended as `{stored.outcome}`",
            code="no-report",
            hint=f"finish it with `intelli resume{cache_option(cache_dir)} {stored.name}`",
        )
    return 0


def _open(stored: StoredSession, at: str) -> int:
    """Write the session's page to the user's cache directory and hand it to the browser. Raises
    UsageError where nobody is there to see it."""
    import webbrowser

    from intelli.cli.caring import write_page
    from intelli.settings import user_dir

    if not sys.stdout.isatty():
        raise UsageError(
            "--open needs a terminal: nobody may be there to see a browser",
            code="no-terminal",
            hint=f"`intelli export{at} {stored.name}` writes the same page to a file",
        )
    target = user_dir("cache") / "pages" / f"{stored.name}.html"
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_page(stored, target)
    opened = webbrowser.open(target.as_uri())
    Streams().result(f"{target}\n" if opened else f"no browser to open: {target}\n")
    return 0
