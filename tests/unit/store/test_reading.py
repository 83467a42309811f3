"""Sessions of other programs, damaged ones, and ones that change while they are read."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from intelli.errors import UsageError
from intelli.store import Store, load_research, parse_ref
from tests.unit.store.samples import NAME, begin, extract, good, page, research, write

REPORT = """# Which lock is right?

**Searched:** 2026-02-03

## Summary

Use an advisory lock [1].

### Details

It ends with the process [2].

## Source assessment

| # | Source |
|---|---|
| 1 | https://locks.test/ |
"""


def other_program(cache: Path) -> Path:
    """A directory as pi-intelli-search leaves it: no evidence, sparse metadata, gaps."""
    session = cache / "2026-02-03-which-lock-is-right-0a1b2c"
    for folder in ("sources", "extractions"):
        (session / folder).mkdir(parents=True)
    (session / "report.md").write_text(REPORT)
    (session / "query.txt").write_text("Which lock is right?")
    source = "# Locks\n\n> Source: https://www.locks.test/a\n\n---\n\nAdvisory locks.\n"
    (session / "sources" / "02-locks-test.md").write_text(source)
    (session / "sources" / "llms-full-locks-test.md").write_text("everything")
    notes = (
        "# Locks\n\n> Source: https://www.locks.test/a\n> Type: API reference\n\n---\n\nShort.\n"
    )
    (session / "extractions" / "02-locks-test.md").write_text(notes)
    alone = "# Forum\n\n> Source: https://forum.test/\n> Type: forum thread\n\n---\n\nAnswer.\n"
    (session / "extractions" / "04-forum-test.md").write_text(alone)
    return session


def test_a_session_of_another_program_is_read(tmp_path: Path) -> None:
    directory = other_program(tmp_path)
    stored = Store(tmp_path).open("0a1b2c")
    assert (stored.name, stored.outcome, stored.engine) == (directory.name, "completed", None)
    assert stored.query.text == "Which lock is right?"
    assert stored.timestamp == "2026-02-03T00:00:00Z"
    assert stored.texts() == {2: (directory / "sources" / "02-locks-test.md").read_text()}
    found = load_research(stored)
    assert found.report.summary == (
        "Use an advisory lock [1].\n\n### Details\n\nIt ends with the process [2]."
    )
    second, fourth = found.sources
    assert (second.status, second.file) == ("ok", "02-locks-test.md")
    assert second.extract and second.extract.source_type == "reference"
    assert second.page and second.page.text == "Advisory locks."
    assert fourth.page is None and fourth.extract and fourth.extract.text == "Answer."


def test_a_report_and_sources_are_enough(tmp_path: Path) -> None:
    directory = other_program(tmp_path)
    (directory / "query.txt").unlink()
    for path in (directory / "extractions").iterdir():
        path.unlink()
    stored = Store(tmp_path).open(directory.name)
    assert stored.query.text == "Which lock is right?"
    assert stored.source(2).text[stored.source(2).start :] == "Advisory locks.\n"
    (summary,) = Store(tmp_path).sessions()
    assert (summary.query, summary.outcome, summary.sources) == (stored.query.text, "completed", 1)


def test_keys_of_other_programs_in_the_metadata_are_understood(tmp_path: Path) -> None:
    directory = other_program(tmp_path)
    meta = {
        "schemaVersion": 1,
        "query": "Which lock is right?",
        "timestamp": "2026-02-03T04:05:06.789Z",
        "durationMs": 1200,
        "outcome": "completed",
        "stages": {"search": {"linksReturned": 3}},
    }
    (directory / "meta.json").write_text(json.dumps(meta))
    stored = Store(tmp_path).open("latest")
    assert stored.timestamp == meta["timestamp"]
    assert len(load_research(stored).sources) == 2


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", "null", '{"query": 7, "sources": [1, {"n": "x"}], "search": [], "usage": 3}',
     '{"sources": {}, "warnings": "w", "options": {"urls": "many"}, "timing": [1]}',
     '{"outcome": null, "timestamp": 12, "engine": "magic", "related": [null]}', "[" * 100_000],
)  # fmt: skip
def test_damaged_metadata_costs_no_source(tmp_path: Path, damage: str) -> None:
    write(tmp_path)
    for name in ("meta.json", "evidence.json"):
        (tmp_path / NAME / name).write_text(damage)
    found = load_research(Store(tmp_path).open(NAME))
    assert found.outcome == "completed"
    assert found.report.summary == "A database holds 10 GB [1]."
    assert [s.n for s in found.sources] == [1, 2]
    assert [s.page.text for s in found.sources if s.page] == [page(1).text, page(2).text]
    assert found.query.text.startswith("How many rows")


def test_one_broken_entry_costs_only_itself(tmp_path: Path) -> None:
    write(tmp_path)
    path = tmp_path / NAME / "meta.json"
    meta = json.loads(path.read_text())
    meta["sources"][0]["status"] = "splendid"
    meta["conflicts"][0]["kind"] = "new-kind"
    meta["later"] = {"key": "of a later version"}
    path.write_text(json.dumps(meta))
    found = load_research(Store(tmp_path).open(NAME))
    assert [(s.n, s.status) for s in found.sources] == [(1, "ok"), (2, "ok"), (3, "blocked")]
    assert found.report.conflicts == () and found.usage.total.calls == 2


def test_bytes_that_are_not_text_are_read_as_marks(tmp_path: Path) -> None:
    write(tmp_path)
    path = tmp_path / NAME / "sources" / "01-site1-test.md"
    path.write_bytes(b"# T\n\n> Source: https://a.test/\n\n---\n\nbad \xff\xfe byte\n")
    assert "bad \ufffd\ufffd byte" in Store(tmp_path).open(NAME).texts()[1]


def test_a_page_saved_just_before_a_kill_counts(tmp_path: Path) -> None:
    """The files are written first, so `meta.json` may know less than they do."""
    with begin(Store(tmp_path)) as session:
        session.save_page(1, page(1))
        known = (tmp_path / NAME / "meta.json").read_bytes()
        session.save_page(2, page(2))
    (tmp_path / NAME / "meta.json").write_bytes(known)
    with begin(Store(tmp_path)) as session:
        assert [(s.n, s.status, s.page) for s in session.resumed.sources] == [
            (1, "late", page(1)),
            (2, "late", session.resumed.sources[1].page),
        ]
        assert session.resumed.sources[1].page
        assert session.resumed.sources[1].page.text == page(2).text


def test_a_session_that_is_replaced_while_it_is_read_is_never_mixed(tmp_path: Path) -> None:
    """Each run writes its number everywhere; a reader must find one number only."""

    def run(k: int) -> None:
        sources = tuple(
            replace(good(n), page=replace(page(n), text=f"run {k}"),
                    extract=replace(extract(n), page=replace(page(n), text=f"run {k}")))
            for n in (1, 2, 3)
        )  # fmt: skip
        begin(Store(tmp_path)).finish(research(f"run {k}", sources=sources))

    run(0)
    writer = threading.Thread(target=lambda: list(map(run, range(1, 15))))
    writer.start()
    seen = set()
    while writer.is_alive():
        stored = Store(tmp_path).open(NAME)
        words = {
            stored.answer.summary,
            *(text.splitlines()[-1] for text in stored.texts().values()),
        }
        assert len(words) == 1 and len(stored.texts()) == 3
        seen |= words
    writer.join()
    assert Store(tmp_path).open(NAME).answer.summary == "run 14" and seen


def test_a_ref_is_taken_apart() -> None:
    assert parse_ref("3f7a2c:12") == ("3f7a2c", 12)
    assert parse_ref(" latest ") == ("latest", None)
    for bad in ("a:b", "a:0", "a:٣", "a:1234567"):
        with pytest.raises(UsageError):
            parse_ref(bad)
