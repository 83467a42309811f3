"""`intelli read`: a stored source in windows; always local, no network, no model."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from intelli.cli import options as opt
from intelli.cli.inputs import store_at
from intelli.cli.streams import DEFAULT_MAX_CHARS, Streams
from intelli.errors import NothingFound, UsageError
from intelli.records import record
from intelli.settings import cache_option
from intelli.show.text import line

if TYPE_CHECKING:
    from intelli.store import StoredSession, StoredSource
    from intelli.store.packing import Window

LEAST = 20
"""Characters of a text that a window must have room for."""
NOTE = 60
"""Characters kept for the line about matches or sections."""
HEADINGS = 6
"""Headings that are named where the one asked for is missing."""

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


@record
class _Wanted:
    """What is to be read, and the command that reads it."""

    command: str
    find: str | None
    section: str | None
    start: int
    budget: int


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
    from intelli.store import parse_ref

    _check(find, start, section)
    name, number = parse_ref(ref)
    store = store_at(cache_dir)
    stored = store.open(name)
    if name != stored.name:  # another session may be meant by the next command
        name = store.short(stored.name)
    streams = Streams(as_json=json)
    budget = max_chars or DEFAULT_MAX_CHARS
    command = f"intelli read{cache_option(cache_dir)} {shlex.quote(name)}"
    if number is None:
        if find is not None or section is not None or extraction:
            raise UsageError(
                f"{name} is a session: --find, --section and --extraction are for one source",
                code="usage",
                hint=f"name one, such as {name}:1; `intelli grep` looks through all",
            )
        return _list_sources(name, command, stored, streams, start or 1, budget)
    ref, command = f"{name}:{number}", f"{command}:{number}{' --extraction' * extraction}"
    text = _text_of(ref, stored.source(number), extraction=extraction)
    wanted = _Wanted(command=command, find=find, section=section, start=start or 0, budget=budget)
    note, view = _view(text, wanted)
    _print(note, view, wanted, ref, streams)
    return 0


def _check(find: str | None, start: int | None, section: str | None) -> None:
    """Raises UsageError for options that say nothing, or that do not go together."""
    if sum(option is not None for option in (find, start, section)) > 1:
        raise UsageError(
            "--find, --from and --section exclude each other", code="usage", hint="give one"
        )
    for name, text in (("--find", find), ("--section", section)):
        if text is not None and not text.strip():
            raise UsageError(f"{name} is empty", code="usage", hint="say what to look for")


def _print(note: str, view: Window, wanted: _Wanted, ref: str, streams: Streams) -> None:
    following = _following(wanted, view.end) if view.more else None
    if streams.as_json:
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
        if wanted.find is not None:
            body["matches"] = len(view.hits)
        streams.document(envelope("completed", **body))
        return
    rest = f"{_position(view.start, view.end, view.total)}\n{following}\n" if following else ""
    streams.passage(note, view.text, _inside(view), rest)


def _inside(view: Window) -> Iterable[tuple[int, int]]:
    """The hits that can be seen, counted from the beginning of the window."""
    for start, end in view.hits:
        if start < view.end and end > view.start:
            yield max(start - view.start, 0), min(end, view.end) - view.start


def _following(wanted: _Wanted, end: int) -> str:
    return f"{wanted.command} --from {end}"


def _position(start: int, end: int, total: int) -> str:
    return f"[characters {start}-{end} of {total}]"


def _list_sources(
    ref: str, command: str, stored: StoredSession, streams: Streams, first: int, budget: int
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
        streams.result(sources_text(command, rows, sites, budget))
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


def _view(text: str, wanted: _Wanted) -> tuple[str, Window]:
    """What is said above the window that was asked for, and the window. Raises NothingFound when
    it is not in the text, UsageError when there is no room for it."""
    from intelli.store.packing import window

    size = len(text)
    room = wanted.budget - len(f"\n{_position(size, size, size)}\n{_following(wanted, size)}\n")
    if room < LEAST + NOTE:
        raise UsageError(
            f"--max-chars {wanted.budget} leaves no room beside the command that reads on",
            code="usage",
            hint=f"give it {wanted.budget - room + 10 * LEAST}",
        )
    if wanted.find is not None:
        return _found(text, wanted.find, room - NOTE)
    if wanted.section is not None:
        return _section(text, wanted.section, room - NOTE)
    if wanted.start > size:
        raise UsageError(
            f"--from {wanted.start} is past the end at {size}", code="bad-offset", hint="start at 0"
        )
    is_rest = size - wanted.start < wanted.budget
    return "", window(text, wanted.start, wanted.budget if is_rest else room)


def _found(text: str, find: str, room: int) -> tuple[str, Window]:
    from intelli.store.packing import find as first_of

    view = first_of(text, find, room)
    if view is None:
        raise NothingFound(
            f"not in the stored text: {find[:200]!r}", code="no-match", hint="try a shorter text"
        )
    several = len(view.hits) > 1
    return (f"[{len(view.hits)} matches; the first:]\n" if several else ""), view


def _section(text: str, heading: str, room: int) -> tuple[str, Window]:
    from intelli.store.packing import headings, sections, window

    found = sections(text, heading)
    if not found:
        raise NothingFound(
            f"no heading {heading[:200]!r} in the stored text",
            code="no-section",
            hint=_near(heading, headings(text)),
        )
    view = found[0]
    several = f"[{len(found)} sections; the next: --from {found[1].start}]\n" if found[1:] else ""
    return several, view if len(view.text) <= room else window(text, view.start, room)


def _near(heading: str, there: list[str]) -> str:
    """Headings that may have been meant, else the first ones there are."""
    from difflib import get_close_matches

    if not there:
        return "it has no headings; --find TEXT looks for any words"
    by_words = {each.casefold(): each for each in reversed(there)}
    near = get_close_matches(heading.casefold(), by_words, n=HEADINGS, cutoff=0.5)
    names = [by_words[each] for each in near] or there[:HEADINGS]
    listed = ", ".join(repr(line(each, 60)) for each in names)
    return f"near: {listed}" if near else f"there are {listed}{' …' * (len(there) > HEADINGS)}"
