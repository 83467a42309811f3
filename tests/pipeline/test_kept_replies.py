"""What a model has answered once is not paid twice, and what that saves is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipeline.kit import Q, asks, fact, pump, pumps, texts_below
from tests.world import Place, Say, World

REUSE = {"INTELLI_MODEL__REUSE": "3600"}
KEY = "sk-world-4711-secret"
NAMED = {"INTELLI_MODELS__EXTRACT__API_KEY_ENV": "WORLD_KEY", "WORLD_KEY": KEY}


def calls(world: World) -> tuple[int, int]:
    return len(asks(world, "extract")), len(asks(world, "collate"))


def test_the_same_again_costs_nothing_but_the_search(world: World) -> None:
    pumps(world, 2)
    place = world.place()
    first = place.run("research", Q, "--json", **REUSE).json["usage"]
    assert first["saved"] == {"usd": 0.0, "calls": 0}
    run = place.run("research", Q, **REUSE)
    assert run.code == 0 and fact(1) in run.stdout and calls(world) == (2, 1)
    assert "$0.0030 saved by 3 kept replies" in run.stderr
    usage = place.run("show", "latest", "--json").json["usage"]
    assert usage["saved"] == {"usd": 0.003, "calls": 3}
    assert usage["usd"] == pytest.approx(0.001), "the search"
    assert usage["by_role"]["extract"] == {
        "calls": 0, "usd": 0.0, "input_tokens": 0, "output_tokens": 0,
    }  # fmt: skip


def test_a_page_that_changed_is_extracted_anew(world: World) -> None:
    pumps(world, 2)
    place = world.place()
    place.run("research", Q, **REUSE)
    world.site.clear()
    for n in (1, 2):
        pump(world, n + 2 if n == 2 else n)
    world.knowledge.links = world.knowledge.links[-2:]
    place.run("research", Q, **REUSE)
    assert calls(world) == (3, 2)


def test_another_question_asks_anew(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    place.run("research", Q, **REUSE)
    place.run("research", Q, "--focus", "the brass", **REUSE)
    assert calls(world) == (2, 2)


@pytest.mark.parametrize(("options", "env"), [(("--fresh",), REUSE), ((), {})])
def test_fresh_and_the_setting_turn_it_off(
    world: World, options: tuple[str, ...], env: dict[str, str]
) -> None:
    pumps(world, 1)
    place = world.place()
    place.run("research", Q, **REUSE)
    place.run("research", Q, *options, **env)
    assert calls(world) == (2, 2)


def test_a_failed_collation_pays_for_its_extractions_once(world: World) -> None:
    pumps(world, 2)
    world.model.say("collate", Say(text=""))
    place = world.place()
    assert place.run("research", Q, **REUSE).code == 6
    world.model.say("collate", world.model.computed("collate"))
    assert place.run("resume", "latest", **REUSE).code == 0
    assert calls(world)[0] == 2


def test_no_key_is_among_what_is_kept(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    run = place.run("research", Q, **REUSE, **NAMED)
    assert run.code == 0
    kept = place.root / "home" / "cache" / "intelli" / "replies"
    assert any(kept.iterdir()) and (kept.stat().st_mode & 0o777) == 0o700
    assert KEY not in texts_below(place.root) + run.stdout + run.stderr


@pytest.mark.parametrize("damage", [b"", b"not a database at all" * 500])
def test_a_damaged_cache_costs_the_saving_alone(world: World, damage: bytes) -> None:
    pumps(world, 1)
    place = world.place()
    place.run("research", Q, **REUSE)
    database(place).write_bytes(damage)
    assert place.run("research", Q, **REUSE).code == 0


def database(place: Place) -> Path:
    return place.root / "home" / "cache" / "intelli" / "replies" / "cache.db"
