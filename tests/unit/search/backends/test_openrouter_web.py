"""Any chat model with OpenRouter's web search, against a chat server on loopback."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from intelli.errors import BackendError, Stopped, UsageError
from intelli.events import silent
from intelli.model.client import Models
from intelli.model.ledger import Ledger
from intelli.net.client import Network
from intelli.records import Answer, Query
from intelli.search.backend import Equipment, make
from intelli.search.refusals import RefusedError
from intelli.settings import load
from tests.world import Say, World, refuse

KEY = "sk-or-4711"
QUERY = Query(text="how do pumps drain")
CITED = (("https://docs.example.org/drain", "Draining"), ("https://blog.example.net/p", ""))


def backend_settings(**settings: str) -> dict[str, str]:
    prefix = "INTELLI_BACKENDS__OPENROUTER_WEB__"
    return {f"{prefix}{name.upper()}": value for name, value in settings.items()}


class Asked:
    """One search with the world's model."""

    def __init__(self, world: World, home: Path, *, budget: float | None = None, **more: str):
        own = backend_settings(url=world.model.server.url("/v1"), model="openrouter/search", **more)
        self.environ = {"OPENROUTER_API_KEY": KEY, "INTELLI_MODEL__ATTEMPTS": "1", **own}
        self.home = home
        self.ledger = Ledger(budget, unknown_ok=True)
        self.model = world.model

    def search(self, query: Query = QUERY) -> Answer:
        return asyncio.run(asyncio.wait_for(self._search(query), 20))

    async def _search(self, query: Query) -> Answer:
        settings = load(environ=self.environ, cwd=self.home)
        async with Network(allow_private=False, max_bytes=10**6) as network:
            models = Models(settings, network, self.ledger, silent)
            equipment = Equipment(settings=settings, network=network, models=models)
            return await make("openrouter-web", equipment).search(query)

    @property
    def body(self) -> dict[str, Any]:
        return self.model.asked("search")[-1].body

    @property
    def tool(self) -> dict[str, Any]:
        (tool,) = self.body["tools"]
        assert tool["type"] == "openrouter:web_search"
        parameters: dict[str, Any] = tool["parameters"]
        return parameters


def test_links_come_from_the_text_and_then_from_the_annotations(world: World, home: Path) -> None:
    said = "See [the queue](https://pumps.example.org/queue)."
    world.model.say("search", Say(text=said, annotations=CITED, cost=0.021))
    asked = Asked(world, home)
    answer = asked.search()
    assert [link.url for link in answer.links] == [
        "https://pumps.example.org/queue",
        "https://docs.example.org/drain",
        "https://blog.example.net/p",
    ]
    assert answer.links[1].title == "Draining"
    assert {link.backend for link in answer.links} == {answer.backend} == {"openrouter-web"}
    assert asked.ledger.usage.by_role["search"].usd == 0.021


def test_the_tool_is_told_what_the_settings_say(world: World, home: Path) -> None:
    world.model.say("search", Say(text="x", annotations=CITED))
    asked = Asked(
        world,
        home,
        engine="exa",
        max_results="12",
        search_context_size="high",
        allowed_domains="docs.example.org",
        excluded_domains="spam.example",
        reasoning="low",
    )
    asked.search()
    assert asked.tool == {
        "engine": "exa",
        "max_results": 12,
        "max_total_results": 12,
        "search_context_size": "high",
        "allowed_domains": ["docs.example.org"],
        "excluded_domains": ["spam.example"],
    }
    assert asked.body["reasoning"]["effort"] == "low"
    assert asked.body["usage"] == {"include": True}
    headers = world.model.server.log.exchanges[-1].request.headers
    assert headers["authorization"] == f"Bearer {KEY}"


def test_a_question_has_domains_of_its_own(world: World, home: Path) -> None:
    world.model.say("search", Say(text="x", annotations=CITED))
    asked = Asked(world, home, engine="firecrawl", allowed_domains="docs.example.org")
    both = Query(
        text="pumps", only_domains=("pumps.example.org",), exclude_domains=("spam.example",)
    )
    asked.search(both)
    assert asked.tool["allowed_domains"] == ["pumps.example.org"]
    assert "excluded_domains" not in asked.tool, "firecrawl takes one list; the rest is ours"
    asked.search(Query(text="pumps"))
    assert asked.tool["allowed_domains"] == ["docs.example.org"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"engine": "perplexity", "allowed_domains": "a.example", "excluded_domains": "b.example"},
        {"engine": "firecrawl", "allowed_domains": "a.example", "excluded_domains": "b.example"},
        {"engine": "perplexity", "max_results": "21"},
        {"max_results": "26"},
        {"max_results": "0"},
        {"engine": "altavista"},
        {"search_context_size": "huge"},
        {"reasoning": "much"},
        {"model": "openai/gpt-5-mini"},
        {"allowed_domains": ",".join(f"d{n}.example" for n in range(101))},
    ],
)
def test_settings_that_cannot_be_are_refused_by_name(
    wrong: dict[str, str], world: World, home: Path
) -> None:
    asked = Asked(world, home)
    asked.environ |= backend_settings(**wrong)
    with pytest.raises(UsageError) as caught:
        asked.search()
    assert "backends.openrouter-web." in caught.value.message
    assert world.model.asks == []


def test_a_refused_key_is_named_and_never_shown(world: World, home: Path) -> None:
    world.model.say("search", refuse(401, f"no such key {KEY}"))
    with pytest.raises(BackendError) as caught:
        Asked(world, home).search()
    assert caught.value.hint.startswith("check OPENROUTER_API_KEY, or name another --backend")
    assert KEY not in caught.value.message


def test_a_limit_is_one_of_the_backend_too(world: World, home: Path) -> None:
    world.model.say("search", refuse(429, "slow down", retry_after="30"))
    with pytest.raises(RefusedError) as caught:
        Asked(world, home).search()
    assert (caught.value.code, caught.value.retry_after) == ("rate-limit", 30.0)


def test_a_budget_counts_what_the_search_itself_may_cost(world: World, home: Path) -> None:
    with pytest.raises(Stopped):
        Asked(world, home, budget=0.05).search()
    assert world.model.asks == []
    world.model.say("search", Say(text="x", annotations=CITED, cost=0.01))
    assert Asked(world, home, budget=0.5).search().links


def test_a_valid_answer_without_links_is_asked_for_once_more(world: World, home: Path) -> None:
    world.model.say("search", Say(text="No idea."), Say(text="x", annotations=CITED))
    assert len(Asked(world, home).search().links) == 2
    assert len(world.model.asked("search")) == 2


def test_without_an_address_of_the_users_it_is_openrouter(home: Path) -> None:
    asked: list[str] = []

    async def lookup(host: str, _: int) -> list[str]:
        asked.append(host)
        raise OSError("no such host")

    async def run() -> None:
        settings = load(
            environ={"OPENROUTER_API_KEY": KEY, "INTELLI_MODEL__ATTEMPTS": "1"}, cwd=home
        )
        async with Network(allow_private=False, max_bytes=1000, lookup=lookup) as network:
            models = Models(settings, network, Ledger(), silent)
            equipment = Equipment(settings=settings, network=network, models=models)
            with pytest.raises(BackendError):
                await make("openrouter-web", equipment).search(QUERY)

    asyncio.run(asyncio.wait_for(run(), 20))
    assert set(asked) == {"openrouter.ai"}
