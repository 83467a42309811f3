"""What a ref finds, what a list shows and what `remove` takes away."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from intelli.errors import NothingFound, UsageError
from intelli.records import Query
from intelli.store import Store
from tests.unit.store.samples import (
    NAME,
    QUESTION,
    WHEN,
    answer,
    begin,
    files,
    page,
    research,
    write,
)

HASH = NAME[-6:]
LATER = WHEN + timedelta(days=1)

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
    assert Store(tmp_path).remove([NAME, "2026-01-01-nothing-abcdef"]) == (NAME,)
    assert files(tmp_path) == set() and Store(tmp_path).sessions() == ()
    assert json.loads((tmp_path / ".index.json").read_text()) == {"searches": []}
    assert Store(tmp_path).remove([NAME]) == ()
    assert not list(tmp_path.glob(".trash-*"))


def test_a_live_run_is_not_removed(tmp_path: Path) -> None:
    with begin(Store(tmp_path)) as live:
        live.save_links(answer())
        assert Store(tmp_path).remove([NAME]) == ()
        live.save_page(1, page(1))
