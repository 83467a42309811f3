"""A reply that was paid once is used again, for exactly the same question to the same model."""

from __future__ import annotations

import pytest

from intelli.model.prompts import Prompt
from tests.unit.model.conversation import LONG, Asked
from tests.world import Say, World


def test_a_reply_is_used_again_and_costs_nothing(world: World) -> None:
    world.model.say("extract", Say(text="Twelve.", cost=0.002))
    asked = Asked(world)
    assert asked.ask().text == asked.ask().text == "Twelve."
    assert len(world.model.asked("extract")) == 1
    usage = asked.ledger.usage
    assert (usage.total.calls, usage.total.usd) == (1, 0.002)
    assert (usage.saved.calls, usage.saved.usd) == (1, 0.002)


@pytest.mark.parametrize(
    "env",
    [
        {"INTELLI_MODELS__EXTRACT__MODEL": "other/extract"},
        {"INTELLI_MODELS__EXTRACT__MAX_TOKENS": "99"},
        {"INTELLI_MODELS__EXTRACT__TEMPERATURE": "1"},
        {"INTELLI_MODELS__EXTRACT__EXTRA": '{"seed": 1}'},
        {"INTELLI_MODELS__EXTRACT__REASONING_EFFORT": "high"},
    ],
)
def test_another_model_or_another_way_to_ask_it_asks_anew(
    world: World, env: dict[str, str]
) -> None:
    asked = Asked(world)
    asked.ask()
    asked.ask(**env)
    assert len(world.model.asked("extract")) == 2


def test_another_word_in_the_prompt_asks_anew(world: World) -> None:
    asked = Asked(world)
    for prompt in (LONG, Prompt(system="Be brief!", user=LONG.user), Prompt(system="", user="x")):
        asked.ask(prompt)
    assert len(world.model.asked("extract")) == 3


@pytest.mark.parametrize(
    "say", [Say(text="half", finish_reason="length"), Say(text=""), Say(text=" \n")]
)
def test_a_reply_that_is_not_whole_is_not_kept(world: World, say: Say) -> None:
    world.model.say("extract", say)
    asked = Asked(world)
    asked.ask()
    assert not asked.shelf.values


def test_an_answer_of_nothing_is_asked_for_once_more(world: World) -> None:
    world.model.say("extract", Say(text=""), Say(text="there"))
    assert Asked(world).ask().text == "there"


def test_a_search_is_never_answered_from_before(world: World) -> None:
    asked = Asked(world)
    asked.ask(role="search")
    asked.ask(role="search")
    assert len(world.model.asked("search")) == 2 and not asked.shelf.values


def test_no_key_is_in_what_is_kept(world: World) -> None:
    name = "INTELLI_MODELS__EXTRACT__API_KEY_ENV"
    asked = Asked(world, **{name: "MINE", "MINE": "sk-world-4711-secret"})
    asked.ask()
    assert asked.shelf.values and "4711" not in repr(asked.shelf.values)
    asked.ask(MINE="another")
    assert len(world.model.asked("extract")) == 1, "whose key it is does not matter"


@pytest.mark.parametrize("value", [None, 3, [], {"text": "x"}, {"text": 5, "usd": None}])
def test_a_damaged_value_is_asked_anew(world: World, value: object) -> None:
    asked = Asked(world)
    asked.ask()
    asked.shelf.values = dict.fromkeys(asked.shelf.values, value)
    asked.ask()
    assert len(world.model.asked("extract")) == 2


def test_a_price_that_was_unknown_then_is_unknown_in_what_was_saved(world: World) -> None:
    world.model.say("extract", Say(text="Twelve.", cost=None))
    asked = Asked(world)
    asked.ask()
    asked.ask()
    assert asked.ledger.usage.saved.usd is None and asked.ledger.usage.saved.calls == 1
