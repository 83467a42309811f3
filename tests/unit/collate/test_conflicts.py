"""Conflicts: which near-duplicate statements contradict each other, and how notes are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.collate.conflicts import find_conflicts, parse_conflicts
from intelli.records import Conflict, Extract, Link, Page, Query, Source, SourceType

QUERY = Query(text="How often does the Orrin gauge report, and how heavy is it?")


def source(
    n: int,
    text: str,
    kind: SourceType = "other",
    *,
    host: str = "",
    title: str = "Orrin gauge",
) -> Source:
    link = Link(url=f"https://{host or f'h{n}.example'}/page")
    page = Page(link=link, final_url=link.url, text=text, title=title)
    extract = Extract(page=page, text=text, source_type=kind)
    return Source(n=n, link=link, status="ok", page=page, extract=extract)


def between(*texts: str) -> tuple[Conflict, ...]:
    return find_conflicts(QUERY, [source(n, text) for n, text in enumerate(texts, start=1)])


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (
            "The Orrin gauge weighs 3.1 kg without its bracket.",
            "The Orrin gauge weighs 2.8 kg without its bracket.",
            "figure",
        ),
        (
            "The Orrin gauge was first sold on 4 May 2019 in Oslo.",
            "The Orrin gauge was first sold on 11 June 2020 in Oslo.",
            "date",
        ),
        (
            "The Orrin gauge was sold 5 million times by its maker.",
            "The Orrin gauge was sold 5 billion times by its maker.",
            "figure",
        ),
        (
            "The Orrin gauge was first sold on 4 May 2019 in Oslo.",
            "The Orrin gauge was first sold on 4 June 2019 in Oslo.",
            "date",
        ),
        (
            "The Orrin gauge firmware needs a relay running version 2.4.1.",
            "The Orrin gauge firmware needs a relay running version 2.6.0.",
            "version",
        ),
        (
            "The Orrin gauge does not report its level while it is charging.",
            "The Orrin gauge does report its level while it is charging.",
            "statement",
        ),
    ],
)
def test_sentences_that_differ_in_one_point_contradict(a: str, b: str, kind: str) -> None:
    (conflict,) = between(a, b)
    assert conflict.kind == kind
    assert [position.statement for position in conflict.positions] == [a, b]
    assert [position.sources for position in conflict.positions] == [(1,), (2,)]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The Orrin gauge weighs 3.1 kg alone.", "The Orrin gauge weighs 3100 g alone."),
        ("The Orrin gauge weighs 3.1 kg alone.", "The Orrin gauge weighs 3 kg alone."),
        ("The Orrin gauge weighs about 3 kg alone.", "The Orrin gauge weighs about 4 kg alone."),
        ("The Orrin gauge wakes in 2-3 s when wet.", "The Orrin gauge wakes in 5 s when wet."),
        (
            "The Orrin gauge used 4 cells per sensor in 2019.",
            "The Orrin gauge used 6 cells per sensor in 2022.",
        ),
        (
            "The Orrin gauge with version 2.4.1 reports every 90 seconds.",
            "The Orrin gauge with version 2.6.0 reports every 60 seconds.",
        ),
        ("The Orrin gauge weighs 3.1 kg alone.", "The Tarbet gauge weighs 2.8 kg alone."),
        ("The Orrin gauge weighs 3.1 kg alone.", "The Orrin gauge weighs 3.1 kg alone."),
    ],
)
def test_spreads_roundings_units_and_other_things_do_not_contradict(a: str, b: str) -> None:
    assert between(a, b) == ()


def test_pages_of_one_host_do_not_contradict_each_other() -> None:
    texts = ("The Orrin gauge weighs 3.1 kg alone.", "The Orrin gauge weighs 2.8 kg alone.")
    both = [source(n, text, host="one.example") for n, text in enumerate(texts, start=1)]
    assert find_conflicts(QUERY, both) == ()


def test_what_the_question_does_not_ask_is_left_out() -> None:
    texts = ("Garden roses bloom for 12 weeks a year.", "Garden roses bloom for 10 weeks a year.")
    both = [source(n, text, title="Roses") for n, text in enumerate(texts, start=1)]
    assert find_conflicts(QUERY, both) == ()


def test_sources_that_say_the_same_share_a_position() -> None:
    heavy, light = "The Orrin gauge weighs 3.1 kg dry.", "The Orrin gauge weighs 2.8 kg dry."
    (conflict,) = between(heavy, light, heavy)
    assert [position.sources for position in conflict.positions] == [(1, 3), (2,)]


def test_the_source_of_higher_authority_is_preferred() -> None:
    heavy, light = "The Orrin gauge weighs 3.1 kg dry.", "The Orrin gauge weighs 2.8 kg dry."
    (decided,) = find_conflicts(
        QUERY, [source(1, heavy, "forum"), source(2, light, "official-docs")]
    )
    (undecided,) = find_conflicts(QUERY, [source(1, heavy, "blog"), source(2, light, "blog")])
    assert (decided.preferred, undecided.preferred) == (1, None)


def test_pages_about_numbered_things_do_not_contradict_each_other() -> None:
    both = [
        source(n, f"Widget number {n} has a torque of {n * 3} Nm at full load.",
               title=f"Widget number {n}")
        for n in (16, 17)
    ]  # fmt: skip
    assert find_conflicts(Query(text="What is the torque of widget number 17?"), both) == ()


def test_sentences_that_go_on_differently_may_still_contradict() -> None:
    docs = "Orrin sends reports. By default a report is tried 4 times, the first attempt included."
    blog = "We use Orrin. By default a report is tried 5 times, so a slow host can hold it up."
    (conflict,) = find_conflicts(
        Query(text="How often is a report tried by default?"),
        [source(1, docs, "official-docs"), source(2, blog, "blog")],
    )
    assert (conflict.kind, conflict.preferred) == ("figure", 0)
    assert conflict.topic == "By default a report is tried"


def test_yes_and_no_to_the_question_contradict_however_they_are_worded() -> None:
    (conflict,) = find_conflicts(
        Query(text="Does the gauge support IPv6?"),
        [
            source(1, "The Orrin gauge does not support IPv6."),
            source(2, "Yes, since firmware 4 this gauge supports IPv6 too. [2]"),
            source(3, "If the gauge supports IPv6, its lamp is blue."),
        ],
    )
    assert conflict.kind == "statement"
    assert sorted(sides(conflict)) == [
        ("The Orrin gauge does not support IPv6.", (1,)),
        ("Yes, since firmware 4 this gauge supports IPv6 too.", (2,)),
    ]


@pytest.mark.parametrize(
    ("titles", "found"), [(("Manual", "Review"), 1), (("Manual", "Manual"), 0)]
)
def test_two_sites_on_a_loopback_address_may_contradict(
    titles: tuple[str, ...], found: int
) -> None:
    texts = ("The Orrin gauge weighs 3.1 kg alone.", "The Orrin gauge weighs 2.8 kg alone.")
    both = []
    for n, (text, title) in enumerate(zip(texts, titles, strict=True), start=1):
        link = Link(url=f"http://127.0.0.1:8000/site{n}/page")
        page = Page(link=link, final_url=link.url, text=text, title=title)
        extract = Extract(page=page, text=text)
        both.append(Source(n=n, link=link, status="ok", page=page, extract=extract))
    assert len(find_conflicts(Query(text="What does the Orrin gauge weigh?"), both)) == found


def test_rows_of_links_state_nothing() -> None:
    rows = (
        "- [The Orrin gauge weighs 3.1 kg alone](a.md)",
        "- [The Orrin gauge weighs 2.8 kg alone](b.md)",
    )
    assert between(*rows) == ()


def test_a_source_without_an_extract_says_nothing() -> None:
    failed = Source(n=2, link=Link(url="https://h2.example"), status="failed")
    assert find_conflicts(QUERY, [source(1, "The Orrin gauge weighs 3.1 kg dry."), failed]) == ()


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
