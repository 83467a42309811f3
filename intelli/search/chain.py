"""Stage 1: asks the backends in turn or side by side until there are usable links."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from intelli.errors import NoLinks
from intelli.events import Emit, Warned
from intelli.records import Answer, Query
from intelli.search.race import Fate, Found, Race, Source
from intelli.search.refusals import RefusedError
from intelli.search.rules import fuse, select

AT_ONCE_IN_FAMILY, AT_ONCE = 2, 4
LONGEST_WAIT = 60.0
"""Seconds that are waited for a service which is the last hope, when the deadline allows it."""
REPEAT = 1.0
"""The same for a service that failed for a moment and did not say how long."""


class Search:
    """`sources` in their order, and then those of `fallback`, within `limit` seconds in all.

    With `thorough` two of a family are asked at once, four in all, and their links fused into one
    ranking; one that fails makes room for the next.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        *,
        fallback: Sequence[Source] = (),
        limit: float,
        thorough: bool = False,
    ) -> None:
        self._sources = sources
        self._fallback = fallback
        self._limit = limit
        self._thorough = thorough

    async def __call__(self, query: Query, emit: Emit) -> Answer:
        """At most twice `query.urls` links, ranked from 1.

        A backend that fails or finds nothing is named in a warning. Raises NoLinks when none had
        a usable link in time; a UsageError or another RunError ends the search at once.
        """
        async with Race(query, emit, self._limit) as race:
            if self._thorough:
                answer = await _side_by_side(self._sources, race, query)
            else:
                answer = await _in_turn(self._sources, race, after=len(self._fallback))
            if answer is None and self._fallback:
                names = ", ".join(source.name for source in self._sources)
                emit(Warned(message=f"nothing from {names}, searching the web instead"))
                answer = await _in_turn(self._fallback, race)
            answer = answer or await _last_hope(race)
            if answer is None:
                race.too_late()
                raise _no_links(race.fates)
            return answer


async def _in_turn(sources: Sequence[Source], race: Race, after: int = 0) -> Answer | None:
    """The first answer. Each backend has an equal part of the time that is left, with `after`
    more to come; one that is slower is not given up, but the next one asked beside it."""
    waiting = deque(sources)
    newest: Source | None = None
    while waiting or race.running:
        if waiting and newest not in race.running:
            newest = waiting.popleft()
            race.start(newest)
        outcome = await race.outcome(race.left / (len(waiting) + after + 1))
        if isinstance(outcome, Found):
            return outcome.answer
        if outcome is None and not waiting:
            return None
        if outcome is None:
            newest = waiting.popleft()
            race.hedge(newest)
    return None


async def _side_by_side(sources: Sequence[Source], race: Race, query: Query) -> Answer | None:
    waiting = list(sources)
    found: list[Found] = []
    while True:
        for source in list(waiting):
            if _has_room(source, [*race.running, *(one.source for one in found)]):
                waiting.remove(source)
                race.start(source)
        outcome = await race.outcome(race.left) if race.running else None
        if outcome is None:
            break
        if isinstance(outcome, Found):
            found.append(outcome)
    if not found:
        return None
    race.too_late()
    order = [source.name for source in sources]
    answers = [one.answer for one in sorted(found, key=lambda one: order.index(one.source.name))]
    return Answer(
        links=select(fuse([answer.links for answer in answers]), query),
        text="\n\n".join(answer.text for answer in answers if answer.text),
        backend=", ".join(answer.backend for answer in answers),
    )


def _has_room(source: Source, taken: Sequence[Source]) -> bool:
    of_family = sum(other.family == source.family for other in taken)
    return of_family < AT_ONCE_IN_FAMILY and len(taken) < AT_ONCE


async def _last_hope(race: Race) -> Answer | None:
    """Nobody had an answer: the backend that may have one soonest is asked once more."""
    refused = [fate for fate in race.fates if _wait_of(fate) is not None]
    if race.running or not refused:
        return None
    soonest = min(refused, key=lambda fate: _wait_of(fate) or 0.0)
    delay = _wait_of(soonest) or 0.0
    if delay >= min(race.left, LONGEST_WAIT):
        return None
    await asyncio.sleep(delay)
    race.start(soonest.source)
    outcome = await race.outcome(race.left)
    return outcome.answer if isinstance(outcome, Found) else None


def _wait_of(fate: Fate) -> float | None:
    """Seconds until a backend may answer, None when it will not: a bot check is no delay."""
    error = fate.error
    if not isinstance(error, RefusedError) or error.code == "challenge":
        return None
    return REPEAT if error.retry_after is None else error.retry_after


def _no_links(fates: Sequence[Fate]) -> NoLinks:
    if not fates:
        return NoLinks("no usable link: there is no backend to ask", code="no-links")
    errors = [fate.error for fate in fates if fate.error]
    hints = [error.hint for error in errors if error.hint]
    return NoLinks(
        "no usable link: " + "; ".join(dict.fromkeys(map(str, fates))),
        code="no-links",
        hint=hints[0] if hints else _next_step(fates),
        retryable=any(error.retryable for error in errors),
    )


def _next_step(fates: Sequence[Fate]) -> str:
    if all(fate.source.name == "docs" for fate in fates):
        return "ask in other words, or name other files with --docs"
    if all(fate.error for fate in fates):
        return "try again later, or name another --backend"
    return "ask in other words, or name another --backend"
