"""A run killed before any change on disk loses nothing that was confirmed, and mends itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from intelli.store import Store, StoredSession
from tests.crash.store_writer import SUMMARY
from tests.unit.store.samples import NAME, begin, extract, good, lost, page, research, write

ROOT = Path(__file__).resolve().parents[2]
OLD = "The old answer [1]."


def killed_runs(root: Path, earlier: Path | None, *how: str) -> list[tuple[Path, set[str]]]:
    """Every cache directory that a killed run left, with what was confirmed as saved."""
    command = [sys.executable, "-m", "tests.crash.store_writer", str(root)]
    command += [str(earlier), *how] if earlier else []
    subprocess.run(command, cwd=ROOT, check=True)
    found = []
    for cache in sorted(path for path in root.iterdir() if path.is_dir()):
        note = root / f"{cache.name}.saved"
        found.append((cache, set(note.read_text().split()) if note.exists() else set()))
    assert len(found) > 30, "the run makes more changes than that"
    assert sum("report" in saved for _, saved in found) == 1
    return found


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", ["first", "repeat", "again"])
def test_a_run_killed_at_any_step(tmp_path: Path, kind: str) -> None:
    refresh = kind != "first"
    earlier = tmp_path / "earlier" if refresh else None
    if earlier:
        write(earlier, OLD)
    (tmp_path / "runs").mkdir()
    for cache, saved in killed_runs(
        tmp_path / "runs", earlier, *([kind] if kind == "again" else [])
    ):
        try:
            check_reading(cache, refresh)
            check_resuming(cache, saved)
            check_order(cache, refresh)
        except BaseException as error:
            error.add_note(f"killed before change {cache.name}, saved: {sorted(saved)}")
            raise


def check_reading(cache: Path, refresh: bool) -> None:
    """A reader sees the old report or the new one, whole, and nothing half written."""
    store = Store(cache)
    for summary in store.sessions():
        check_whole(store.open(summary.name))
    if (cache / ".index.json").exists():
        slugs = [e["slug"] for e in json.loads((cache / ".index.json").read_text())["searches"]]
        assert slugs in ([], [NAME])
    if refresh:
        assert store.open(NAME).answer.summary in (OLD, SUMMARY)
        assert set(store.open(NAME).texts()) == {1, 2}


def check_whole(session: StoredSession) -> None:
    for source in session.sources:
        assert source.n in (1, 2, 3)
        assert source.record.page in (None, page(source.n))
        if source.extraction:
            assert source.record.extract == extract(source.n)


def check_resuming(cache: Path, saved: set[str]) -> None:
    """The next run takes over all that was confirmed and finishes."""
    if "report" in saved or _is_done(cache):
        return
    with begin(Store(cache)) as session:
        done = {source.n: source for source in session.resumed.sources}
        assert bool(session.resumed.answer.links) >= ("links" in saved)
        for n in (1, 2):
            assert n in done or f"page{n}" not in saved
            assert f"extract{n}" not in saved or done[n].extract == extract(n)
        final = session.finish(research(SUMMARY, sources=(good(1), good(2), lost(3))))
    assert final.session == NAME


def _is_done(cache: Path) -> bool:
    """Killed between the report and the end: there is nothing left to resume."""
    store = Store(cache)
    return any(store.open(found.name).answer.summary == SUMMARY for found in store.sessions())


def check_order(cache: Path, refresh: bool) -> None:
    """Afterwards the directory looks as if nobody had been killed."""
    begin(Store(cache), fresh=True).finish(research("One more [1]."))
    store = Store(cache)
    assert store.open(NAME).answer.summary == "One more [1]."
    names = {path.name for path in cache.iterdir() if path.is_dir()}
    assert names == {NAME, f"{NAME}.1", *([f"{NAME}.2"] if refresh else [])}
    summaries = {store.open(name).answer.summary for name in names}
    assert summaries == {"One more [1].", SUMMARY, *([OLD] if refresh else [])}
    assert not list(cache.rglob(".tmp-*")) and not list(cache.glob(".trash-*"))
    index = json.loads((cache / ".index.json").read_text())["searches"]
    assert [entry["slug"] for entry in index] == [NAME]
