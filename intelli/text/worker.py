"""The child process that parses pages, so that a stuck or crashing parser costs one page."""

from __future__ import annotations

import os
import signal
import sys
from typing import BinaryIO

from intelli.text import frames

MEMORY = 3 << 30
"""Bytes of address space: a hostile page gets an error here instead of the machine's memory."""


def main() -> None:
    """Answer jobs from standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    answers = _private_stdout()
    _limit_memory()
    from intelli.text import readers

    readers.warm()
    while (job := _next_job(sys.stdin.buffer)) is not None:
        # The default action of SIGALRM ends the process even inside C code that never returns.
        signal.setitimer(signal.ITIMER_REAL, job.limit)
        document = readers.read(job.body, job.content_type, job.url)
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(frames.pack_document(document))
        answers.flush()


def _private_stdout() -> BinaryIO:
    # Whatever a library prints must not land between the frames.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _limit_memory() -> None:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _next_job(source: BinaryIO) -> frames.Job | None:
    facts = _next_frame(source)
    body = _next_frame(source) if facts is not None else None
    return None if facts is None or body is None else frames.unpack_job(facts, body)


def _next_frame(source: BinaryIO) -> bytes | None:
    head = source.read(frames.SIZE.size)
    if len(head) < frames.SIZE.size:
        return None
    (size,) = frames.SIZE.unpack(head)
    payload = source.read(size)
    return payload if len(payload) == size else None


if __name__ == "__main__":
    main()
