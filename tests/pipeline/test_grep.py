"""`intelli grep` and the filters of `list`, as they are run."""

from __future__ import annotations

import pytest

from tests.pipeline.kit import Q, fact, failed
from tests.world import Place, World
from tests.world.sessions import write_session

TEXT = f"Intro.\n\n## Limits\n\n{fact(1)}\n\n| a | b |\n| --- | --- |\n| 1 | GASKET |\n"


@pytest.fixture
def place(world: World) -> Place:
    place = world.place(model=False)
    write_session(place.cache, Q, {"https://docs.a.test/1": TEXT}, summary=f"{fact(1)} [1]")
    write_session(
        place.cache, "Who makes gaskets?", {"https://b.test/": "A gasket."}, day="2026-05-01"
    )
    return place


def test_a_match_says_where_it_stands_and_how_to_read_on(place: Place) -> None:
    document = place.run("grep", "GASK[A-Z]+", "--json").json
    (match,) = document["matches"]
    assert (match["part"], match["heading"], match["line"]) == (
        "sources",
        "Limits",
        "| 1 | GASKET |",
    )
    assert document["more"] is False
    shown = place.shell(match["next"])
    assert shown.code == 0 and "GASKET" in shown.stdout


def test_case_is_kept_unless_it_is_not_to_matter(place: Place) -> None:
    assert len(place.run("grep", "gasket", "-i", "--json").json["matches"]) > 1
    text = place.run("grep", "gasket", "-i", "--in", "sources").stdout
    assert text.index("A gasket.") < text.index("GASKET"), "the newest session first"
    assert text.rstrip().splitlines()[-1].startswith("intelli read ")


def test_many_matches_are_cut_and_said_so(place: Place) -> None:
    document = place.run("grep", ".", "--limit", "2", "--json").json
    assert len(document["matches"]) == 2 and document["more"] is True
    text = place.run("grep", ".", "--limit", "2").stdout
    assert "--limit 8 shows more" in text


def test_no_match_is_exit_code_3(place: Place) -> None:
    error = failed(place.run("grep", "nowhere", "--json"), 3, "not-found")["error"]
    assert error["code"] == "no-match"


@pytest.mark.parametrize(
    "arguments", [["["], ["x", "--in", "reports"], [""], ["x" * 1001], ["(" * 500 + ")" * 499]]
)
def test_what_is_no_pattern_is_wrong_usage(place: Place, arguments: list[str]) -> None:
    failed(place.run("grep", *arguments, "--json"), 2, "usage")


def test_a_pattern_that_would_take_years_is_given_up(place: Place) -> None:
    write_session(place.cache, "Which one?", {"https://c.test/": "a" * 60 + "b"})
    run = place.run("grep", "(a+)+$", "--json")
    error = failed(run, 2, "usage")["error"]
    assert error["code"] == "slow-pattern" and "--literal" in error["hint"]


def test_all_matches_are_found_in_a_long_line(place: Place) -> None:
    write_session(place.cache, "Which one?", {"https://c.test/": "xy " * 5000 + "\nxz"})
    document = place.run("grep", "x[yz]", "--in", "sources", "--json").json
    assert [match["line"][:3] for match in document["matches"]] == ["xy ", "xz"]


def test_a_list_can_be_limited(place: Place) -> None:
    def names(*options: str) -> list[str]:
        return [s["query"] for s in place.run("list", *options, "--json").json["sessions"]]

    assert names("--words", "gaskets") == ["Who makes gaskets?"]
    assert names("--site", "a.test") == [Q]
    assert names("--since", "2026-05-01") == ["Who makes gaskets?"]
    assert names("--before", "2026-05-01") == [Q]
    assert names("--words", "gaskets", "--site", "a.test") == []
    failed(place.run("list", "--since", "soon", "--json"), 2, "usage")
