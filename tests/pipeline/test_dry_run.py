"""`--dry-run` says what would be done and what it costs, and does none of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pipeline.kit import Q, failed, pumps
from tests.world import Place, Run, World

LISTED = "openrouter/openai/gpt-4o-mini"
PRICES = ("INPUT_PRICE", "OUTPUT_PRICE")
ROLES = ("SEARCH", "EXTRACT", "COLLATE", "SUGGEST", "JUDGE")
PRICED = {f"INTELLI_MODELS__{role}__MODEL": LISTED for role in ROLES} | {
    f"INTELLI_MODELS__{role}__{price}": "0.5" for role in ROLES for price in PRICES
}


def planned(place: Place, *options: str, **env: str) -> Any:
    """The plan; nothing is asked for it and nothing is stored."""
    run = place.run("research", Q, "--dry-run", "--json", *options, **env)
    assert run.code == 0, run.stdout
    document = run.json
    assert (document["schema"], document["outcome"], document["error"]) == (1, "completed", None)
    return document["plan"]


def nothing_happened(world: World, place: Place) -> bool:
    asked = [e for server in world.servers for e in server.log.exchanges]
    return not asked and not place.cache.exists()


def test_it_names_backends_calls_and_prices(world: World) -> None:
    pumps(world, 2)
    place = world.place()
    plan = planned(place, "--urls", "3", **PRICED)
    assert nothing_happened(world, place)
    assert [each["backend"] for each in plan["search"]][:2] == ["perplexity", "exa"]
    assert (plan["pages"], plan["links"], plan["engine"]) == (3, 6, "llm")
    calls = {each["role"]: each for each in plan["calls"]}
    assert (calls["extract"]["calls"], calls["collate"]["calls"]) == (3, 1)
    assert calls["extract"]["model"] == LISTED and calls["extract"]["input_tokens"] > 1000
    assert 0 < calls["extract"]["usd"] < calls["extract"]["most_usd"]
    assert 0 < plan["usd"] < plan["most_usd"]
    assert (plan["unknown"], plan["budget"], plan["fits"]) == ([], None, None)


def test_an_unknown_price_is_unknown_and_named(world: World) -> None:
    place = world.place()
    plan = planned(place)
    assert plan["usd"] is None and plan["most_usd"] is None
    assert "world/collate" in plan["unknown"]
    text = place.run("research", Q, "--dry-run").stdout
    assert "cost unknown" in text and "world/collate" in text


def test_a_server_of_the_users_own_has_no_price_because_others_serve_that_model(
    world: World,
) -> None:
    pumps(world, 1)
    place = world.place()
    named = {f"INTELLI_MODELS__{role}__MODEL": LISTED for role in ROLES}
    plan = planned(place, **named)
    assert plan["usd"] is None and {call["price"] for call in plan["calls"]} == {"unknown"}
    refused(place.run("research", Q, "--json", "--budget", "1", **named), "unknown-price")
    assert nothing_happened(world, place)


@pytest.mark.parametrize(("budget", "fits"), [("5", True), ("0.000001", False)])
def test_it_says_whether_the_budget_is_enough(world: World, budget: str, fits: bool) -> None:
    place = world.place()
    assert planned(place, "--budget", budget, **PRICED)["fits"] is fits
    text = place.run("research", Q, "--dry-run", "--budget", budget, **PRICED).stdout
    assert ("that fits" in text) is fits
    assert nothing_happened(world, place)


def test_without_a_model_it_is_free(world: World) -> None:
    place = world.place(model=False)
    plan = planned(place)
    assert (plan["engine"], plan["calls"], plan["usd"]) == ("local", [], 0.0)


def test_the_judge_is_one_call_more(world: World) -> None:
    roles = [c["role"] for c in planned(world.place(), "--thorough", "--judge")["calls"]]
    assert roles == ["judge", "extract", "collate", "suggest"]


def test_it_says_what_would_be_finished_or_used_again(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    name = place.run("research", Q, "--json").json["session"]
    assert planned(place, "--reuse", "1d")["reuses"] == name
    assert planned(place)["reuses"] is None
    (place.session() / "report.md").unlink()
    meta = place.session() / "meta.json"
    meta.write_text(meta.read_text().replace('"completed"', '"stopped"'), encoding="utf-8")
    assert planned(place)["resumes"] == name
    assert planned(place, "--fresh")["resumes"] is None


def refused(run: Run, code: str) -> None:
    document = failed(run, 2, "usage")
    assert document["error"]["code"] == code


def test_what_would_be_refused_is_refused(world: World) -> None:
    place = world.place()
    refused(place.run("research", Q, "--dry-run", "--json", "--budget", "1"), "unknown-price")
    refused(place.run("research", " ", "--dry-run", "--json"), "empty-query")
    refused(
        place.run("research", Q, "--dry-run", "--json", "--backend", "gogle"), "unknown-backend"
    )
    assert nothing_happened(world, place)


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_a_search_without_a_price_is_refused_before_anything_is_paid(
    world: World, options: tuple[str, ...]
) -> None:
    """The first of the two has a price, so the second would only be met in the middle."""
    pumps(world, 1)
    place = world.place()
    run = place.run(
        "research", Q, "--json", "--budget", "1", "--backend", "exa", "--backend", "jina", *options,
        **PRICED, JINA_API_KEY="key",
    )  # fmt: skip
    refused(run, "unknown-price")
    assert "jina" in run.json["error"]["message"]
    assert nothing_happened(world, place)
