"""A run's directory: what is saved when, under which name, and what failure leaves behind."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from intelli.errors import StoreError
from intelli.records import Failure, Source
from intelli.store import Store, load_research
from tests.unit.store.samples import (
    NAME,
    QUESTION,
    answer,
    begin,
    extract,
    files,
    good,
    lost,
    page,
    research,
    stop,
    write,
)


def names(cache: Path) -> set[str]:
    return {path.name for path in cache.iterdir() if path.is_dir()}


def test_a_finished_run_has_the_files_of_the_format(tmp_path: Path) -> None:
    done = write(tmp_path / "c")
    assert (done.session, done.path) == (NAME, str(tmp_path / "c" / NAME))
    assert files(tmp_path / "c") == {
        f"{NAME}/{file}"
        for file in (
            "report.md", "query.txt", "meta.json", "evidence.json",
            "sources/01-site1-test.md", "sources/02-site2-test.md",
            "extractions/01-site1-test.md", "extractions/02-site2-test.md",
        )
    }  # fmt: skip
    assert not list((tmp_path / "c" / NAME).glob(".*"))
    assert (tmp_path / "c" / NAME / "query.txt").read_text() == QUESTION.text + "\n"


def test_what_was_finished_is_read_back_as_it_was(tmp_path: Path) -> None:
    done = write(tmp_path)
    assert load_research(Store(tmp_path).open(NAME)) == done
    assert [source.file for source in done.sources] == ["01-site1-test.md", "02-site2-test.md", ""]
    assert done.usage.total.usd is None


def test_finish_alone_writes_everything(tmp_path: Path) -> None:
    done = begin(Store(tmp_path)).finish(research())
    assert load_research(Store(tmp_path).open(NAME)) == done
    assert set(Store(tmp_path).open(NAME).texts()) == {1, 2}


def test_sources_of_every_status_come_back(tmp_path: Path) -> None:
    why = Failure(stage="extract", code="irrelevant", reason="nothing on it helps")
    sources = (
        good(1),
        Source(n=2, link=page(2).link, status="irrelevant", page=page(2), failure=why),
        lost(3),
        replace(good(4), extract=extract(4, text="")),
        Source(n=12, link=page(12).link, status="late", failure=replace(why, stage="fetch")),
    )
    done = begin(Store(tmp_path)).finish(research(sources=sources))
    back = load_research(Store(tmp_path).open(NAME))
    assert back == done
    assert [source.status for source in back.sources] == [s.status for s in sources]


def test_nothing_is_created_before_something_is_saved(tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "c"
    session = begin(Store(cache))
    assert session.name == NAME and session.path == cache / NAME
    stopped = session.stop(replace(research(), sources=(lost(1),), outcome="fetch-failed"))
    assert (stopped.session, stopped.path) == ("", "")
    assert not cache.exists()


def test_every_page_is_on_disk_when_save_returns(tmp_path: Path) -> None:
    with begin(Store(tmp_path)) as session:
        session.save_links(answer())
        session.save_page(1, page(1))
        path = tmp_path / NAME / "sources" / "01-site1-test.md"
        assert path.read_text(encoding="utf-8") == session.source_text(1)
        meta = json.loads((tmp_path / NAME / "meta.json").read_text())
        assert (meta["outcome"], meta["query"], len(meta["search"]["links"])) == (
            "running", QUESTION.text, 4)  # fmt: skip
        assert not (tmp_path / NAME / "report.md").exists()


def test_offsets_into_a_source_are_those_of_the_file(tmp_path: Path) -> None:
    with begin(Store(tmp_path)) as session:
        session.save_page(1, replace(page(1), text="naïve → “quoted”\r\nnext"))
        text = session.source_text(1)
    stored = (tmp_path / NAME / "sources" / "01-site1-test.md").read_bytes().decode()
    assert stored == text and "\r" not in text
    assert stored[stored.index("“quoted”") :].startswith("“quoted”\nnext")


def test_a_second_run_of_the_day_keeps_the_first_as_an_archive(tmp_path: Path) -> None:
    for k in range(3):
        assert write(tmp_path, f"Answer {k} [1].").session == NAME
    assert names(tmp_path) == {NAME, f"{NAME}.1", f"{NAME}.2"}
    store = Store(tmp_path)
    summaries = [store.open(n).answer.summary for n in (f"{NAME}.1", f"{NAME}.2", NAME)]
    assert summaries == [f"Answer {k} [1]." for k in range(3)]


def test_an_archive_takes_the_lowest_free_number(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / f"{NAME}.1").mkdir()
    (tmp_path / f"{NAME}.3").mkdir()
    write(tmp_path)
    assert (tmp_path / f"{NAME}.2" / "report.md").is_file()


def test_a_run_that_fails_leaves_the_earlier_one_alone(tmp_path: Path) -> None:
    write(tmp_path, "The good one [1].")
    before = {f: (tmp_path / f).read_bytes() for f in files(tmp_path)}
    assert stop(tmp_path) == f"{NAME}.partial"
    assert {f: (tmp_path / f).read_bytes() for f in before} == before
    assert Store(tmp_path).open(NAME).answer.summary == "The good one [1]."


def test_a_resumed_run_takes_the_name_when_it_succeeds(tmp_path: Path) -> None:
    write(tmp_path, "Old [1].")
    stop(tmp_path)
    session = begin(Store(tmp_path))
    assert session.name == f"{NAME}.partial"
    assert session.finish(research("New [1].")).session == NAME
    assert names(tmp_path) == {NAME, f"{NAME}.1"}
    assert Store(tmp_path).open(NAME).answer.summary == "New [1]."


def test_two_live_runs_of_one_question_both_succeed(tmp_path: Path) -> None:
    first, second, third = (begin(Store(tmp_path)) for _ in range(3))
    for session in (first, second, third):
        session.save_links(answer())
    assert [s.name for s in (first, second, third)] == [
        NAME, f"{NAME}.partial", f"{NAME}.partial-2"]  # fmt: skip
    assert second.finish(research("Second [1].")).session == f"{NAME}.1"
    assert first.finish(research("First [1].")).session == NAME
    assert third.finish(research("Third [1].")).session == NAME
    found = {
        s.name: Store(tmp_path).open(s.name).answer.summary for s in Store(tmp_path).sessions()
    }
    assert found == {NAME: "Third [1].", f"{NAME}.1": "Second [1].", f"{NAME}.2": "First [1]."}


def test_a_run_that_kept_nothing_makes_room_for_the_next(tmp_path: Path) -> None:
    with begin(Store(tmp_path)) as session:
        session.save_links(answer())
        session.stop(replace(research(), sources=(lost(1),), outcome="fetch-failed"))
    assert write(tmp_path).session == NAME
    assert names(tmp_path) == {NAME}


def test_a_fresh_run_keeps_the_stopped_one(tmp_path: Path) -> None:
    stop(tmp_path)
    assert write(tmp_path, "Fresh [1].", fresh=True).session == NAME
    assert names(tmp_path) == {NAME, f"{NAME}.1"}
    assert Store(tmp_path).open(f"{NAME}.1").outcome == "stopped"


def test_llms_full_files_outlive_a_refresh(tmp_path: Path) -> None:
    with begin(Store(tmp_path)) as session:
        session.save_llms_full("docs.site1.test", "all of it")
        session.save_llms_full("other.test", "old")
        session.finish(research())
    with begin(Store(tmp_path)) as session:
        session.save_llms_full("other.test", "new")
        session.finish(research())
    folder = tmp_path / NAME / "sources"
    assert (folder / "llms-full-docs-site1-test.md").read_text() == "all of it"
    assert (folder / "llms-full-other-test.md").read_text() == "new"
    assert set(Store(tmp_path).open(NAME).texts()) == {1, 2}


def test_files_of_sources_that_are_not_in_the_report_go(tmp_path: Path) -> None:
    with begin(Store(tmp_path)) as session:
        for n in (1, 2, 3):
            session.save_page(n, page(n))
        session.save_extract(3, extract(3))
        twin = Source(n=3, link=page(3).link, status="duplicate")
        session.finish(research(sources=(good(1), good(2), twin)))
    assert {p.name for p in (tmp_path / NAME / "sources").iterdir()} == {
        "01-site1-test.md", "02-site2-test.md"}  # fmt: skip
    assert {p.name for p in (tmp_path / NAME / "extractions").iterdir()} == {
        "01-site1-test.md", "02-site2-test.md"}  # fmt: skip


def test_a_number_that_gets_another_page_has_one_file(tmp_path: Path) -> None:
    with begin(Store(tmp_path)) as session:
        session.save_page(1, page(1))
        session.save_page(1, replace(page(2), text="the other"))
        assert "the other" in session.source_text(1)
    assert [p.name for p in (tmp_path / NAME / "sources").iterdir()] == ["01-site2-test.md"]


def test_a_closed_session_refuses_to_write(tmp_path: Path) -> None:
    session = begin(Store(tmp_path))
    session.finish(research())
    with pytest.raises(StoreError, match="closed"):
        session.save_page(1, page(1))


# --- version control ----------------------------------------------------------------------------


def test_a_new_cache_directory_is_kept_out_of_version_control(tmp_path: Path) -> None:
    cache = tmp_path / ".search"
    write(cache)
    assert (cache / ".gitignore").read_text() == "*\n"
    (cache / ".gitignore").unlink()
    write(cache)
    assert not (cache / ".gitignore").exists()


def test_a_cache_directory_of_others_gets_no_gitignore(tmp_path: Path) -> None:
    (tmp_path / "2026-01-01-old-abcdef").mkdir()
    write(tmp_path)
    assert not (tmp_path / ".gitignore").exists()
