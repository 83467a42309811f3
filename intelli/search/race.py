"""Backends that are asked side by side, within one deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from intelli.errors import BackendError
from intelli.events import Emit, LinksFound, Warned
from intelli.records import Answer, Query
from intelli.search.backend import Backend, Family
from intelli.search.refusals import RefusedError
from intelli.search.rules import select

FAREWELL = 0.5
"""Seconds that a cancelled request gets to close its connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A backend and what it searches."""

    backend: Backend
    family: Family = "web"

    @property
    def name(self) -> str:
        return self.backend.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """Why a backend gave nothing; `error` is None where it found nothing."""

    source: Source
    reason: str
    error: BackendError | None = None

    def __str__(self) -> str:
        return f"{self.source.name} {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Usable links of a backend."""

    source: Source
    answer: Answer


class Race:
    """Questions under way. Leaving the block cancels what is still running."""

    def __init__(self, query: Query, emit: Emit, seconds: float) -> None:
        self._query = query
        self._emit = emit
        self._end = asyncio.get_running_loop().time() + seconds
        self._running: dict[asyncio.Task[Found | Fate], Source] = {}
        self.seconds = seconds
        self.fates: list[Fate] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for task in self._running:
            task.cancel()
        if self._running:
            # Not for longer: a transport that ignores the signal must not hold the answer back.
            done, _ = await asyncio.wait(self._running, timeout=FAREWELL)
            for task in done:
                if not task.cancelled():
                    task.exception()  # looked at, so that nobody reports it as forgotten

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return max(0.0, self._end - asyncio.get_running_loop().time())

    @property
    def running(self) -> Sequence[Source]:
        return tuple(self._running.values())

    def start(self, source: Source) -> None:
        """Ask a backend."""
        self._running[asyncio.create_task(_ask(source, self._query))] = source

    async def outcome(self, seconds: float) -> Found | Fate | None:
        """The next backend that is done, None when none is within `seconds` and the deadline.

        A failure is said and kept in `fates`. Raises RunError where one of them did."""
        done, _ = await asyncio.wait(
            self._running,
            timeout=min(seconds, self.left),
            return_when=asyncio.FIRST_COMPLETED,
        )
        if not done:
            return None
        task = next(task for task in self._running if task in done)
        source = self._running.pop(task)
        cancelled = Fate(source=source, reason="was cut short")
        outcome = cancelled if task.cancelled() else task.result()
        if isinstance(outcome, Fate):
            self.fates.append(outcome)
            self._emit(Warned(message=str(outcome)))
        else:
            answer = outcome.answer
            self._emit(LinksFound(backend=source.name, links=len(answer.links), age_s=answer.age_s))
        return outcome

    def hedge(self, source: Source) -> None:
        """Ask a backend beside those that are slow."""
        names = ", ".join(slow.name for slow in self.running)
        self._emit(Warned(message=f"no answer from {names} yet, asking {source.name} as well"))
        self.start(source)

    def too_late(self) -> None:
        """Give up what is still running: the deadline is over."""
        for task, source in self._running.items():
            task.cancel()
            reason = f"gave no answer within {self.seconds:g} s"
            error = BackendError(reason, code="timeout", retryable=True)
            self.fates.append(Fate(source=source, reason=reason, error=error))
            self._emit(Warned(message=str(self.fates[-1])))


async def _ask(source: Source, query: Query) -> Found | Fate:
    try:
        answer = await source.backend.search(query)
        links = select(answer.links, query)
    except BackendError as error:
        return Fate(source=source, reason=f"failed: {error.message}", error=error)
    except TimeoutError:
        late = BackendError("it took too long", code="timeout", retryable=True)
        return Fate(source=source, reason="failed: it took too long", error=late)
    except (LookupError, ValueError, TypeError, AttributeError, RecursionError) as fault:
        # What a reader of foreign answers stumbles over costs its backend, not the search.
        kind = type(fault).__name__
        odd = RefusedError(f"its answer could not be read ({kind})", code="bad-answer")
        return Fate(source=source, reason=f"failed: {odd.message}", error=odd)
    if not answer.links:
        return Fate(source=source, reason="found nothing")
    if not links:
        reason = f"gave {len(answer.links)} links, none of them allowed"
        return Fate(source=source, reason=reason)
    return Found(source=source, answer=replace(answer, links=links, backend=source.name))
