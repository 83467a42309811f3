"""`intelli read`: a stored source in windows; always local, no network, no model."""

from __future__ import annotations

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
MATCHES = 40
"""Characters kept for the line that says how many matches there are."""

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
        return _list_sources(name, stored, streams, start or 1, budget)
    text = _text_of(ref, stored.source(number), extraction=extraction)
    command = f"intelli read {name}:{number}" + (" --extraction" if extraction else "")
    room = budget - len(_position(command, len(text), len(text), len(text))) - MATCHES
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
    streams.passage(f"{matches}{view.text.strip(NEWLINES)}\n", find)
    if view.more:
        streams.result(_position(command, view.start, view.end, view.total))
    return 0


def _position(command: str, start: int, end: int, total: int) -> str:
    """Where in its text a window is, and the command that shows what follows."""
    return f"\n[characters {start}-{end} of {total}]\n{command} --from {end}\n"


def _list_sources(
    ref: str, stored: StoredSession, streams: Streams, first: int, budget: int
) -> int:
    """The sources from number `first` on, and what else is there to read."""
    from intelli.show.listing import sources_text
    from intelli.store.layout import whole_sites

    rows = [
        (f"{ref}:{s.n}", s.status, s.title or s.url, s.url, len(s.text))
        for s in stored.sources
        if s.n >= first
    ]
    sites = [str(path) for path in whole_sites(stored.path)]
    if streams.as_json:
        from intelli.show.documents import envelope

        names = ("ref", "status", "title", "url", "chars")
        bodies = [dict(zip(names, row, strict=True)) for row in rows]
        streams.document(envelope("completed", ref=ref, sources=bodies, whole_sites=sites))
    else:
        streams.result(sources_text(ref, rows, sites, budget))
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
