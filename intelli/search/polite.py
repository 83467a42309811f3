"""What every service is owed: its turns, its pauses, and no request into a lock-out."""

from __future__ import annotations

from dataclasses import replace

from intelli.errors import BackendError
from intelli.records import Answer, Query
from intelli.search.backend import Backend
from intelli.search.pacing import PATIENCE, Pacer, span
from intelli.search.refusals import RefusedError

COOLDOWN = 30.0
"""Seconds that a service is left alone which refuses for its limits without saying how long."""


class Polite:
    """A backend that is asked in its turns, and not at all while it is to be left alone.

    `hint` is what the user can do about its limits; `final`: a refusal has been retried already,
    as calls to models are, and is not retried again.
    """

    def __init__(
        self, backend: Backend, pacer: Pacer, *, hint: str = "", final: bool = False
    ) -> None:
        self._backend = backend
        self._pacer = pacer
        self._hint = hint
        self._final = final

    @property
    def name(self) -> str:
        return self._backend.name

    async def search(self, query: Query) -> Answer:
        """Raises BackendError; `paused` without a request. A pause of at most PATIENCE seconds is
        waited out and the request repeated once."""
        try:
            return await self._ask(query)
        except RefusedError as error:
            delay = error.retry_after
            if self._final:
                raise _last_word(error) from error.__cause__
            if error.code in ("paused", "challenge") or delay is None or delay > PATIENCE:
                raise
        return await self._ask(query)

    async def _ask(self, query: Query) -> Answer:
        async with self._pacer.turn():
            try:
                answer = await self._backend.search(query)
            except BackendError as error:
                raise self._noted(error) from error.__cause__
        self._pacer.answered()
        return answer

    def _noted(self, error: BackendError) -> BackendError:
        """The error, after the pause that it asks for has begun."""
        if error.code == "challenge":
            seconds = self._pacer.challenged()
            error.message = f"{error.message} and is left alone for {span(seconds)}"
            error.hint = error.hint or self._hint
        elif isinstance(error, RefusedError):
            if error.code == "rate-limit":
                error.hint = error.hint or self._hint
                error.retry_after = COOLDOWN if error.retry_after is None else error.retry_after
            if error.retry_after is not None:
                self._pacer.pause(error.retry_after)
        return error


def _last_word(error: RefusedError) -> BackendError:
    """The same without a promise that asking again soon may help."""
    return BackendError(error.message, code=error.code, hint=error.hint, retryable=error.retryable)


class Widening:
    """A backend whose `site:` words shut all other sites out, while a preferred domain is to come
    first, not alone: where that brings too little, it is asked once more without them."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    @property
    def name(self) -> str:
        return self._backend.name

    async def search(self, query: Query) -> Answer:
        """Raises BackendError when nothing was found before it."""
        answer = await self._backend.search(query)
        if not query.domains or query.only_domains or len(answer.links) >= query.urls:
            return answer
        try:
            others = await self._backend.search(replace(query, domains=()))
        except BackendError:
            if not answer.links:
                raise
            return answer
        links = (*answer.links, *others.links)
        return replace(
            answer, links=tuple(replace(link, rank=n) for n, link in enumerate(links, 1))
        )
