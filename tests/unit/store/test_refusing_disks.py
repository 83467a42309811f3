"""A disk that refuses costs the saving, and never what was saved before."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from intelli.errors import StoreError
from intelli.records import Query, Research
from intelli.store import Store
from tests.unit.store.samples import NAME, answer, begin, files, page, research, write


@contextmanager
def disk_for(size: int) -> Iterator[None]:
    """No file may grow beyond `size` bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_cache_directory_that_is_a_file_is_named_in_the_error(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("not a directory")
    session = begin(Store(tmp_path / "c"))
    with pytest.raises(StoreError, match=r"cannot save to .*/c") as caught:
        session.save_links(answer())
    assert caught.value.code == "not-saved" and caught.value.hint
    with pytest.raises(StoreError):
        session.save_page(1, page(1))
    assert "Rows are bounded" in session.source_text(1)
    with pytest.raises(StoreError):
        session.finish(research())
    assert (tmp_path / "c").read_text() == "not a directory"


def test_a_full_disk_leaves_what_was_saved_whole(tmp_path: Path) -> None:
    session = begin(Store(tmp_path))
    session.save_links(answer())
    session.save_page(1, page(1))
    before = (tmp_path / NAME / "meta.json").read_bytes()
    with disk_for(2000), pytest.raises(StoreError, match="File too large"):
        session.save_page(2, page(2, words="much " * 1000))
    assert (tmp_path / NAME / "meta.json").read_bytes() == before
    assert files(tmp_path) == {f"{NAME}/meta.json", f"{NAME}/sources/01-site1-test.md"}
    session.save_page(2, page(2))
    assert session.finish(research()).outcome == "completed"


def test_a_report_that_cannot_be_written_is_no_report(tmp_path: Path) -> None:
    session = begin(Store(tmp_path))
    session.save_page(1, page(1))
    with disk_for(6000), pytest.raises(StoreError):
        session.finish(research(summary="long " * 3000))
    assert Store(tmp_path).open(NAME).report == ""
    session.close()
    assert begin(Store(tmp_path)).resumed.sources[0].page == page(1)


def test_a_session_is_saved_even_when_the_index_cannot_be(tmp_path: Path) -> None:
    (tmp_path / ".index.json").mkdir()
    done = write(tmp_path)
    assert done.session == NAME and "index" in done.warnings[-1]
    assert [s.name for s in Store(tmp_path).sessions()] == [NAME]


def test_a_directory_removed_under_a_run_is_an_error_not_a_crash(tmp_path: Path) -> None:
    session = begin(Store(tmp_path))
    session.save_links(answer())
    (tmp_path / NAME).rename(tmp_path / "elsewhere")
    with pytest.raises(StoreError):
        session.save_page(1, page(1))


def test_sources_are_never_written_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    session = begin(Store(tmp_path / "c"))
    session.save_links(answer())
    (tmp_path / "c" / NAME / "sources").symlink_to(outside)
    with pytest.raises(StoreError):
        session.save_page(1, page(1))
    assert not any(outside.iterdir())


def test_odd_characters_never_break_the_writing(tmp_path: Path) -> None:
    odd = Query(text="half \ud800 a\x00 \u202e character")
    done: Research = research("A \ud800 summary [1].", query=odd)
    session = begin(Store(tmp_path), query=odd)
    session.save_page(1, replace(page(1), text="text \udfff\x00", title="t\x1b[0m\n"))
    name = session.finish(done).session
    assert Store(tmp_path).open(name).answer.summary.startswith("A ")
