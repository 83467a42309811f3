"""Notes of conflicts that a model wrote: read in the form asked for and near it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.collate.conflicts import parse_conflicts
from intelli.records import Conflict


def sides(conflict: Conflict) -> list[tuple[str, tuple[int, ...]]]:
    return [(position.statement, position.sources) for position in conflict.positions]


@pytest.mark.parametrize(
    "note",
    [
        "- **Weight**: [1] it weighs 3 kg; [3] it weighs 4 kg",
        "## Conflicts\n\n- **Weight:** [1] it weighs 3 kg; [3] it weighs 4 kg.",
        "* Weight: [1] it weighs 3 kg; [3] it weighs 4 kg",
        "1. **Weight** — it weighs 3 kg [1]; it weighs 4 kg [3]",
        "- **Weight**:\n  - [1] it weighs 3 kg\n  - [3] it weighs 4 kg\n",
        "Weight: [1] it weighs 3 kg, whereas [3] it weighs 4 kg",
        "- **Weight**: [1] it weighs 3 kg, [3] it weighs 4 kg",
    ],
)
def test_a_note_is_read_in_the_form_asked_for_and_near_it(note: str) -> None:
    (conflict,) = parse_conflicts(note)
    assert (conflict.topic, conflict.kind, conflict.preferred) == ("Weight", "figure", None)
    assert sides(conflict) == [("it weighs 3 kg", (1,)), ("it weighs 4 kg", (3,))]


@pytest.mark.parametrize(
    ("note", "kind"),
    [
        ("- **Needs**: [1] version 3.1; [2] version 3.2", "version"),
        ("- **Start**: [1] in May 2019; [2] in June 2019", "date"),
        ("- **Start**: [1] since 2018; [2] since 2019", "date"),
        ("- **Sleep**: [1] it sleeps at night; [2] it never sleeps", "statement"),
    ],
)
def test_the_kind_is_what_differs(note: str, kind: str) -> None:
    (conflict,) = parse_conflicts(note)
    assert conflict.kind == kind


@pytest.mark.parametrize(
    "note",
    ["", "None.", "- None.", "No conflicts were found.", "N/A", "## Conflicts\n\n*None*", "- hm"],
)
def test_nothing_to_report_is_no_conflict(note: str) -> None:
    assert parse_conflicts(note) == ()


def test_a_note_may_lack_a_topic_and_name_several_sources() -> None:
    (conflict,) = parse_conflicts("- [1][2] it holds nine cells; [4] it holds ten cells")
    assert conflict.topic == "it holds nine cells"
    assert sides(conflict) == [("it holds nine cells", (1, 2)), ("it holds ten cells", (4,))]


@given(st.text(alphabet="ab3 [1];:-*\n#vs.", max_size=120))
def test_any_note_is_read_without_an_error(note: str) -> None:
    for conflict in parse_conflicts(note):
        assert all(position.statement and position.sources for position in conflict.positions)
