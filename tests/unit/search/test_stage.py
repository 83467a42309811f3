"""The search stage as a run has it: what is asked, kept, shared and refused."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from intelli.errors import NoLinks, UsageError
from intelli.events import Event, LinksFound, Warned
from intelli.net.client import Network
from intelli.records import Answer, Query
from intelli.search.backend import Equipment
from intelli.search.pacing import paused
from intelli.search.stage import open_search
from intelli.setting_table import BACKEND_URLS, variable_of
from intelli.settings import load
from tests.world.search import Exa, Hit

ASK = Query(text="pump", urls=4)
SECRET = "key-that-stays-secret-0815"


class Bench:
    """Exa on loopback and nothing else; each `search` is as a run of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.exa = Exa()
        self.events: list[Event] = []

    def environ(self, more: Mapping[str, str]) -> dict[str, str]:
        nowhere = "http://127.0.0.1:9/"
        names = (variable_of(f"backends.{name}.url") for name in BACKEND_URLS)
        url = {variable_of("backends.exa.url"): self.exa.server.url("/mcp")}
        return {**dict.fromkeys(names, nowhere), **url, **more}

    async def search(
        self, *names: str, environ: Mapping[str, str] | None = None, **how: bool
    ) -> Answer:
        settings = load({}, environ=self.environ(environ or {}), cwd=self.home)
        async with Network(allow_private=False, max_bytes=10**6) as network:
            equipment = Equipment(settings=settings, network=network)
            search = open_search(equipment, names or ("exa",), **how)
            return await search(ASK, self.events.append)

    def run(self, work: Any) -> Any:
        async def served() -> Any:
            self.exa.hits.append(Hit(url="https://a.example.org/", title="A"))
            await self.exa.server.start()
            try:
                return await work()
            finally:
                await self.exa.server.stop()

        return asyncio.run(asyncio.wait_for(served(), 30))

    @property
    def asked(self) -> int:
        return len(self.exa.server.log.exchanges)


@pytest.fixture
def bench(home: Path) -> Bench:
    return Bench(home)


def test_the_next_run_uses_the_answer_and_a_fresh_one_does_not(bench: Bench) -> None:
    async def work() -> list[int]:
        counts = []
        for fresh in (False, False, True):
            await bench.search(fresh=fresh)
            counts.append(bench.asked)
        return counts

    assert bench.run(work) == [1, 1, 2]
    ages = [event.age_s for event in bench.events if isinstance(event, LinksFound)]
    assert ages[0] is None and ages[1] is not None and ages[2] is None


def test_another_key_or_no_reuse_is_another_question(bench: Bench) -> None:
    async def work() -> int:
        await bench.search()
        await bench.search(environ={"EXA_API_KEY": SECRET})
        await bench.search(environ={"EXA_API_KEY": "another"})
        await bench.search(environ={"INTELLI_SEARCH__REUSE": "0"})
        return bench.asked

    assert bench.run(work) == 4


def test_no_key_is_written_anywhere(bench: Bench) -> None:
    async def work() -> None:
        await bench.search(environ={"EXA_API_KEY": SECRET})
        bench.exa.modes.set("limited-day")
        with pytest.raises(NoLinks):
            await bench.search(environ={"EXA_API_KEY": SECRET}, fresh=True)

    bench.run(work)
    files = [path for path in bench.home.rglob("*") if path.is_file()]
    assert len(files) >= 2
    assert not any(SECRET in str(path) or SECRET.encode() in path.read_bytes() for path in files)


def test_a_daily_limit_of_anonymous_use_does_not_bind_a_key(bench: Bench) -> None:
    async def work() -> Answer:
        bench.exa.modes.set("limited-day", "sse")
        with pytest.raises(NoLinks) as caught:
            await bench.search()
        assert caught.value.hint.startswith("set EXA_API_KEY")
        (pause,) = paused()
        assert (pause.name, pause.challenged) == ("exa", False)
        return await bench.search(environ={"EXA_API_KEY": SECRET})

    assert bench.run(work).backend == "exa"


def test_services_of_one_trade_are_followed_by_the_web(bench: Bench) -> None:
    assert bench.run(lambda: bench.search("hn", "arxiv")).backend == "exa"
    said = [event.message for event in bench.events if isinstance(event, Warned)]
    assert "nothing from hn, arxiv, searching the web instead" in said


def test_a_service_of_the_web_that_was_chosen_stands_alone(bench: Bench) -> None:
    with pytest.raises(NoLinks):
        bench.run(lambda: bench.search("tavily"))
    assert bench.asked == 0


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "601"])
def test_a_deadline_that_is_none_is_refused(seconds: str, bench: Bench) -> None:
    with pytest.raises(UsageError, match=r"search\.timeout"):
        bench.run(lambda: bench.search(environ={"INTELLI_SEARCH__TIMEOUT": seconds}))
