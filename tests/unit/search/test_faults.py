"""Every backend in every bad state, alone and in chains: an answer wherever one can be had."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from intelli.errors import NoLinks
from intelli.events import silent
from intelli.model.client import Models
from intelli.model.ledger import Ledger
from intelli.net.client import Network
from intelli.records import Answer, Query
from intelli.search.backend import BACKENDS, KEYLESS, Equipment
from intelli.search.stage import open_search
from intelli.setting_table import BACKEND_URLS, variable_of
from intelli.settings import load
from tests.world.search import DuckDuckGo, Exa, Hit
from tests.world.search_services import SERVICES
from tests.world.search_verticals import EXAMPLES, VERTICALS

NOWHERE = "http://127.0.0.1:9/"
LIMIT = 4.0
"""Seconds for a search; a backend that hangs has its part of it."""

KINDS: Mapping[str, Callable[[], Any]] = {
    "exa": Exa, "duckduckgo": DuckDuckGo, **SERVICES, **VERTICALS,
}  # fmt: skip
ODD_WORDS: Mapping[str, Mapping[str, str]] = {
    "exa": {"ok": "sse", "challenge": "limited-day"},
    "duckduckgo": {
        "ok": "uddg", "empty": "none", "limited-day": "challenge-202", "limited": "uddg",
        "garbage": "changed", "challenge": "challenge-403",
    },
}  # fmt: skip
"""How two of the servers call the states that all of them know."""

FAULTS = ("empty", "hang", "limited-day", "challenge", "garbage", "500", "dead")
SHUT_OUT = ("limited-day", "challenge")
ASK = Query(text="how does a hand pump drain its queue", urls=4)


class Scene:
    """Some services in their states, and the search that is pointed at them."""

    def __init__(self, states: Mapping[str, Sequence[str]]) -> None:
        self.services = {name: KINDS[name]() for name in states}
        self._states = states
        self.asked: list[Mapping[str, int]] = []
        """Requests that each service had had after each search."""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        for name, service in self.services.items():
            words = [ODD_WORDS.get(name, {}).get(state, state) for state in self._states[name]]
            if "dead" not in words:
                service.modes.set(*words)
            url = EXAMPLES[name].url if name in EXAMPLES else f"https://{name}.example.org/a"
            service.hits.append(Hit(url=url, title="A pump", text="how it drains its queue"))
            await service.server.start()
            if "dead" in words:
                await service.server.stop()
        try:
            yield
        finally:
            for service in self.services.values():
                await service.server.stop()

    async def search(self, network: Network, home: Path) -> Answer | NoLinks:
        """As a run of its own would."""
        nowhere = f"{NOWHERE}{id(self)}"  # an address of its own, for pauses go by address
        environ = dict.fromkeys((variable_of(f"backends.{n}.url") for n in BACKEND_URLS), nowhere)
        for name, service in self.services.items():
            environ[variable_of(f"backends.{name}.url")] = _url(name, service)
            environ |= {key: "a-key" for key in BACKENDS[name].keys if BACKENDS[name].keyed}
        chosen = {"search.backends": tuple(self.services), "search.timeout": LIMIT}
        settings = load({**chosen, "model.timeout": LIMIT}, environ=environ, cwd=home)
        models = Models(settings, network, Ledger(None), silent)
        equipment = Equipment(settings=settings, network=network, models=models)
        search = open_search(equipment, tuple(self.services), fresh=True)
        try:
            return await asyncio.wait_for(search(ASK, silent), LIMIT + 20)
        except NoLinks as error:
            return error
        finally:
            self.asked.append({name: self._requests(name) for name in self.services})

    def _requests(self, name: str) -> int:
        return len(self.services[name].server.log.exchanges)


def _url(name: str, service: Any) -> str:
    paths = {"exa": "/mcp", "duckduckgo": "/html/"}
    return str(service.server.url(paths[name]) if name in paths else service.url)


def play(scenes: Sequence[Scene], home: Path, times: int = 1) -> list[list[Answer | NoLinks]]:
    """The outcomes of all scenes, side by side; each is searched `times` over, one by one."""

    async def one(scene: Scene, network: Network) -> list[Answer | NoLinks]:
        async with scene.open():
            return [await scene.search(network, home) for _ in range(times)]

    async def every() -> list[list[Answer | NoLinks]]:
        async with (
            Network(allow_private=False, max_bytes=10**7) as network,
            asyncio.TaskGroup() as group,
        ):
            tasks = [group.create_task(one(scene, network)) for scene in scenes]
            await asyncio.wait(tasks)
        return [task.result() for task in tasks]

    return asyncio.run(every())


def told(outcome: Answer | NoLinks) -> str:
    return outcome.backend if isinstance(outcome, Answer) else f"nothing: {outcome.message}"


def test_every_backend_answers_when_it_is_well(home: Path) -> None:
    names = sorted(KINDS)
    outcomes = play([Scene({name: ["ok"]}) for name in names], home)
    assert {name: told(got) for name, (got,) in zip(names, outcomes, strict=True)} == {
        name: name for name in names
    }


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_backend_costs_itself_and_is_not_asked_into_a_lock_out(
    fault: str, home: Path
) -> None:
    names = sorted(set(KINDS) - {"exa"})
    scenes = [Scene({name: [fault], "exa": ["ok"]}) for name in names]
    outcomes = play(scenes, home, times=2 if fault in SHUT_OUT else 1)
    for name, scene, got in zip(names, scenes, outcomes, strict=True):
        assert {told(one) for one in got} == {"exa"}, name
        if fault in SHUT_OUT:
            first, second = (asked[name] for asked in scene.asked)
            assert first == second > 0, name


@pytest.mark.parametrize("fault", FAULTS)
def test_alone_a_bad_backend_ends_the_search_as_nothing_found(fault: str, home: Path) -> None:
    names = sorted(KINDS)
    outcomes = play([Scene({name: [fault]}) for name in names], home)
    for name, (got,) in zip(names, outcomes, strict=True):
        assert isinstance(got, NoLinks) and f"{name} " in got.message, name
        assert got.hint, name
        # A service that has nothing will have nothing a minute later, all others may.
        if fault in ("empty", "hang", "dead"):
            is_web = BACKENDS[name].family == "web"
            assert got.retryable is (fault != "empty" or not is_web), f"{name}: {got.message}"


def test_a_refusal_for_a_moment_is_waited_out(home: Path) -> None:
    names = sorted(KINDS)
    outcomes = play([Scene({name: ["limited", "ok"]}) for name in names], home)
    assert {told(got) for (got,) in outcomes} == set(names)


@pytest.mark.parametrize("fault", FAULTS)
def test_one_healthy_backend_anywhere_in_the_chain_is_enough(fault: str, home: Path) -> None:
    scenes = [
        Scene({name: ["ok" if name == healthy else fault] for name in KEYLESS})
        for healthy in KEYLESS
        if set(KEYLESS) <= set(KINDS)
    ]
    assert [told(got) for (got,) in play(scenes, home)] == list(KEYLESS)
