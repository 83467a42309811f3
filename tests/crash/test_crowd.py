"""Fifty commands at once on one cache: each has its session, and the index has all of them."""

from __future__ import annotations

import json

import pytest

from tests.world import World

CROWD = 50


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("before", [0, 1100], ids=["empty", "large"])
def test_fifty_commands_add_to_one_cache_at_once(world: World, before: int) -> None:
    from tests.world.sessions import write_session

    place = world.place(model=False)
    for n in range(before):
        write_session(place.cache, f"an older question {n}", {"https://a.test/": "It was so."})
    docs = place.project / "docs"
    docs.mkdir()
    (docs / "pump.md").write_text("# Pump\n\nThe pump P1 moves 12 litres a minute.\n", "utf-8")
    questions = [f"how many litres does the pump P1 move, case {n}" for n in range(CROWD)]
    runs = place.run_together(
        *(("research", each, "--docs", "docs", "--offline", "--json") for each in questions)
    )
    assert [run.code for run in runs] == [0] * CROWD, [run.stderr for run in runs if run.code]
    names = {run.json["session"] for run in runs}
    assert len(names) == CROWD
    assert len(place.sessions()) == before + CROWD
    listed = json.loads((place.cache / ".index.json").read_text("utf-8"))["searches"]
    assert names <= {entry["slug"] for entry in listed}
    assert len(listed) == min(1000, before + CROWD)
    hidden = {path.name for path in place.cache.iterdir() if path.name.startswith(".")}
    assert hidden <= {".index.json", ".gitignore", ".lock"}, "nothing half-written is left"
    found = place.run("list", "--json", "--limit", str(CROWD)).json
    assert found["total"] == before + CROWD
    assert {each["session"] for each in found["sessions"]} == names
