"""What is stored: `intelli list`, `show` and `read`; always local, no network, no model."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from intelli.cli import options as opt
from intelli.cli.inputs import store_at
from intelli.cli.streams import DEFAULT_MAX_CHARS, Streams
from intelli.errors import NothingFound, UsageError

if TYPE_CHECKING:
    from intelli.store import StoredSession, StoredSource
    from intelli.store.packing import Window

NEWLINES = "\n"
NOTE = 80
"""Characters kept for the line that says where in the text a window is."""

Ref = Annotated[
    str, typer.Argument(metavar="REF", help="SESSION:N, or a session to list its sources.")
]
Find = Annotated[
    str | None, typer.Option("--find", help="Show the first place with this text.", metavar="TEXT")
]
From = Annotated[
    int | None, typer.Option("--from", help="Start at this character.", metavar="OFFSET", min=0)
]
Section = Annotated[
    str | None, typer.Option("--section", help="Show what stands under this heading.")
]
Extraction = Annotated[
    bool, typer.Option("--extraction", help="Read what was kept instead of the whole page.")
]
Open = Annotated[
    bool, typer.Option("--open", help="Open it in the browser, with the stored passages.")
]
Limit = Annotated[int, typer.Option("--limit", help="At most this many.", metavar="N", min=1)]


def list_sessions(
    cache_dir: opt.CacheDir = None,
    limit: Limit = 50,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
) -> int:
    """List the sessions, newest first.

    \b
    Example:
      intelli list --limit 10
    """
    from intelli.show.listing import sessions_text

    found = store_at(cache_dir).sessions()
    streams = Streams(as_json=json)
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
            for s in found[:limit]
        ]
        streams.document(envelope("completed", sessions=bodies, total=len(found)))
        return 0
    rows = [(s.name, s.query, s.outcome, s.sources) for s in found[:limit]]
    streams.result(sessions_text(rows, len(found), max_chars or DEFAULT_MAX_CHARS))
    return 0


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
        return _open(stored)
    streams = Streams(as_json=json)
    research = load_research(stored)
    if json:
        from intelli.show.documents import research_document

        streams.document(research_document(research, store.short(stored.name)))
    elif research.report.summary:
        from intelli.report_text import pack

        streams.markdown(pack(research, max_chars or DEFAULT_MAX_CHARS))
    else:
        raise NothingFound(
            f"{stored.name} has no report: its run ended as `{stored.outcome}`",
            code="no-report",
            hint=f"finish it with `intelli resume {stored.name}`",
        )
    return 0


def _open(stored: StoredSession) -> int:
    """Write the session's page to the user's cache directory and hand it to the browser. Raises
    UsageError where nobody is there to see it."""
    import webbrowser

    from intelli.cli.caring import write_page
    from intelli.settings import user_dir

    if not sys.stdout.isatty():
        raise UsageError(
            "--open needs a terminal: nobody may be there to see a browser",
            code="no-terminal",
            hint=f"`intelli export {stored.name}` writes the same page to a file",
        )
    target = user_dir("cache") / "pages" / f"{stored.name}.html"
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_page(stored, target)
    opened = webbrowser.open(target.as_uri())
    Streams().result(f"{target}\n" if opened else f"no browser to open: {target}\n")
    return 0


def read(
    ref: Ref,
    find: Find = None,
    start: From = None,
    section: Section = None,
    extraction: Extraction = False,
    cache_dir: opt.CacheDir = None,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
) -> int:
    """Read a stored source, a window at a time; of a session, list its sources.

    \b
    Examples:
      intelli read latest:1
      intelli read latest:1 --find "rate limit"
      intelli read 3f7a2c:2 --section Configuration --extraction
    """
    from intelli.store import LATEST, parse_ref

    if sum(option is not None for option in (find, start, section)) > 1:
        raise UsageError(
            "--find, --from and --section exclude each other", code="usage", hint="give one"
        )
    name, number = parse_ref(ref)
    store = store_at(cache_dir)
    stored = store.open(name)
    if name == LATEST:  # may be another one by the next command
        name = store.short(stored.name)
    streams = Streams(as_json=json)
    budget = max_chars or DEFAULT_MAX_CHARS
    if number is None:
        return _list_sources(name, stored, streams, budget)
    text = _text_of(ref, stored.source(number), extraction=extraction)
    command = f"intelli read {name}:{number}" + (" --extraction" if extraction else "")
    room = budget - len(command) - NOTE
    view = _view(text, find=find, start=start or 0, section=section, room=room)
    following = f"{command} --from {view.end}" if view.more else None
    if json:
        from intelli.show.documents import envelope

        body: dict[str, Any] = {
            "ref": ref,
            "text": view.text,
            "start": view.start,
            "end": view.end,
            "total": view.total,
            "more": view.more,
            "next": following,
        }
        if find is not None:
            body["matches"] = view.matches
        streams.document(envelope("completed", **body))
        return 0
    several = "" if view.matches == 1 else f"[{view.matches} matches; the first:]\n"
    matches = several if find is not None else ""
    streams.result(f"{matches}{view.text.strip(NEWLINES)}\n")
    if following:
        streams.result(f"\n[characters {view.start}-{view.end} of {view.total}]\n{following}\n")
    return 0


def _list_sources(ref: str, stored: StoredSession, streams: Streams, budget: int) -> int:
    from intelli.show.listing import sources_text

    rows = [
        (f"{ref}:{s.n}", s.status, s.title or s.url, s.url, len(s.text)) for s in stored.sources
    ]
    if streams.as_json:
        from intelli.show.documents import envelope

        names = ("ref", "status", "title", "url", "chars")
        bodies = [dict(zip(names, row, strict=True)) for row in rows]
        streams.document(envelope("completed", ref=ref, sources=bodies))
    else:
        streams.result(sources_text(rows, budget))
    return 0


def _text_of(ref: str, source: StoredSource, *, extraction: bool) -> str:
    """The whole stored file; offsets into it are those of evidence."""
    text = source.extraction if extraction else source.text
    if not text:
        what = "extraction" if extraction else "page"
        raise NothingFound(
            f"{ref} has no stored {what}: it is `{source.status}`",
            code="no-text",
            hint=f"intelli read {ref.rpartition(':')[0]} lists the sources",
        )
    return text


def _view(text: str, *, find: str | None, start: int, section: str | None, room: int) -> Window:
    """The window that was asked for. Raises NothingFound when it is not in the text."""
    from intelli.store import packing

    if find is not None:
        found = packing.find(text, find, room)
        if found is None:
            raise NothingFound(
                f"not in the stored text: {find!r}", code="no-match", hint="try a shorter text"
            )
        return found
    if section is not None:
        part = packing.section(text, section)
        if part is None:
            raise NothingFound(
                f"no heading {section!r} in the stored text",
                code="no-section",
                hint="--find TEXT looks for any words",
            )
        return part if len(part.text) <= room else packing.window(text, part.start, room)
    if start > len(text):
        raise UsageError(
            f"--from {start} is past the end at {len(text)}", code="bad-offset", hint="start at 0"
        )
    return packing.window(text, start, room)
