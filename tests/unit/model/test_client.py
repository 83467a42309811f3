"""The way to a model: what is sent, what is read, when it is tried again, what it may cost."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from intelli.errors import ModelError, Stopped, UsageError
from intelli.events import Event, Retrying, Spent
from intelli.model import retry
from intelli.model.client import Models, Reply
from intelli.model.ledger import Ledger
from intelli.model.prompts import Prompt
from intelli.net.client import Network
from intelli.records import Role
from intelli.settings import load
from tests.world import Say, World, refuse

PROMPT = Prompt(system="Be brief.", user="How fast is the pump?")


class Asked:
    """One conversation with the world's model."""

    def __init__(self, world: World, *, budget: float | None = None, **env: str) -> None:
        self.events: list[Event] = []
        self.ledger = Ledger(budget)
        self._environ = {"INTELLI_MODEL__ATTEMPTS": "2", **world.env(), **env}

    def ask(self, role: Role = "extract") -> Reply:
        return asyncio.run(self._ask(role))

    async def _ask(self, role: Role) -> Reply:
        settings = load(environ=self._environ)
        async with Network(allow_private=True, max_bytes=1_000_000) as network:
            models = Models(settings, network, self.ledger, self.events.append)
            return await models.ask(role, PROMPT)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "BASE_DELAY", 0.01)
    monkeypatch.setattr(retry, "MAX_DELAY", 0.05)


def test_an_answer_is_read_and_its_cost_is_counted(world: World) -> None:
    world.model.say("extract", Say(text="Twelve litres.", cost=0.002))
    asked = Asked(world)
    assert asked.ask().text == "Twelve litres."
    spend = asked.ledger.usage.by_role["extract"]
    assert spend.calls == 1
    assert spend.usd == 0.002
    assert spend.input_tokens > 0
    assert isinstance(asked.events[-1], Spent)


def test_the_request_carries_the_name_without_its_provider(world: World) -> None:
    Asked(world).ask()
    body = world.model.asked("extract")[0].body
    assert body["model"] == "extract"
    assert [m["role"] for m in body["messages"]] == ["system", "user"]  # type: ignore[attr-defined]


def test_a_default_key_is_never_sent_to_an_address_of_the_users(world: World) -> None:
    Asked(world, WORLD_API_KEY="secret", OPENROUTER_API_KEY="secret").ask()
    headers: Mapping[str, str] = world.model.server.log.exchanges[0].request.headers
    assert "authorization" not in {name.lower() for name in headers}


def test_the_key_that_is_named_is_sent(world: World) -> None:
    name = "INTELLI_MODELS__EXTRACT__API_KEY_ENV"
    Asked(world, **{name: "MY_KEY", "MY_KEY": " secret "}).ask()
    headers = world.model.server.log.exchanges[0].request.headers
    assert {k.lower(): v for k, v in headers.items()}["authorization"] == "Bearer secret"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_refusal_is_tried_again(world: World, status: int) -> None:
    world.model.say("extract", refuse(status, retry_after="0"), Say(text="there"))
    asked = Asked(world)
    assert asked.ask().text == "there"
    assert any(isinstance(event, Retrying) for event in asked.events)


def test_an_error_inside_a_200_is_an_error(world: World) -> None:
    world.model.say("extract", Say(error={"code": 502, "message": "upstream"}), Say(text="there"))
    assert Asked(world).ask().text == "there"


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_final_refusal_is_not_tried_again(world: World, status: int) -> None:
    world.model.say("extract", refuse(status, "no"))
    with pytest.raises(ModelError, match="no") as caught:
        Asked(world).ask()
    assert caught.value.code == f"model-{status}"
    assert len(world.model.asked("extract")) == 1


def test_402_passes_only_with_a_hint_when(world: World) -> None:
    world.model.say("extract", refuse(402))
    with pytest.raises(ModelError):
        Asked(world).ask()
    assert len(world.model.asked("extract")) == 1
    world.model.say("extract", refuse(402, retry_after="0"), Say(text="there"))
    assert Asked(world).ask().text == "there"


def test_429_for_ever_ends_after_the_attempts(world: World) -> None:
    world.model.say("extract", refuse(429, "too many"))
    with pytest.raises(ModelError, match="too many"):
        Asked(world).ask()
    assert len(world.model.asked("extract")) == 2


@pytest.mark.parametrize("fault", ["hang", "stall-headers", "stall-body"])
def test_the_deadline_covers_the_whole_call(world: World, fault: str) -> None:
    world.model.say("extract", Say(text="late", fault=fault))  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="did not finish within"):
        Asked(world, INTELLI_MODEL__TIMEOUT="0.2", INTELLI_MODEL__ATTEMPTS="1").ask()


def test_a_model_that_reasons_away_its_room_is_asked_once_with_twice_as_much(world: World) -> None:
    world.model.say("extract", Say(text="", finish_reason="length"), Say(text="there"))
    assert Asked(world).ask().text == "there"
    first, second = (ask.body["max_tokens"] for ask in world.model.asked("extract"))
    assert second == 2 * first  # type: ignore[operator]


def test_reasoning_in_front_of_the_answer_is_dropped(world: World) -> None:
    world.model.say("extract", Say(text="<think>hm, 12?</think>\n\nTwelve."))
    assert Asked(world).ask().text == "Twelve."


def test_links_come_from_results_then_annotations_then_citations(world: World) -> None:
    world.model.say(
        "search",
        Say(
            text="See there.",
            search_results=({"url": "https://a.example/", "title": "A", "date": "2026-01-02"},),
            annotations=(("https://b.example/", "B"), ("https://a.example/", "again")),
            citations=("https://c.example/", "https://b.example/"),
        ),
    )
    reply = Asked(world).ask("search")
    assert [c.url for c in reply.citations] == [
        "https://a.example/",
        "https://b.example/",
        "https://c.example/",
    ]
    assert reply.citations[0].published == "2026-01-02"


def test_an_unknown_price_is_unknown_and_not_nothing(world: World) -> None:
    world.model.say("extract", Say(text="there", cost=None))
    asked = Asked(world)
    asked.ask()
    assert asked.ledger.usage.total.usd is None


PRICES = {f"INTELLI_MODELS__EXTRACT__{name}_PRICE": "1" for name in ("INPUT", "OUTPUT")}


@pytest.mark.parametrize("cost", [None, -3.0, float("nan")])
def test_a_price_that_the_user_names_counts_the_tokens(world: World, cost: float | None) -> None:
    world.model.say("extract", Say(text="there it is", cost=cost))
    asked = Asked(world, **PRICES)
    asked.ask()
    spend = asked.ledger.usage.total
    assert spend.usd == pytest.approx((spend.input_tokens + spend.output_tokens) / 1e6)


def test_a_call_whose_tokens_nobody_counts_has_no_price(world: World) -> None:
    world.model.say("extract", Say(text="there", usage=False))
    asked = Asked(world, **PRICES)
    asked.ask()
    assert asked.ledger.usage.total.usd is None


def test_an_answer_that_is_held_back_is_paid_for(world: World) -> None:
    world.model.say("extract", Say(text="", finish_reason="content_filter", cost=0.003))
    asked = Asked(world)
    with pytest.raises(ModelError, match="declined"):
        asked.ask()
    assert asked.ledger.usage.total.usd == 0.003


def test_nobody_knows_what_a_call_without_an_end_has_cost(world: World) -> None:
    world.model.say("extract", Say(fault="hang"), Say(text="there"))
    asked = Asked(world, INTELLI_MODEL__TIMEOUT="0.2")
    asked.ask()
    spend = asked.ledger.usage.total
    assert (spend.calls, spend.usd) == (2, None)


def test_a_refusal_costs_nothing(world: World) -> None:
    world.model.say("extract", refuse(503), Say(text="there", cost=0.002))
    asked = Asked(world)
    asked.ask()
    assert asked.ledger.usage.total.usd == 0.002


def test_a_budget_without_a_price_refuses_to_start(world: World) -> None:
    with pytest.raises(UsageError, match="no price is known"):
        Asked(world, budget=1.0, INTELLI_MODELS__EXTRACT__MODEL="world/home-made-9b").ask()


def test_a_call_that_may_pass_the_budget_is_not_made(world: World) -> None:
    with pytest.raises(Stopped, match="budget"):
        Asked(world, budget=0.000001, **PRICES).ask()
    assert not world.model.asks


def test_a_role_without_key_and_address_names_the_variable() -> None:
    async def ask() -> None:
        async with Network(allow_private=False, max_bytes=1000) as network:
            settings = load(environ={})
            await Models(settings, network, Ledger(), lambda _: None).ask("extract", PROMPT)

    with pytest.raises(UsageError, match="OPENROUTER_API_KEY"):
        asyncio.run(ask())


def test_a_refused_key_is_named_by_its_variable(world: World) -> None:
    world.model.say("extract", refuse(401, "no such key"))
    asked = Asked(world, INTELLI_MODELS__EXTRACT__API_KEY_ENV="MINE", MINE="sk-4711")
    with pytest.raises(ModelError) as caught:
        asked.ask()
    assert caught.value.hint == "check MINE"
