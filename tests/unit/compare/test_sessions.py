"""Two sessions side by side: pages by their address and text, statements with the reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from intelli.changes import Difference
from intelli.compare.sessions import difference
from intelli.records import Conflict, Position
from intelli.show.difference import changes_line, difference_body, difference_text
from intelli.store import Store, StoredSession
from tests.world.sessions import write_session

Q = "how many jobs does a widget hold"
LIMIT, SPEED, PRICE = "https://a.test/limit", "https://b.test/speed", "https://c.test/price"


def stored(cache: Path, day: str, summary: str, sources: dict[str, str]) -> StoredSession:
    return Store(cache).open(write_session(cache, Q, sources, summary=summary, day=day).name)


@pytest.fixture
def before(tmp_path: Path) -> StoredSession:
    summary = "A widget holds 32 jobs. [1]\n\nIt starts in 3 seconds. [2]\n\nIt is blue. [2]"
    pages = {LIMIT: "It holds 32.\nSee below.", SPEED: "It starts in 3 seconds."}
    return stored(tmp_path, "2026-04-19", summary, pages)


@pytest.fixture
def found(tmp_path: Path, before: StoredSession) -> Difference:
    """The limit's page changed and comes second now, the speed's is the same, a price is new."""
    summary = "It starts in 4 seconds. [1]\n\nA widget holds 64 jobs. [2]\n\nIt costs 9 euros. [3]"
    pages = {
        SPEED: "It starts in 3 seconds.",
        LIMIT: "It holds 64.\nSee below.\nMore.",
        PRICE: "Nine euros.",
    }
    return difference(before, stored(tmp_path, "2026-05-01", summary, pages))


def test_pages_are_matched_by_address(found: Difference) -> None:
    pages = {page.url: page for page in found.pages}
    assert (pages[SPEED].kind, pages[SPEED].before, pages[SPEED].after) == ("same", 2, 1)
    limit = pages[LIMIT]
    assert (limit.kind, limit.lines_added, limit.lines_removed) == ("changed", 2, 1)
    assert (pages[PRICE].kind, pages[PRICE].before, pages[PRICE].after) == ("new", None, 3)


def test_each_change_says_whether_the_page_accounts_for_it(found: Difference) -> None:
    changes = {
        (change.after or change.before).text[:12]: (change.kind, change.cause)  # type: ignore[union-attr]
        for change in found.claims
    }
    assert changes == {
        "It starts in": ("changed", "wording"),
        "A widget hol": ("changed", "page-changed"),
        "It costs 9 e": ("new", "page-new"),
        "It is blue. ": ("gone", "wording"),
    }


def test_a_page_whose_text_is_lost_is_unknown(tmp_path: Path, before: StoredSession) -> None:
    after = stored(tmp_path, "2026-05-01", "A widget holds 64 jobs. [1]", {LIMIT: "x"})
    (after.path / "sources" / "01-a-test.md").write_text(f"# P\n\n> Source: {LIMIT}\n\n---\n\n")
    lost = difference(before, Store(tmp_path).open(after.name))
    assert lost.claims[0].cause == "unknown"
    assert [page.known for page in lost.pages if page.url == LIMIT] == [False]


def test_conflicts_appear_and_close(before: StoredSession) -> None:
    def conflict(topic: str, *sides: str) -> Conflict:
        positions = tuple(Position(statement=side, sources=(1,)) for side in sides)
        return Conflict(topic=topic, kind="figure", positions=positions)

    old = (
        conflict("size of a job", "a job has 3 kB", "a job has 4 kB"),
        conflict("colour", "blue"),
    )
    new = (conflict("price", "9 euros"), conflict("job size", "a job has 3 kB", "a job has 5 kB"))
    first = replace(before, answer=replace(before.answer, conflicts=old))
    second = replace(before, answer=replace(before.answer, conflicts=new))
    changes = [(each.kind, each.conflict.topic) for each in difference(first, second).conflicts]
    assert changes == [("new", "price"), ("changed", "job size"), ("gone", "colour")]
    assert all(each.kind == "same" for each in difference(first, first).conflicts)


def test_the_same_session_twice_has_no_difference(before: StoredSession) -> None:
    same = difference(before, before)
    assert same.is_empty and changes_line(same) == "nothing changed since 2026-04-19 00:00"
    assert difference_body(same)["changed"] is False


def test_one_line_says_what_changed(found: Difference) -> None:
    line = changes_line(found)
    assert line.startswith("since 2026-04-19 00:00: 2 statements changed (")
    assert "1 new, 1 gone; 1 page added, 1 page changed" in line and "\n" not in line


@pytest.mark.parametrize("limit", [300, 500, 800, 8000])
def test_the_text_keeps_to_its_limit_and_ends_with_a_command(found: Difference, limit: int) -> None:
    text = difference_text(found, limit, lambda room: f"intelli diff --max-chars {room}")
    assert len(text) <= max(limit, 500)
    assert text.splitlines()[-1].startswith("intelli ")
    rest = text.splitlines()[-1]
    assert all(len(line) <= 80 for line in text.splitlines() if line != rest)
    whole = limit == 8000
    assert rest.startswith("intelli read" if whole else "intelli diff") or len(text) < limit


def test_of_what_cites_nothing_nobody_knows_the_reason(
    tmp_path: Path, before: StoredSession
) -> None:
    after = stored(tmp_path, "2026-05-01", "Somebody said that it floats.", {LIMIT: "It holds 64."})
    (said,) = (c for c in difference(before, after).claims if c.kind == "new")
    assert said.cause == ""
