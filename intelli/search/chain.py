"""Stage 1: asks the backends in order until one has usable links."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from intelli.errors import BackendError, NoLinks, RunError
from intelli.events import Emit, LinksFound, Warned
from intelli.records import Answer, Query
from intelli.search.backend import Backend
from intelli.search.rules import fuse, select


async def search(query: Query, backends: Sequence[Backend], emit: Emit) -> Answer:
    """The first answer with a usable link: at most twice `query.urls`, ranked from 1.

    A backend that fails or finds nothing is named in a warning and the next one asked. Raises
    NoLinks when none is left; a UsageError or another RunError ends the search at once.
    """
    fates: list[_Fate] = []
    for backend in backends:
        outcome = await _ask(backend, query)
        if isinstance(outcome, Answer):
            emit(LinksFound(backend=backend.name, links=len(outcome.links)))
            return outcome
        fates.append(outcome)
        follows = len(fates) < len(backends)
        emit(Warned(message=f"{outcome}{', trying the next backend' if follows else ''}"))
    raise _no_links(fates)


async def search_all(query: Query, backends: Sequence[Backend], emit: Emit) -> Answer:
    """All backends at once, their links fused into one ranking; otherwise like `search`."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_ask(backend, query)) for backend in backends]
    except* RunError as errors:
        raise errors.exceptions[0] from None
    outcomes = [task.result() for task in tasks]
    answers = [outcome for outcome in outcomes if isinstance(outcome, Answer)]
    fates = [outcome for outcome in outcomes if isinstance(outcome, _Fate)]
    for answer in answers:
        emit(LinksFound(backend=answer.backend, links=len(answer.links)))
    for fate in fates:
        emit(Warned(message=str(fate)))
    if not answers:
        raise _no_links(fates)
    return Answer(
        links=select(fuse([answer.links for answer in answers]), query),
        text="\n\n".join(answer.text for answer in answers if answer.text),
        backend=", ".join(answer.backend for answer in answers),
    )


class _Fate:
    """Why a backend gave nothing."""

    def __init__(self, name: str, reason: str, error: BackendError | None = None) -> None:
        self.name = name
        self.reason = reason
        self.error = error

    def __str__(self) -> str:
        return f"{self.name} {self.reason}"


async def _ask(backend: Backend, query: Query) -> Answer | _Fate:
    try:
        answer = await backend.search(query)
    except BackendError as error:
        return _Fate(backend.name, f"failed: {error.message}", error)
    if not answer.links:
        return _Fate(backend.name, "found nothing")
    links = select(answer.links, query)
    if not links:
        return _Fate(backend.name, f"gave {len(answer.links)} links, none of them allowed")
    return replace(answer, links=links, backend=backend.name)


def _no_links(fates: Sequence[_Fate]) -> NoLinks:
    if not fates:
        return NoLinks("no usable link: there is no backend to ask", code="no-links")
    errors = [fate.error for fate in fates if fate.error]
    hints = [error.hint for error in errors if error.hint]
    return NoLinks(
        "no usable link: " + "; ".join(str(fate) for fate in fates),
        code="no-links",
        hint=hints[0] if hints else _next_step(fates),
        retryable=any(error.retryable for error in errors),
    )


def _next_step(fates: Sequence[_Fate]) -> str:
    if all(fate.name == "docs" for fate in fates):
        return "ask in other words, or name other files with --docs"
    return "ask in other words, or name another --backend"
