"""`intelli diff`: two stored sessions side by side; always local."""

from __future__ import annotations

from typing import Annotated

import typer

from intelli.cli import options as opt
from intelli.cli.inputs import store_at, with_room
from intelli.cli.streams import DEFAULT_MAX_CHARS, Streams
from intelli.errors import NothingFound
from intelli.settings import cache_option

Sessions = Annotated[
    list[str],
    typer.Argument(
        metavar="A [B]", help="The earlier and the later session; one alone: its earlier run."
    ),
]


def diff(
    sessions: Sessions,
    cache_dir: opt.CacheDir = None,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
) -> int:
    """What changed from one session to another: statements, pages, conflicts.

    \b
    Examples:
      intelli diff latest
      intelli diff 2026-04-19-d1-row-limit-3f7a2c.1 2026-04-19-d1-row-limit-3f7a2c
    """
    from intelli.compare.sessions import difference
    from intelli.errors import UsageError
    from intelli.show.difference import difference_body, difference_text

    if len(sessions) > 2:
        raise UsageError("diff compares two sessions", code="usage", hint="name one or two")
    store, at = store_at(cache_dir), cache_option(cache_dir)
    later = store.open(sessions[-1])
    earlier = store.open(sessions[0]) if len(sessions) == 2 else store.earlier(later)
    if earlier is None:
        raise NothingFound(
            f"{later.name} has no earlier run of the same question",
            code="no-earlier-run",
            hint="name two sessions: intelli diff A B",
        )
    for session in (earlier, later):
        if not session.report:
            raise NothingFound(
                f"{session.name} has no report: its run ended as `{session.outcome}`",
                code="no-report",
                hint=f"finish it with `intelli resume{at} {session.name}`",
            )
    short = {session.name: store.short(session.name) for session in (earlier, later)}
    found = difference(earlier, later, short)
    streams = Streams(as_json=json)
    if json:
        from intelli.show.documents import envelope

        streams.document(envelope("completed", **difference_body(found, at)))
    else:
        streams.result(difference_text(found, max_chars or DEFAULT_MAX_CHARS, with_room, at))
    return 0
