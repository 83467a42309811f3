"""`intelli grep`: a pattern in everything that is stored; always local."""

from __future__ import annotations

import shlex
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from intelli.cli import options as opt
from intelli.cli.inputs import store_at, with_room
from intelli.cli.streams import DEFAULT_MAX_CHARS, Streams
from intelli.errors import NothingFound, UsageError
from intelli.settings import cache_option

if TYPE_CHECKING:
    from intelli.store import Store
    from intelli.store.grep import Match

Pattern = Annotated[
    str, typer.Argument(metavar="PATTERN", help="A regular expression, as Python writes them.")
]
Literal = Annotated[
    bool, typer.Option("-F", "--literal", help="Take the pattern as it stands, not as a regex.")
]
IgnoreCase = Annotated[bool, typer.Option("-i", "--ignore-case", help="In any case.")]
In = Annotated[
    list[str] | None,
    typer.Option(
        "--in", help="Only here: report, extractions or sources; repeatable.", metavar="PART"
    ),
]
Limit = Annotated[int, typer.Option("--limit", help="At most this many lines.", metavar="N", min=1)]


def grep(
    pattern: Pattern,
    literal: Literal = False,
    ignore_case: IgnoreCase = False,
    within: In = None,
    limit: Limit = 50,
    cache_dir: opt.CacheDir = None,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> int:
    """Find a pattern in all stored reports, extractions and sources, the newest session first.

    \b
    Examples:
      intelli grep "rate limit(s|ed)" --in sources
      intelli grep --literal "asyncio.timeout(" --json
    """
    from intelli.show.listing import matches_text
    from intelli.store.grep import PARTS
    from intelli.store.grep import grep as find
    from intelli.store.patterns import compiled

    wrong = [part for part in within or () if part not in PARTS]
    if wrong:
        raise UsageError(
            f"--in {wrong[0]!r} is none of the parts",
            code="bad-part",
            hint=f"use {', '.join(PARTS)}",
        )
    wanted = compiled(pattern, literal=literal, ignore_case=ignore_case)
    store, streams = store_at(cache_dir), Streams(as_json=json, quiet=quiet)

    found = list(islice(find(store.cache_dir, wanted, within or PARTS), limit + 1))
    if not found:
        raise NothingFound(
            f"no match of {pattern!r} in {store.cache_dir}",
            code="no-match",
            hint="try -i, or a shorter pattern",
        )
    more = len(found) > limit
    bodies = _bodies(found[:limit], store, cache_option(cache_dir))
    if json:
        from intelli.show.documents import envelope

        streams.document(envelope("completed", matches=bodies, more=more))
        return 0
    rows = [(body["ref"], body["part"], body["heading"], body["line"]) for body in bodies]
    rest = f"[more lines match; --limit {limit * 4} shows more]\n" if more else ""
    tail = f"{rest}\n{bodies[0]['next']}\n"
    streams.result(matches_text(rows, tail, max_chars or DEFAULT_MAX_CHARS, with_room))
    return 0


def _bodies(found: list[Match], store: Store, at: str) -> list[dict[str, Any]]:
    short = {name: store.short(name) for name in {match.session for match in found}}
    return [_body(match, short[match.session], at) for match in found]


def _body(match: Match, session: str, at: str) -> dict[str, Any]:
    ref = f"{session}:{match.n}" if match.n else session
    option = " --extraction" if match.part == "extractions" else ""
    reading = f"intelli read{at} {shlex.quote(ref)}{option} --from {match.start}" if match.n else ""
    return {
        "ref": ref,
        "session": match.session,
        "part": match.part,
        "heading": match.heading,
        "line": match.line,
        "number": match.number,
        "start": match.start,
        "next": reading or f"intelli show{at} {shlex.quote(session)}",
    }
