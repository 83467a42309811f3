"""The questions of a batch as tasks of a Dask cluster that is there already."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from intelli.batch import Done, Question, answer
from intelli.errors import UsageError

SCHEME = "dask://"
CONNECTING = 20.0
"""Seconds for a scheduler to answer."""
RETRIES = 3
"""How often a question begins again whose worker was lost; it goes on where it was."""


async def run_on(address: str, questions: Iterable[Question], tell: Callable[[Done], None]) -> None:
    """Every question, told as it is done. Workers take settings and keys from where they run; the
    cache directory in the options has to be one that they share. Raises UsageError for a cluster
    that cannot be reached."""
    import distributed

    known = {question.line: question for question in questions}
    try:
        client: Any = await distributed.Client(  # type: ignore[no-untyped-call]
            address.replace(SCHEME, "tcp://", 1),
            asynchronous=True,
            timeout=CONNECTING,
            set_as_default=False,
        )
    except (OSError, ValueError) as error:
        raise UsageError(
            f"no Dask scheduler answers at {address}",
            code="no-cluster",
            hint="`dask scheduler` prints its address; its version has to be that of the workers",
        ) from error
    async with client:
        futures = [
            client.submit(answer_there, line, question.text, question.options,
                          key=f"intelli-{line}-{question.text[:40]}", retries=RETRIES, pure=False)
            for line, question in known.items()
        ]  # fmt: skip
        done: Any = distributed.as_completed(futures, loop=client.loop)  # type: ignore[no-untyped-call]
        async for future in done:
            tell(await future)


def answer_there(line: int, text: str, options: Mapping[str, Any]) -> Done:
    """What a worker does: one question, in a loop of its own."""
    question = Question(line=line, text=text, options=options)  # type: ignore[arg-type]
    return asyncio.run(answer(question))
