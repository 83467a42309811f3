"""Long work is heard of now and then, and ends when nobody waits for it."""

from __future__ import annotations

import asyncio
import threading

import pytest

from intelli import progress
from intelli.progress import hear, in_thread, told


def test_what_is_said_is_heard_at_a_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    heard: list[tuple[int, int]] = []
    told(1, 2)  # nobody listens yet

    async def work() -> None:
        hear(lambda done, of: heard.append((done, of)))
        for done in range(100):
            told(done, 100)
            now[0] += 0.5

    asyncio.run(work())
    assert heard[:2] == [(2, 100), (12, 100)] and len(heard) == 10


def test_work_in_a_thread_is_heard_and_gives_its_result() -> None:
    heard: list[int] = []

    def work(n: int) -> int:
        told(n, 9)
        return n + 1

    async def run() -> int:
        progress._LISTENER.set(lambda done, of: heard.append(done))
        return await in_thread(work, 4)

    assert asyncio.run(run()) == 5 and heard == [4]


def test_work_that_nobody_waits_for_ends_with_its_next_word() -> None:
    begun, go_on, said = threading.Event(), threading.Event(), []

    def work() -> None:
        begun.set()
        go_on.wait(10)
        for n in range(1000):
            said.append(n)
            told(n, 1000)

    async def run() -> None:
        task = asyncio.create_task(in_thread(work))
        await asyncio.to_thread(begun.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()

    asyncio.run(run())  # waits for the threads that are left
    assert said == [0]
