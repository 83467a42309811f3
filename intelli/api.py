"""A run for a program: `await research("…")`, or `research_sync("…")` where nothing is awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Unpack

from intelli.errors import Interrupted
from intelli.events import Event
from intelli.inputs import Options
from intelli.records import Research


def _silent(event: Event) -> None:
    """Who is told nothing."""


async def research(
    query: str, *, on_event: Callable[[Event], None] = _silent, **options: Unpack[Options]
) -> Research:
    """The five stages for `query`, as `intelli research` runs them: with the settings of the
    working directory, and a session on disk. `on_event` hears what happens while it runs.

    Raises UsageError for a wrong option or setting before anything is asked, and RunError for a run
    that ended early: its `research` is what is known, its `hint` how to go on. Cancelling the task
    ends the run in order; what was done is kept.
    """
    from intelli.asking import carry_out, request_of

    try:
        return await carry_out(request_of(query, options), on_event)
    except Interrupted:
        task = asyncio.current_task()
        if task and task.cancelling():
            raise asyncio.CancelledError from None
        raise


def research_sync(
    query: str, *, on_event: Callable[[Event], None] = _silent, **options: Unpack[Options]
) -> Research:
    """`research` for code that awaits nothing, in a notebook too: it blocks until the report is
    there, in a thread of its own, where `on_event` is called."""
    with ThreadPoolExecutor(1, "intelli") as pool:
        work = pool.submit(_run, query, on_event, options)
        return work.result()


def _run(query: str, on_event: Callable[[Event], None], options: Options) -> Research:
    return asyncio.run(research(query, on_event=on_event, **options))
