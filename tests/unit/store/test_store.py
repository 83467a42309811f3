"""Which run is resumed, what a ref finds, what a list shows and what `remove` takes away."""

from __future__ import annotations

import json
import os
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
    files,
    good,
    lost,
    page,
    research,
    stop,
    write,
)

HASH = NAME[-6:]
LATER = WHEN + timedelta(days=1)

# --- resuming -----------------------------------------------------------------------------------


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


# --- refs ---------------------------------------------------------------------------------------


def test_a_session_is_found_by_name_hash_and_latest(tmp_path: Path) -> None:
    write(tmp_path)
    other = begin(Store(tmp_path), query=Query(text="Later?"), when=LATER).finish(
        replace(research(query=Query(text="Later?")), timestamp=LATER.isoformat())
    )
    store = Store(tmp_path)
    assert store.open(NAME).name == store.open(HASH).name == NAME
    assert store.open("latest").name == other.session
    session, source = store.source(f"{HASH}:2")
    assert (session.name, source.n, source.title) == (NAME, 2, "Guide 2")


def test_a_shared_hash_means_the_newest_and_is_not_short(tmp_path: Path) -> None:
    write(tmp_path, "Old [1].")
    assert Store(tmp_path).short(NAME) == HASH
    write(tmp_path, "New [1].")
    store = Store(tmp_path)
    assert store.open(HASH).answer.summary == "New [1]."
    assert store.short(NAME) == NAME and store.short("notes") == "notes"
    assert store.open(f"{NAME}.1").answer.summary == "Old [1]."


def test_latest_is_never_a_run_that_still_goes_on(tmp_path: Path) -> None:
    write(tmp_path)
    with begin(Store(tmp_path), query=Query(text="Now?"), when=LATER) as live:
        live.save_links(answer())
        assert Store(tmp_path).open("latest").name == NAME
    assert Store(tmp_path).open("latest").name == live.name


@pytest.mark.parametrize(
    "ref",
    ["..", ".", "", "../c", "/etc", "a/../b", f"../c/{NAME}", f"{NAME}/sources", f"./{NAME}",
     ".index.json", "..\\c", "x\x00y", "n" * 5000, "ffffff", "\ud800"],
)  # fmt: skip
def test_a_ref_is_a_name_never_a_path(tmp_path: Path, ref: str) -> None:
    write(tmp_path / "c")
    with pytest.raises(NothingFound) as caught:
        Store(tmp_path / "c").open(ref)
    assert (caught.value.code, caught.value.exit_code) == ("no-session", 3)


def test_an_unknown_ref_names_what_is_near(tmp_path: Path) -> None:
    with pytest.raises(NothingFound) as caught:
        Store(tmp_path / "none").open("latest")
    assert "no sessions" in caught.value.hint and not (tmp_path / "none").exists()
    write(tmp_path)
    with pytest.raises(NothingFound) as caught:
        Store(tmp_path).open(NAME.replace("rows", "raws"))
    assert NAME in caught.value.hint


@pytest.mark.parametrize("ref", ["latest:0", "latest:x", "latest:-1", "latest:", "latest"])
def test_a_ref_without_a_proper_number_is_wrong_usage(tmp_path: Path, ref: str) -> None:
    write(tmp_path)
    with pytest.raises(UsageError) as caught:
        Store(tmp_path).source(ref)
    assert caught.value.code == "bad-ref"


def test_an_unknown_source_names_the_numbers_there_are(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(NothingFound) as caught:
        Store(tmp_path).source("latest:9")
    assert caught.value.code == "no-source" and "1, 2, 3" in caught.value.hint


def test_links_out_of_the_cache_directory_are_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "outside")
    write(tmp_path / "c")
    (tmp_path / "c" / "2026-01-01-linked-abcdef").symlink_to(tmp_path / "outside" / NAME)
    secret = tmp_path / "secret"
    secret.write_text("# Secret\n\n> Source: https://x.test/\n\n---\n\nkey\n")
    folder = tmp_path / "c" / NAME / "sources"
    (folder / "05-evil.md").symlink_to(secret)
    (folder / "06-pipe.md").unlink(missing_ok=True)
    os.mkfifo(folder / "06-pipe.md")
    store = Store(tmp_path / "c")
    assert [s.name for s in store.sessions()] == [NAME]
    assert [s.n for s in store.open(NAME).sources] == [1, 2, 3]
    with pytest.raises(NothingFound):
        store.open("2026-01-01-linked-abcdef")


# --- lists --------------------------------------------------------------------------------------


def test_every_session_is_listed_newest_first(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path)
    other = begin(Store(tmp_path), query=Query(text="Later?"), when=LATER)
    other.save_page(1, page(1))
    other.stop(replace(research(query=Query(text="Later?"), outcome="stopped"), timestamp=""))
    found = Store(tmp_path).sessions()
    assert [(s.name, s.outcome, s.finished, s.archived) for s in found] == [
        (other.name, "stopped", False, False),
        (NAME, "completed", True, False),
        (f"{NAME}.1", "completed", True, True),
    ]
    assert (found[1].query, found[1].focus, found[1].engine, found[1].sources) == (
        QUESTION.text, "limits", "local", 2)  # fmt: skip


def test_reading_creates_nothing(tmp_path: Path) -> None:
    write(tmp_path)
    for lock in tmp_path.rglob("*.lock"):
        lock.unlink()
    before = sorted(tmp_path.rglob("*"))
    store = Store(tmp_path)
    store.sessions()
    store.open("latest")
    assert store.reusable(QUESTION, "local", WHEN)
    with pytest.raises(NothingFound):
        store.open("2026-01-01-no-abcdef")
    assert sorted(tmp_path.rglob("*")) == before
    assert Store(tmp_path / "none").sessions() == ()
    assert not (tmp_path / "none").exists()


def test_a_finished_session_of_the_same_question_can_be_reused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert store.reusable(QUESTION, "local", WHEN) is None
    write(tmp_path, "Old [1].")
    write(tmp_path, "New [1].")
    found = store.reusable(QUESTION, "local", WHEN)
    assert found and found.name == NAME and found.answer.summary == "New [1]."
    assert store.reusable(QUESTION, "local", WHEN + timedelta(seconds=1)) is None
    assert store.reusable(replace(QUESTION, urls=3), "local", WHEN) is None
    assert store.reusable(replace(QUESTION, focus=""), "local", WHEN) is None
    assert store.reusable(QUESTION, "llm", WHEN) is None


def test_a_removed_session_is_gone_from_disk_and_index(tmp_path: Path) -> None:
    write(tmp_path)
    assert Store(tmp_path).remove(HASH) == NAME
    assert files(tmp_path) == set() and Store(tmp_path).sessions() == ()
    assert json.loads((tmp_path / ".index.json").read_text()) == {"searches": []}
    with pytest.raises(NothingFound):
        Store(tmp_path).remove(NAME)


def test_a_live_run_is_not_removed(tmp_path: Path) -> None:
    with begin(Store(tmp_path)) as live:
        live.save_links(answer())
        with pytest.raises(UsageError, match="being written"):
            Store(tmp_path).remove(NAME)
        live.save_page(1, page(1))
