"""Runs of a question that come before one, and sessions that begin with another's pages."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from intelli.store import Store
from intelli.store.meta import Origin
from tests.unit.store.samples import NAME, QUESTION, WHEN, answer, begin, good, lost, write

LATER = WHEN + timedelta(days=3)
ORIGIN = Origin(session=NAME, timestamp=WHEN.isoformat(), by="refresh")


def test_the_run_before_is_the_last_finished_one_of_the_question(tmp_path: Path) -> None:
    for summary in ("First [1].", "Second [1].", "Third [1]."):
        write(tmp_path, summary)
    store = Store(tmp_path)
    third = store.open(NAME)
    second = store.earlier(third)
    assert second is not None and second.answer.summary == "Second [1]."
    first = store.earlier(second)
    assert first is not None and first.answer.summary == "First [1]."
    assert store.earlier(first) is None


def test_a_run_that_stopped_is_none_before(tmp_path: Path) -> None:
    write(tmp_path)
    store = Store(tmp_path)
    with begin(store, when=WHEN + timedelta(hours=1), fresh=True) as session:
        session.save_links(answer())
    assert store.earlier(store.open(NAME)) is None


@pytest.mark.parametrize(
    "text",
    ["how many rows may a D1 table hold", " HOW many rows\tmay a d1 table hold ?!"],
)
def test_spacing_case_and_final_marks_make_no_other_question(tmp_path: Path, text: str) -> None:
    write(tmp_path)
    store = Store(tmp_path)
    found = store.reusable(replace(QUESTION, text=text), "local", WHEN)
    assert found is not None and found.name == NAME


@pytest.mark.parametrize(
    "other",
    [
        replace(QUESTION, text="How many rows may a D1 table hold now?"),
        replace(QUESTION, text="How many rows may a D2 table hold?"),
        replace(QUESTION, focus="prices"),
        replace(QUESTION, urls=3),
        replace(QUESTION, only_domains=("a.test",)),
    ],
)
def test_another_question_is_not_answered(tmp_path: Path, other: object) -> None:
    write(tmp_path)
    assert Store(tmp_path).reusable(other, "local", WHEN) is None  # type: ignore[arg-type]
    assert Store(tmp_path).reusable(QUESTION, "llm", WHEN) is None


def test_a_session_begins_with_the_pages_of_another(tmp_path: Path) -> None:
    write(tmp_path)
    store = Store(tmp_path)
    late = replace(good(2), status="late", extract=None)
    session = begin(store, when=LATER, fresh=True)
    session.begin_from(ORIGIN, answer(), [good(1), late, lost(3)])
    session.close()  # as a kill would: nothing else was written
    data = json.loads((session.path / "meta.json").read_text())
    assert data["origin"] == {"session": NAME, "timestamp": WHEN.isoformat(), "by": "refresh"}
    with begin(store, when=LATER) as resumed:
        assert resumed.name == session.name
        one, two, three = resumed.resumed.sources
        assert (one.extract, two.page, two.extract) == (good(1).extract, good(2).page, None)
        assert (one.status, two.status, three.status) == ("ok", "late", "blocked")
        assert resumed.resumed.answer.links == answer().links


def test_the_origin_outlives_being_resumed_and_finished(tmp_path: Path) -> None:
    store = Store(tmp_path)
    session = begin(store)
    session.begin_from(ORIGIN, answer(), [good(1)])
    session.close()
    write(tmp_path)
    assert store.open(NAME).meta.origin == ORIGIN


def test_what_a_model_wrote_is_kept_beside_the_claims(tmp_path: Path) -> None:
    from tests.unit.store.samples import research

    done = research()
    reply = replace(done.report, reply="## Summary\n\nword for word", cut_off=True)
    with begin(Store(tmp_path)) as session:
        session.save_links(answer())
        session.finish(replace(done, report=reply))
    answer_read = Store(tmp_path).open(NAME).answer
    assert (answer_read.reply, answer_read.cut_off) == (reply.reply, True)
