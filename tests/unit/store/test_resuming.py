"""Which run the same question goes on with, and what it takes over."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from intelli.errors import NothingFound, UsageError
from intelli.records import Failure, Query, Source
from intelli.store import Given, Store, load_research
from tests.unit.store.samples import (
    NAME,
    QUESTION,
    WHEN,
    answer,
    begin,
    extract,
    good,
    lost,
    page,
    research,
    stop,
    write,
)

LATER = WHEN + timedelta(days=1)


@pytest.mark.parametrize("outcome", ["stopped", "interrupted", "collation-failed", "running"])
def test_a_run_that_stopped_short_is_resumed(tmp_path: Path, outcome: str) -> None:
    name = stop(tmp_path, outcome)
    with begin(Store(tmp_path), when=LATER) as session:
        assert session.name == name
        assert session.resumed.answer == answer()
        first, second = session.resumed.sources
        assert first == replace(good(1), file="01-site1-test.md")
        assert (second.status, second.page, second.extract) == ("late", page(2), None)
        assert session.resumed.usage.by_role["extract"].calls == 2
        assert session.source_text(2).startswith("# Guide 2")


def test_a_resumed_run_finishes_with_what_it_took_over(tmp_path: Path) -> None:
    stop(tmp_path)
    session = begin(Store(tmp_path), when=LATER)
    session.save_extract(2, extract(2))
    sources = (*session.resumed.sources[:1], good(2), lost(3))
    done = session.finish(replace(research(sources=sources), timestamp=""))
    assert done.timestamp == "2026-04-20T10:00:00+00:00"
    assert load_research(Store(tmp_path).open(NAME)) == done
    assert begin(Store(tmp_path), when=LATER).resumed.sources == ()


def test_failed_sources_keep_their_numbers_in_a_resumed_run(tmp_path: Path) -> None:
    session = begin(Store(tmp_path))
    session.save_links(answer())
    session.save_outcome(lost(2))
    session.save_page(1, page(1))
    why = Failure(stage="extract", code="timeout", reason="slow")
    session.save_outcome(Source(n=1, link=page(1).link, status="failed", page=page(1), failure=why))
    session.stop(research(sources=(lost(2),), outcome="stopped"))
    first, second = begin(Store(tmp_path)).resumed.sources
    assert (first.n, first.status, first.page) == (1, "failed", page(1))
    assert replace(second, file="") == lost(2)


@pytest.mark.parametrize(
    "other",
    [
        replace(QUESTION, text="Another?"),
        replace(QUESTION, focus="prices"),
        replace(QUESTION, domains=("a.test",)),
        replace(QUESTION, only_domains=("a.test",)),
        replace(QUESTION, exclude_domains=("a.test",)),
    ],
)
def test_another_question_is_not_resumed(tmp_path: Path, other: Query) -> None:
    stop(tmp_path)
    assert begin(Store(tmp_path), query=other).resumed.answer.links == ()


def test_the_number_of_pages_and_the_order_of_domains_do_not_make_another_question(
    tmp_path: Path,
) -> None:
    asked = replace(QUESTION, domains=("a.test", "b.test"))
    with begin(Store(tmp_path), query=asked) as session:
        session.save_links(answer())
        session.save_page(1, page(1))
    again = replace(asked, domains=("b.test", "a.test"), urls=3)
    assert begin(Store(tmp_path), query=again).resumed.answer == answer()


def test_another_engine_or_other_given_pages_are_another_question(tmp_path: Path) -> None:
    stop(tmp_path)
    store = Store(tmp_path)
    docs = Given(docs=("notes",))
    assert store.begin(QUESTION, "llm", WHEN).resumed.answer.links == ()
    session = store.begin(QUESTION, "local", WHEN, given=docs)
    assert session.resumed.answer.links == ()
    session.save_page(1, page(1))
    session.close()
    assert store.open(session.name).docs == (Path("notes"),)
    assert store.begin(QUESTION, "local", WHEN, given=docs).name == session.name


def test_a_run_is_resumed_for_seven_days(tmp_path: Path) -> None:
    stop(tmp_path)
    store = Store(tmp_path)
    assert begin(store, when=WHEN + timedelta(days=7, seconds=1)).resumed.sources == ()
    assert begin(store, when=WHEN + timedelta(days=7)).resumed.sources


@pytest.mark.parametrize("outcome", ["fetch-failed", "extraction-failed", "error"])
def test_other_failures_start_anew_but_can_be_resumed_by_name(tmp_path: Path, outcome: str) -> None:
    name = stop(tmp_path, outcome)
    assert begin(Store(tmp_path)).resumed.sources == ()
    named = Store(tmp_path).begin(QUESTION, "local", WHEN, resume_name=name)
    assert named.name == name and named.resumed.sources


def test_only_the_last_run_counts(tmp_path: Path) -> None:
    stop(tmp_path)
    begin(Store(tmp_path), when=LATER, fresh=True).finish(
        replace(research(), timestamp=LATER.isoformat())
    )
    assert begin(Store(tmp_path), when=LATER).resumed.sources == ()


def test_a_live_run_is_not_taken_over(tmp_path: Path) -> None:
    with begin(Store(tmp_path)) as live:
        live.save_links(answer())
        live.save_page(1, page(1))
        other = begin(Store(tmp_path))
        assert other.resumed.sources == () and other.name == f"{NAME}.partial"
        with pytest.raises(UsageError, match="being written") as caught:
            Store(tmp_path).begin(QUESTION, "local", WHEN, resume_name=NAME)
        assert caught.value.retryable
        assert Store(tmp_path).open(NAME).outcome == "running"
    assert Store(tmp_path).open(NAME).outcome == "interrupted"
    assert begin(Store(tmp_path)).resumed.sources


def test_a_live_run_of_another_process_is_seen(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from tests.unit.store.samples import answer, begin, page\n"
        "from intelli.store import Store\n"
        "session = begin(Store(Path(sys.argv[1])))\n"
        "session.save_links(answer())\n"
        "session.save_page(1, page(1))\n"
        "print('saved', flush=True)\n"
        "sys.stdin.read()\n"
    )
    root = Path(__file__).resolve().parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdout and child.stdin
        assert child.stdout.readline() == b"saved\n"
        assert Store(tmp_path).open(NAME).outcome == "running"
        assert begin(Store(tmp_path)).name == f"{NAME}.partial"
        child.kill()
    assert Store(tmp_path).open(NAME).outcome == "interrupted"
    with begin(Store(tmp_path)) as session:
        assert session.name == NAME and session.resumed.sources[0].page == page(1)


def test_a_finished_session_cannot_be_resumed(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(UsageError, match="is finished"):
        Store(tmp_path).begin(QUESTION, "local", WHEN, resume_name="latest")
    with pytest.raises(NothingFound):
        Store(tmp_path).begin(QUESTION, "local", WHEN, resume_name="nothing")


def test_half_written_files_of_the_dead_are_swept_and_never_read(tmp_path: Path) -> None:
    name = stop(tmp_path)
    for place in (tmp_path, tmp_path / name, tmp_path / name / "sources"):
        (place / ".tmp-0123456789abcdef").write_text("# half")
    assert {s.n for s in Store(tmp_path).open(name).sources} == {1, 2}
    begin(Store(tmp_path)).close()
    assert not list(tmp_path.rglob(".tmp-*"))
