"""`intelli diff`, and what a run says of the earlier one of its question."""

from __future__ import annotations

import pytest

from tests.pipeline.kit import Q, fact, failed, pumps
from tests.pipeline.shape import check_research
from tests.world import Place, World
from tests.world.sessions import write_session

A, B = "http://a.test/1", "http://b.test/2"
FAST = "The pump model P1 moves 90 litres a minute at 1.5 bar."


@pytest.fixture
def place(world: World) -> Place:
    """Two runs of a question on two days; the page of the first claim changed in between."""
    place = world.place(model=False)
    quiet = "It is quiet. [2]"
    write_session(
        place.cache, Q, {A: fact(1), B: "It is quiet."}, summary=f"{fact(1)} [1]\n\n{quiet}"
    )
    write_session(
        place.cache,
        Q,
        {B: "It is quiet.", A: FAST},
        summary=f"{quiet.replace('2', '1')}\n\n{FAST} [2]",
        day="2026-05-02",
    )
    return place


def test_two_sessions_are_compared(place: Place) -> None:
    old, new = (path.name for path in place.sessions())
    document = place.run("diff", old, new, "--json").json
    assert (document["outcome"], document["error"], document["changed"]) == (
        "completed",
        None,
        True,
    )
    assert document["totals"]["claims"] == {"changed": 1, "new": 0, "gone": 0, "same": 1}
    (changed,) = (claim for claim in document["claims"] if claim["change"] == "changed")
    assert changed["cause"] == "page-changed"
    assert (changed["before"]["sources"], changed["after"]["sources"]) == ([1], [2])
    assert place.run("read", changed["after"]["refs"][0]).stdout.count(FAST) == 1
    pages = {page["url"]: page["change"] for page in document["sources"]}
    assert pages == {A: "changed", B: "same"}
    assert place.shell(document["next"]).code == 0


def test_one_session_is_compared_with_the_run_before_it(place: Place) -> None:
    one, two = place.run("diff", "latest"), place.run("diff", *(p.name for p in place.sessions()))
    assert (one.code, one.stdout) == (0, two.stdout)
    assert "12 litres a minute → 90 litres a minute (the page changed)" in one.stdout
    last = one.stdout.splitlines()[-1]
    assert "90 litres" in place.shell(last).stdout
    assert all(len(line) <= 80 for line in one.stdout.splitlines() if line != last)
    assert "\x1b" not in place.terminal("diff", "latest")[1]


def test_a_cut_comparison_names_the_command_for_all_of_it(place: Place) -> None:
    short = place.run("diff", "latest", "--max-chars", "500").stdout
    assert len(short) <= 500
    whole = place.shell(short.splitlines()[-1]).stdout
    assert "was: " in whole and "was: " not in short


def test_what_cannot_be_compared_is_said(place: Place) -> None:
    old, new = (path.name for path in place.sessions())
    document = failed(place.run("diff", old, "--json"), 3, "not-found")
    assert document["error"]["code"] == "no-earlier-run"
    failed(place.run("diff", old, "nothing", "--json"), 3, "not-found")
    failed(place.run("diff", old, new, old, "--json"), 2, "usage")
    (place.cache / new / "report.md").unlink()
    (place.cache / new / "meta.json").write_text('{"outcome": "stopped"}')
    assert failed(place.run("diff", old, new, "--json"), 3, "not-found")["error"]["code"] == (
        "no-report"
    )


def test_a_new_run_says_in_one_line_what_changed(world: World) -> None:
    pumps(world, 2)
    place = world.place(model=False)
    first = place.run("research", Q, "--json", "--fresh")
    assert "changes" not in first.json, "there was no run before it"
    world.article("/p2", "Pump 2", ["The pump model P2 moves 77 litres a minute at 2.5 bar."])
    second = place.run("research", Q, "--fresh")
    (line,) = (line for line in second.stderr.splitlines() if line.startswith("since "))
    assert "13 litres a minute → 77 litres a minute" in line
    assert "77 litres" in place.shell(line.rpartition(" · ")[2]).stdout
    third = place.run("research", Q, "--fresh", "--json").json
    check_research(third)
    assert third["changes"]["summary"].startswith("nothing changed since ")
    assert third["changes"]["claims"]["changed"] == 0


def test_the_question_may_be_written_otherwise(world: World) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    assert place.run("research", Q).code == 0
    again = place.run("research", f"  {Q.upper()}? ", "--json").json
    assert again["changes"]["claims"]["same"] and len(place.sessions()) == 2


def test_an_archive_is_the_run_before(world: World) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    for _ in range(3):
        place.run("research", Q)
    newest = min(place.sessions(), key=lambda path: len(path.name))
    document = place.run("diff", newest.name, "--json").json
    assert document["before"]["session"] == f"{newest.name}.2"
