"""Many questions, a few at a time: one budget for all, and a document for each as it is done."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast, get_type_hints

from intelli.errors import IntelliError, RunError, UsageError, first_of
from intelli.events import Event
from intelli.inputs import Options, question_of
from intelli.records import Research, record

REUSED = "1d"
"""What is answered already is not asked again for this long, so that a batch can be continued."""
MOST = 100_000


@record
class Question:
    """One line of the file, counted from 1."""

    line: int
    text: str
    options: Options


@record
class Done:
    """What came of a question; `research` is what is known of one that failed, if it began."""

    question: Question
    research: Research | None = None
    error: IntelliError | None = None

    @property
    def exit_code(self) -> int:
        if self.error is None:
            return 0
        return self.error.exit_code if isinstance(self.error, RunError) else 1


def questions_of(lines: Iterable[str], common: Options) -> Iterator[Question]:
    """A question a line, as it stands or as a JSON object with `query` and options of its own over
    the `common` ones; blank lines and those that begin with `#` say nothing. Raises UsageError that
    names the line."""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if number > MOST:
            raise UsageError(f"more than {MOST} lines", code="too-many-queries", hint="split them")
        own = _object(text, number) if text.startswith("{") else {"query": text}
        query = question_of(str(own.pop("query", "")))
        yield Question(line=number, text=query, options=cast(Options, {**common, **own}))


def _object(text: str, number: int) -> dict[str, Any]:
    known = {"query", *get_type_hints(Options)}
    try:
        found = json.loads(text)
    except ValueError as error:
        raise UsageError(f"line {number} is no JSON: {error}", code="bad-line") from error
    if not isinstance(found, dict) or not isinstance(found.get("query"), str):
        raise UsageError(
            f"line {number} has no `query`",
            code="bad-line",
            hint='write {"query": "…", "focus": "…"}, or the question alone',
        )
    unknown = sorted(set(found) - known)
    if unknown:
        raise UsageError(
            f"line {number}: there is no option {unknown[0]!r}",
            code="bad-line",
            hint=f"there are {', '.join(sorted(known))}",
        )
    return found


class Batch:
    """Runs questions, at most `jobs` at a time; together they never pass `budget` dollars."""

    def __init__(self, jobs: int, budget: float | None, tell: Callable[[Done], None]) -> None:
        self._slots = asyncio.Semaphore(jobs)
        self._free = jobs
        self._left = budget
        self._tell = tell

    async def __call__(self, questions: Iterable[Question]) -> None:
        """Every question, told as it is done. Cancelled, all that run are ended in order."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for question in questions:
                    await self._slots.acquire()
                    tasks.create_task(self._answer(question))
        except BaseExceptionGroup as errors:
            raise first_of(errors) from None

    async def _answer(self, question: Question) -> None:
        share = self._take()
        spent = share
        try:
            done = await answer(question, share)
            self._tell(done)
            usage = done.research.usage.total if done.research else None
            spent = share if usage and usage.usd is None else usage.usd if usage else 0.0
        finally:
            self._give_back(share, spent)

    def _take(self) -> float | None:
        """A run's part of what is left: as much as each of the free places may have."""
        share = None if self._left is None else self._left / self._free
        if self._left is not None and share is not None:
            self._left -= share
        self._free -= 1
        return share

    def _give_back(self, share: float | None, spent: float | None) -> None:
        if self._left is not None and share is not None:
            self._left += max(0.0, share - (share if spent is None else spent))
        self._free += 1
        self._slots.release()


async def answer(question: Question, budget: float | None = None) -> Done:
    """One question from its options, within `budget` dollars; what goes wrong is part of it."""
    from intelli.asking import carry_out, request_of

    options = question.options
    if budget is not None:
        options = cast(Options, {**options, "budget": budget})
    try:
        done = await carry_out(request_of(question.text, options), _silent)
    except RunError as error:
        if (task := asyncio.current_task()) and task.cancelling():
            raise asyncio.CancelledError from error
        return Done(question=question, research=error.research, error=error)
    except IntelliError as error:
        return Done(question=question, error=error)
    return Done(question=question, research=done)


def _silent(event: Event) -> None:
    """What is said while a question is at work would be lost among the others."""
