"""A large cache answers from its index as a small one does from its directories."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import intelli.store
from intelli.errors import NothingFound
from intelli.records import Answer, Link, Page, Query, Report, Research, Source
from intelli.store import Store
from intelli.store.corpus import pages_with
from intelli.store.filters import Filter
from intelli.store.grep import grep
from intelli.store.listing import database
from intelli.store.patterns import compiled, required
from intelli.suggest.related import related
from tests.world.sessions import write_session

NOW = datetime(2026, 4, 20, tzinfo=UTC)


@pytest.fixture(params=["small", "large"])
def cache(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four sessions; every cache with one session or more counts as large in half of the runs."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    size = 0 if request.param == "large" else 1000
    monkeypatch.setattr("intelli.store.SMALL", size)
    for module in ("intelli.store.grep", "intelli.store.corpus"):
        monkeypatch.setattr(f"{module}.FEW", size)
    cache = tmp_path / "sessions"
    for n, (query, text) in enumerate(
        [
            ("How long do pumps last?", "A pump lasts 12 years.\n\n## Care\n\nOil the *gasket*."),
            ("How loud are valves?", "A valve is quiet.\n\n## Noise\n\nNever above 30 dB."),
            ("Why do pumps leak?", "The gasket is worn."),
            ("Что такое насос?", "Насос качает воду. Naïve café."),
        ]
    ):
        site = "https://docs.pumps.test/a" if n % 2 == 0 else "https://valves.test/b"
        write_session(cache, query, {site: text}, summary=f"{text} [1]", day=f"2026-04-{10 + n}")
    return cache


def queries(store: Store, only: Filter | None = None, limit: int = 10) -> list[str]:
    return [session.query for session in store.newest(limit, only)[0]]


def test_the_newest_come_first_with_how_many_there_are(cache: Path) -> None:
    found, total = Store(cache).newest(2)
    assert [s.query for s in found] == ["Что такое насос?", "Why do pumps leak?"]
    assert total == 4


def test_a_list_is_limited_by_date_words_and_site(cache: Path) -> None:
    store = Store(cache)
    since = datetime(2026, 4, 12, tzinfo=UTC)
    assert queries(store, Filter(since=since)) == ["Что такое насос?", "Why do pumps leak?"]
    assert len(queries(store, Filter(before=since))) == 2
    assert queries(store, Filter(words="pump")) == ["Why do pumps leak?", "How long do pumps last?"]
    assert queries(store, Filter(words="pumps leak")) == ["Why do pumps leak?"]
    assert len(queries(store, Filter(site="pumps.test"))) == 2
    assert len(queries(store, Filter(site="docs.pumps.test"))) == 2
    assert queries(store, Filter(site="umps.test")) == []
    assert queries(store, Filter(words="pump", site="valves.test")) == []


def test_related_questions_are_found(cache: Path) -> None:
    asked = Query(text="when will a pump leak")
    offered = related(asked, Store(cache).questions(asked.text))
    assert offered[0].query == "Why do pumps leak?"
    assert "How loud are valves?" not in [each.query for each in offered]


def lines(cache: Path, pattern: str, **how: bool) -> list[tuple[str, int, str, str]]:
    options = {"literal": False, "ignore_case": False, **how}
    found = grep(cache, compiled(pattern, **options))
    return [(match.part, match.n, match.heading, match.line) for match in found]


def test_a_pattern_is_found_in_reports_and_sources(cache: Path) -> None:
    assert ("sources", 1, "Care", "Oil the *gasket*.") in lines(cache, r"gask\w+")
    assert {part for part, *_ in lines(cache, "30 dB")} == {"report", "sources"}
    assert lines(cache, "насос качает", ignore_case=True)
    assert not lines(cache, "насос качает")
    assert lines(cache, "*gasket*", literal=True)
    assert not lines(cache, "g.sket", literal=True)
    assert lines(cache, r"\d\d years")
    assert lines(cache, "ï")
    assert lines(cache, "^## N")
    assert not lines(cache, "nowhere")


def test_matches_of_the_newest_session_come_first(cache: Path) -> None:
    found = list(grep(cache, compiled("gasket", literal=True, ignore_case=False)))
    assert [match.session[:10] for match in found] == sorted(
        (match.session[:10] for match in found), reverse=True
    )


def test_a_session_removed_by_hand_is_gone_from_everything(cache: Path) -> None:
    store = Store(cache)
    assert lines(cache, "30 dB") and len(queries(store)) == 4
    shutil.rmtree(store.open("latest").path)
    (valves,) = (path for path in cache.iterdir() if "valves" in path.name)
    shutil.rmtree(valves)
    assert not lines(cache, "30 dB")
    assert queries(store) == ["Why do pumps leak?", "How long do pumps last?"]
    assert related(Query(text="loud valves"), store.questions("loud valves")) == ()
    with pytest.raises(NothingFound):
        store.open(valves.name)


def test_a_session_of_another_program_appears_in_everything(cache: Path) -> None:
    store = Store(cache)
    assert len(queries(store)) == 4 and not lines(cache, "turbine")
    write_session(
        cache, "Who builds turbines?", {"https://t.test/": "A turbine."}, day="2026-05-01"
    )
    assert queries(store)[0] == "Who builds turbines?"
    assert lines(cache, "turbine")
    assert store.open("latest").query.text == "Who builds turbines?"
    assert len(queries(store, Filter(site="t.test"))) == 1


def finish(store: Store, text: str, page: str = "words") -> str:
    session = store.begin(Query(text=text), "local", NOW)
    link = Link(url="https://new.test/")
    session.save_links(Answer(links=(link,)))
    read = Page(link=link, final_url=link.url, text=page)
    session.save_page(1, read)
    done = Research(
        query=Query(text=text),
        engine="local",
        outcome="completed",
        timestamp=NOW.isoformat(timespec="seconds"),
        report=Report(summary="Fine. [1]"),
        sources=(Source(n=1, link=link, status="ok", page=read),),
    )
    return session.finish(done).session


def test_a_finished_run_is_listed_found_and_refreshed(cache: Path) -> None:
    store = Store(cache)
    assert len(queries(store)) == 4
    name = finish(store, "What is new?", "the first text")
    assert queries(store)[0] == "What is new?" and lines(cache, "first text")
    assert store.open(name[-6:]).name == name
    assert finish(store, "What is new?", "another text") == name
    assert lines(cache, "another text")
    assert sorted(path.name for path in store._sharing(name[-6:])) == [name, f"{name}.1"]
    assert store.remove([name]) == (name,)
    assert not lines(cache, "another text")


def test_runs_of_a_question_are_found_again(cache: Path) -> None:
    store = Store(cache)
    queries(store)
    finish(store, "What is new?")
    again = store.reusable(Query(text="What is new?"), "local", NOW - timedelta(days=1))
    assert again is not None and again.query.text == "What is new?"


def test_a_damaged_index_is_built_anew(cache: Path) -> None:
    store = Store(cache)
    queries(store)
    path = database(cache)
    if path.is_file():
        path.write_bytes(b"no database at all" * 1000)
    assert len(queries(store)) == 4
    assert len(queries(store)) == 4
    assert lines(cache, "30 dB")


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE sessions (x)"],
        ["CREATE TABLE state (a, b, c)", "CREATE VIEW terms AS SELECT 1 AS term, 2 AS session"],
        ["CREATE TABLE packed (session TEXT)", "CREATE TABLE words (body)"],
    ],
)
def test_an_index_with_other_tables_than_ours_is_built_anew(
    cache: Path, statements: list[str]
) -> None:
    path = database(cache)
    path.parent.mkdir(parents=True)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
    for _ in range(2):
        assert len(queries(Store(cache))) == 4
        assert lines(cache, "30 dB") and pages_with(cache, ("gasket",), 5) != []


def test_values_that_nobody_wrote_make_the_index_new(cache: Path) -> None:
    assert len(queries(Store(cache))) == 4 and lines(cache, r"[a-z]\d|30 d")
    path = database(cache)
    if path.is_file():
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE sessions SET sources = 'many'")
            connection.execute("UPDATE packed SET texts = x'00'")
    for _ in range(2):
        assert len(queries(Store(cache))) == 4 and lines(cache, r"[a-z]\d|30 d")


def test_a_run_ends_while_another_process_writes_the_index(cache: Path) -> None:
    store = Store(cache)
    assert len(queries(store)) == 4
    path = database(cache)
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        name = finish(store, "What is new?")
        writer.execute("ROLLBACK")
    assert store.open("latest").name == name and len(queries(store)) == 5


def test_a_name_that_is_no_text_breaks_nothing(cache: Path) -> None:
    session = next(path for path in cache.iterdir() if "valves" in path.name)
    os.rename(session, os.fsencode(session) + b"\xff")  # noqa: PTH104 - no name that a Path can be
    pumps = next(path for path in cache.iterdir() if "last" in path.name)
    (pumps / os.fsdecode(b"sources/02-\xff.md")).write_text("# Odd")
    for _ in range(2):
        assert len(queries(Store(cache))) == 3
        assert lines(cache, "12 years") and not lines(cache, "30 dB")
    large = len(list(cache.iterdir())) > intelli.store.SMALL
    assert database(cache).is_file() == large, "it is not built anew each time"


def test_an_index_that_cannot_be_written_is_done_without(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert len(queries(Store(cache))) == 4
    assert lines(cache, "30 dB")


def test_pages_are_led_to_by_their_rare_words(cache: Path) -> None:
    found = pages_with(cache, ("gasket", "worn"), 5)
    if found is not None:  # a small cache is read without an index
        assert "worn" in found[0].read_text(encoding="utf-8")
        assert all(path.parent.name == "sources" for path in found)


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"berth \d+ of", ("berth ", " of")),
        ("(foo|bar)baz", ("baz",)),
        ("ab(cd)+ef", ("ab", "cd", "ef")),
        ("x?yzw", ("yzw",)),
        ("(?!abc)def", ("def",)),
        ("[a-z]+", ()),
        ("a|b", ()),
        ("(?:one)two", ("onetwo",)),
        ("(?i:AB)c", ("ABc",)),
    ],
)
def test_what_a_pattern_requires_stands_in_all_it_matches(
    pattern: str, texts: tuple[str, ...]
) -> None:
    assert required(compiled(pattern, literal=False, ignore_case=False)) == texts
