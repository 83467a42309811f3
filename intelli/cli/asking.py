"""A research run as the command line asks for it, from its session to what is printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intelli.asking import Request, changes_since, open_run, reused
from intelli.cli.streams import DEFAULT_MAX_CHARS, NOT_SAVED_EXIT, UNVERIFIED_EXIT, Streams
from intelli.errors import RunError, StoreError
from intelli.records import Research

if TYPE_CHECKING:
    from intelli.changes import Difference
    from intelli.toolbox import Toolbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Request):
    """A research run as the command line asks for it, and how its result is to be shown."""

    streams: Streams
    strict: bool = False
    max_chars: int = DEFAULT_MAX_CHARS
    output: Path | None = None

    @classmethod
    def of(cls, request: Request, *, streams: Streams, **shown: Any) -> Asked:
        """The request with how its result is to be shown."""
        known = {field.name: getattr(request, field.name) for field in fields(request)}
        return cls(**known, streams=streams, **shown)


def carry_out(asked: Asked) -> int:
    """Run it, print what came of it, and return the exit code."""
    kept = reused(asked)
    if kept is not None:
        asked.streams.say(f"reusing {kept.session} of {kept.timestamp}")
        return print_result(asked, kept)
    from intelli.cli.running import with_toolbox

    _say_what_is_used(asked)

    async def work(tools: Toolbox) -> Research:
        run = await open_run(asked, tools)
        return await run(asked.timeout)

    try:
        done = with_toolbox(asked.settings, asked.job, asked.streams, work)
    except RunError as error:
        if error.research:
            print_failure(asked, error.research, error)
        raise
    return print_result(asked, done, changes=changes_since(asked, done))


def _say_what_is_used(asked: Asked) -> None:
    """Once, before there is any session: that no key was needed, and what one would change."""
    settings = asked.settings
    is_chosen = settings.origins["engine"] != "default" or settings.engine == "llm"
    is_there = os.path.exists(settings.cache_dir)  # noqa: PTH110 - raises nothing
    if not is_chosen and not is_there:
        asked.streams.say(
            "no key is set: the embedded engine writes the report; "
            "`intelli doctor` says what a key adds"
        )


def print_result(
    asked: Asked,
    done: Research,
    *,
    changes: Difference | None = None,
    instead: str = "",
    facts: Mapping[str, object] | None = None,
) -> int:
    """Print a finished run, or `instead` of its report, which only `-o` then has; `facts` stand in
    the document. The exit code."""
    from intelli.report_text import FLAGGED, pack
    from intelli.saving import NOT_SAVED
    from intelli.show.difference import changes_body, changes_line
    from intelli.show.documents import research_document
    from intelli.show.plain import closing_line

    at = asked.settings.cache_option
    flagged = asked.strict and any(c.status in FLAGGED for c in done.report.claims)
    if flagged and done.outcome == "completed":
        done = replace(done, outcome="unverified")
    if asked.streams.as_json:
        document = {**research_document(done, _short(asked, done)), **(facts or {})}
        if changes:
            document["changes"] = changes_body(changes, at)
        asked.streams.document(document, file=asked.output)
    else:
        text = instead or pack(done, asked.max_chars, at)
        asked.streams.markdown(text, file=asked.output, whole=pack(done, sys.maxsize))
    if done.outcome == NOT_SAVED:
        problem = next(reversed(done.warnings), "the run is not saved")
        asked.streams.error(StoreError(problem, code=NOT_SAVED))
    asked.streams.say(closing_line(done))
    if changes:
        asked.streams.say(f"{changes_line(changes)} · intelli diff{at} {done.session}")
    if done.outcome == NOT_SAVED or asked.streams.unsaved:
        return NOT_SAVED_EXIT
    return UNVERIFIED_EXIT if flagged else 0


def _short(asked: Asked, research: Research) -> str:
    """What refs call the session, "" where nothing is stored."""
    from intelli.store import Store

    return Store(asked.settings.cache_dir).short(research.session) if research.session else ""


def print_failure(asked: Asked, known: Research, error: RunError) -> None:
    """What is known of a run that ended without a report."""
    from intelli.show.documents import research_document
    from intelli.show.plain import closing_line

    if asked.streams.as_json:
        document = research_document(known, _short(asked, known), error)
        asked.streams.document(document, file=asked.output)
        error.document_printed = True
    elif known.session:
        asked.streams.say(closing_line(known))
