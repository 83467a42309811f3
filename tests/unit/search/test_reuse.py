"""Answers that are used again: what counts as the same question, and for how long."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from intelli.errors import BackendError
from intelli.records import Answer, Link, Query
from intelli.search.reuse import MOST_KEPT, Reusing, Shelf

ASK = Query(text="pump", urls=3, domains=("a.example",))
LINK = Link(
    url="https://a.example/", title="A \ud800 page", snippet="s", backend="service",
    published="2026-01-02", authors=("Wim", "Zus"), points=3, comments=0,
)  # fmt: skip


@dataclass
class Service:
    """Answers with its links after a while, or fails."""

    links: tuple[Link, ...] = (LINK,)
    error: BackendError | None = None
    delay: float = 0.0
    name: str = "service"
    asked: list[Query] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)

    async def search(self, query: Query) -> Answer:
        self.asked.append(query)
        try:
            await asyncio.sleep(self.delay)
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise
        if self.error:
            raise self.error
        return Answer(links=self.links, text="said", backend=self.name)


def ask(service: Service, home: Path, query: Query = ASK, identity: str = "x") -> Answer:
    """As a run of its own would."""
    backend = Reusing(service, identity, Shelf(home / "kept", 30))
    return asyncio.run(backend.search(query))


def test_a_question_asked_again_is_answered_from_disk_and_says_so(home: Path) -> None:
    service = Service()
    first = ask(service, home)
    again = ask(service, home)
    assert len(service.asked) == 1
    assert first.age_s is None
    assert again.age_s is not None and 0 <= again.age_s < 30
    assert again.links == (replace(LINK, title="A ? page"),)
    assert (again.text, again.backend) == ("said", "service")


@pytest.mark.parametrize(
    "other",
    [replace(ASK, text="Pump"), replace(ASK, urls=4), replace(ASK, domains=()),
     replace(ASK, only_domains=("a.example",)), replace(ASK, exclude_domains=("a.example",)),
     replace(ASK, focus="speed")],
)  # fmt: skip
def test_another_question_is_asked(other: Query, home: Path) -> None:
    service = Service()
    ask(service, home)
    ask(service, home, other)
    assert len(service.asked) == 2


def test_another_address_key_or_setting_is_another_question(home: Path) -> None:
    service = Service()
    for identity in ("one", "two"):
        ask(service, home, identity=identity)
    assert len(service.asked) == 2


def test_neither_failures_nor_empty_answers_are_kept(home: Path) -> None:
    failing = Service(error=BackendError("no"))
    for _ in range(2):
        with pytest.raises(BackendError):
            ask(failing, home)
        assert ask(Service(links=()), home).links == ()
    assert len(failing.asked) == 2
    assert not (home / "kept").exists()


@pytest.mark.parametrize("seconds", [-31, 100])
def test_what_is_too_old_or_from_the_future_is_not_used(seconds: float, home: Path) -> None:
    service = Service()
    ask(service, home)
    (file,) = (home / "kept").iterdir()
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "at": time.time() + seconds}))
    ask(service, home)
    assert len(service.asked) == 2


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"at": 9e999, "links": []}', "[" * 100_000, "\x00",
     '{"at": AT, "links": [], "text": "", "backend": ""}',
     '{"at": AT, "links": [{"url": 7}], "text": "", "backend": ""}',
     '{"at": AT, "links": ["x"], "text": "", "backend": ""}',
     '{"at": AT, "links": {"a": 1}, "text": "", "backend": ""}'],
)  # fmt: skip
def test_what_is_damaged_counts_as_absent(text: str, home: Path) -> None:
    service = Service()
    ask(service, home)
    (file,) = (home / "kept").iterdir()
    file.write_text(text.replace("AT", str(time.time())))
    assert ask(service, home).links == (LINK,)
    assert len(service.asked) == 2


def test_what_is_kept_is_for_the_user_alone_and_bounded(home: Path) -> None:
    service = Service()
    folder = home / "kept"
    ask(service, home)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for n in range(MOST_KEPT + 5):
        (folder / f".tmp-{n}").touch()
    stale = folder / "stale.json"
    stale.touch()
    os.utime(stale, (1, 1))
    ask(service, home, replace(ASK, text="other"))
    assert len(list(folder.iterdir())) == MOST_KEPT
    assert not stale.exists()


def test_where_nothing_can_be_kept_the_answer_still_comes(home: Path) -> None:
    (home / "kept").write_text("a file where the directory should be")
    assert ask(Service(), home).links == (LINK,)


def test_without_a_shelf_or_time_nothing_is_kept(home: Path) -> None:
    service = Service()
    for shelf in (None, Shelf(home / "kept", 0)):
        for _ in range(2):
            asyncio.run(Reusing(service, "x", shelf).search(ASK))
    assert len(service.asked) == 4
    assert not (home / "kept").exists()


def test_the_same_question_under_way_is_asked_once() -> None:
    service = Service(delay=0.1)

    async def three() -> list[Answer]:
        backend = Reusing(service, "x", None)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(backend.search(ASK)) for _ in range(3)]
        answers = [task.result() for task in tasks]
        return [*answers, await backend.search(ASK)]

    assert all(answer.links == (LINK,) for answer in asyncio.run(three()))
    assert len(service.asked) == 2


def test_callers_leave_alone_and_the_last_one_ends_the_request() -> None:
    async def leave(count: int) -> tuple[Service, list[BaseException | Answer]]:
        service = Service(delay=0.2)
        backend = Reusing(service, "x", None)
        tasks = [asyncio.create_task(backend.search(ASK)) for _ in range(2)]
        await asyncio.sleep(0.05)
        for task in tasks[:count]:
            task.cancel()
        await asyncio.wait(tasks)
        await asyncio.sleep(0)
        if count == 2:
            tasks.append(asyncio.create_task(backend.search(ASK)))
            await asyncio.wait(tasks[2:])
        gone = [asyncio.CancelledError() if t.cancelled() else t.result() for t in tasks]
        return service, gone

    service, (first, second) = asyncio.run(leave(1))
    assert isinstance(first, asyncio.CancelledError) and isinstance(second, Answer)
    assert (len(service.asked), service.ended) == (1, [])
    service, gone = asyncio.run(leave(2))
    assert isinstance(gone[2], Answer), "whoever comes afterwards does not share the end"
    assert (len(service.asked), service.ended) == (2, ["cancelled"])


def test_an_error_reaches_everybody_who_waits() -> None:
    service = Service(error=BackendError("no"), delay=0.05)

    async def two() -> list[BaseException | None]:
        backend = Reusing(service, "x", None)
        tasks = [asyncio.create_task(backend.search(ASK)) for _ in range(2)]
        await asyncio.wait(tasks)
        return [task.exception() for task in tasks]

    assert all(isinstance(error, BackendError) for error in asyncio.run(two()))
    assert len(service.asked) == 1
