"""What is asked anew in another way, or made smaller: fields, sizes, money."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from intelli.errors import ModelError, Stopped
from intelli.model import retry
from intelli.model.ledger import Ledger, Reserved
from intelli.model.prompts import Prompt
from intelli.records import Spend
from intelli.settings import load
from tests.unit.model.conversation import LONG, PARAGRAPHS, Asked
from tests.world import Ask, Say, World, refuse


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "BASE_DELAY", 0.01)
    monkeypatch.setattr(retry, "MAX_DELAY", 0.05)


def picky(*names: str) -> Callable[[Ask], str]:
    """An answer that names the fields it was sent out of `names`."""
    return lambda ask: " ".join(name for name in names if name in ask.body) or "none"


TUNED = {
    "INTELLI_MODELS__EXTRACT__TEMPERATURE": "0.2",
    "INTELLI_MODELS__EXTRACT__REASONING_EFFORT": "low",
    "INTELLI_MODELS__EXTRACT__EXTRA": '{"top_k": 5}',
}


def test_the_parameters_of_a_role_are_sent(world: World) -> None:
    Asked(world, **TUNED).ask()
    body = world.model.asked("extract")[0].body
    assert (body["temperature"], body["reasoning_effort"], body["top_k"]) == (0.2, "low", 5)


def test_nothing_is_sent_that_was_not_set(world: World) -> None:
    Asked(world).ask()
    body = world.model.asked("extract")[0].body
    assert body.keys() == {"model", "messages", "stream", "max_tokens"}


@pytest.mark.parametrize("field", ["temperature", "reasoning_effort", "top_k"])
def test_a_field_that_is_refused_is_dropped_once_and_remembered(
    world: World, tmp_path: Path, field: str
) -> None:
    answers = Say(text=picky("temperature", "reasoning_effort", "top_k"))
    world.model.say("extract", refuse(400, f"Unsupported parameter: '{field}'"), answers)
    asked = Asked(world, file=tmp_path / "state" / "fields.json", **TUNED)
    assert field not in asked.ask().text.split()
    assert len(world.model.asked("extract")) == 2
    asked.shelf.values.clear()
    assert field not in asked.ask().text.split()
    assert len(world.model.asked("extract")) == 3, "it is not tried again in this run"
    later = Asked(world, file=tmp_path / "state" / "fields.json", **TUNED)
    assert field not in later.ask().text.split()
    assert len(world.model.asked("extract")) == 4, "nor in the next one"


def test_several_refused_fields_are_dropped_one_after_the_other(world: World) -> None:
    refusals = [refuse(400, f"unknown field {name}") for name in ("temperature", "top_k")]
    world.model.say("extract", *refusals, Say(text=picky("temperature", "top_k")))
    assert Asked(world, **TUNED).ask().text == "none"


def test_the_newer_name_of_the_limit_takes_the_place_of_the_older(world: World) -> None:
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    world.model.say("extract", refuse(400, words), Say(text="there"))
    Asked(world).ask()
    second = world.model.asked("extract")[1].body
    assert second["max_completion_tokens"] == 4000 and "max_tokens" not in second


def test_a_value_that_is_wrong_is_not_dropped_but_said(world: World) -> None:
    world.model.say("extract", refuse(400, "temperature must be between 0 and 1"))
    with pytest.raises(ModelError, match="between 0 and 1"):
        Asked(world, **TUNED).ask()
    assert len(world.model.asked("extract")) == 1


@pytest.mark.parametrize("text", ["", "[", '{"a": 1}', "[1]", '{"k": {"fields": 3, "at": "x"}}'])
def test_a_damaged_memory_is_none(world: World, tmp_path: Path, text: str) -> None:
    (tmp_path / "fields.json").write_text(text, encoding="utf-8")
    assert Asked(world, file=tmp_path / "fields.json", **TUNED).ask().text


def test_the_memory_of_fields_holds_no_address(world: World, tmp_path: Path) -> None:
    world.model.say("extract", refuse(400, "unknown field top_k"), Say(text="there"))
    Asked(world, file=tmp_path / "fields.json", **TUNED).ask()
    written = (tmp_path / "fields.json").read_text(encoding="utf-8")
    assert "top_k" in written and "127.0.0.1" not in written


@pytest.mark.parametrize(
    "refused",
    [
        refuse(429, "Request too large: tokens per min: Limit 4000, Requested 9000"),
        refuse(413, "Payload Too Large"),
        refuse(400, "maximum context length is 4096 tokens, you requested 9900 tokens"),
    ],
)
def test_what_is_too_large_is_cut_and_tried_once(world: World, refused: Say) -> None:
    world.model.say("extract", refused, Say(text="there"))
    asked = Asked(world)
    assert asked.ask().text == "there"
    whole, cut = world.model.asked("extract")
    assert len(cut.user) < 0.7 * len(whole.user)
    assert "Question: how fast?" in cut.user and cut.user.endswith("Answer.")
    assert "[TRUNCATED: " in cut.user and PARAGRAPHS[0] in cut.user
    assert PARAGRAPHS[-1] not in cut.user
    assert any("too large" in warning for warning in asked.warnings)
    assert not asked.shelf.values, "half an answer is not used again"


def test_an_answer_that_may_not_be_so_long_is_asked_for_shorter(world: World) -> None:
    words = "max_tokens: 4000 > 2048, which is the maximum allowed number of output tokens"
    world.model.say("extract", refuse(400, words), Say(text="there"))
    asked = Asked(world)
    assert asked.ask().text == "there"
    first, second = world.model.asked("extract")
    assert (second.body["max_tokens"], second.user) == (2047, first.user)
    assert any("2047 tokens" in warning for warning in asked.warnings)


def test_what_is_still_too_large_is_given_up(world: World) -> None:
    world.model.say("extract", refuse(413, "too large"))
    with pytest.raises(ModelError) as caught:
        Asked(world).ask()
    assert caught.value.code == "model-too-large"
    assert len(world.model.asked("extract")) == 2


def test_a_prompt_without_data_cannot_be_cut(world: World) -> None:
    world.model.say("extract", refuse(413, "too large"))
    with pytest.raises(ModelError):
        Asked(world).ask(Prompt(system="", user="How fast is the pump?" * 500))
    assert len(world.model.asked("extract")) == 1


def priced(*roles: str) -> dict[str, str]:
    """Models that cost what the user says."""
    prices = {"INPUT_PRICE": "0.15", "OUTPUT_PRICE": "0.6"}
    return {f"INTELLI_MODELS__{r}__{n}": p for r in roles for n, p in prices.items()}


PRICED = priced("EXTRACT", "COLLATE")


def spend_of_one(world: World) -> float:
    settings = load(environ={**world.env(), **PRICED})
    estimate = Ledger(1.0).estimate(settings.model("extract"), LONG.chars)
    assert estimate is not None
    return estimate


def test_the_first_extraction_is_made_smaller_rather_than_left_out(world: World) -> None:
    world.model.say("extract", Say(text="there"))
    budget = spend_of_one(world)  # half of it is kept for the report
    asked = Asked(world, budget=budget, **PRICED)
    asked.ask()
    (cut,) = world.model.asks
    assert cut.body["max_tokens"] < 4000  # type: ignore[operator]
    assert len(cut.user) < 0.6 * len(LONG.user)
    assert any("budget" in warning for warning in asked.warnings)


def test_an_answer_is_made_shorter_before_less_is_shown(world: World) -> None:
    world.model.say("extract", Say(text="there"))
    asked = Asked(world, budget=1.6 * spend_of_one(world), **PRICED)
    asked.ask()
    (cut,) = world.model.asks
    assert 2000 <= cut.body["max_tokens"] < 4000  # type: ignore[operator]
    assert cut.user == LONG.user


def test_the_next_ones_are_left_out(world: World) -> None:
    asked = Asked(world, budget=spend_of_one(world), **PRICED)
    asked.ledger.settle("extract", Reserved(), Spend(calls=1))
    with pytest.raises(Stopped, match="budget"):
        asked.ask()
    assert not world.model.asks
