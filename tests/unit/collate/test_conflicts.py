"""Conflicts: which near-duplicate statements contradict each other, and how notes are read."""

from __future__ import annotations

import pytest

from intelli.collate.conflicts import all_conflicts, find_conflicts, parse_conflicts
from intelli.records import Conflict, Extract, Link, Page, Query, Source, SourceType

QUERY = Query(text="How often does the Orrin gauge report, and how heavy is it?")


def source(
    n: int,
    text: str,
    kind: SourceType = "other",
    *,
    host: str = "",
    title: str = "Orrin gauge",
    day: str | None = None,
) -> Source:
    link = Link(url=f"https://{host or f'h{n}.example'}/page")
    page = Page(link=link, final_url=link.url, text=text, title=title, published=day)
    extract = Extract(page=page, text=text, source_type=kind)
    return Source(n=n, link=link, status="ok", page=page, extract=extract)


def between(*texts: str, query: Query = QUERY, title: str = "Orrin gauge") -> tuple[Conflict, ...]:
    sources = [source(n, text, title=title) for n, text in enumerate(texts, start=1)]
    return find_conflicts(query, sources)


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


def test_of_equal_authority_the_newer_page_is_preferred_if_both_are_dated() -> None:
    heavy, light = "The Orrin gauge weighs 3.1 kg dry.", "The Orrin gauge weighs 2.8 kg dry."
    old, new = "2019-05-04", "2021-01-30T10:00:00Z"

    def preferred(kinds: str, *days: str | None) -> tuple[int | None, str]:
        both = [
            source(n, text, kind, day=day)  # type: ignore[arg-type]
            for n, text, kind, day in zip((1, 2), (heavy, light), kinds.split(), days, strict=True)
        ]
        (conflict,) = find_conflicts(QUERY, both)
        return conflict.preferred, conflict.reason

    assert preferred("blog blog", old, new) == (1, "newer")
    assert preferred("blog forum", old, new) == (0, "higher authority")
    assert preferred("blog blog", old, None) == (None, "")
    assert preferred("blog blog", old, old) == (None, "")


def test_what_a_model_noted_is_not_found_again_beside_it() -> None:
    text = "The Orrin gauge weighs {} kg dry. The gauge wakes every {} seconds in the rain."
    pages = [
        source(1, text.format(3.1, 90), "blog"),
        source(2, text.format(2.8, 60), "forum"),
    ]
    noted = parse_conflicts("- **Weight**: [1] the gauge weighs 3.1 kg; [2] it weighs 2.8 kg dry")
    conflicts = all_conflicts(noted, QUERY, pages)
    assert [(each.topic, each.preferred) for each in conflicts] == [
        ("Weight", 0),
        ("gauge wakes every", 0),
    ]


MADE = Query(text="Which parts of the Orrin gauge are there?")
PASSAGE = "{} A float of the Orrin gauge rises with the level and turns a magnet on its way."


@pytest.mark.parametrize(
    ("sentence", "a", "b", "kind"),
    [
        ("The mean depth of the tube was {} cm.", "45.7", "30.2", "figure"),
        ("Its arm was made by the firm {} in a shed.", "Tarbet", "Lomond", "statement"),
        ("It was shut on {} and sold.", "1 May 1987 at age 44", "15 June 1990 at age 47", "date"),
        ("It holds {} dry).", "25.6 g per tube (9.9 g", "41.6 g per tube (16.1 g", "figure"),
        ("The tube is a {} pipe by Tarbet.", "glass", "copper", "statement"),
        ("It stands in {}, USA since May.", "Stanford, Kentucky", "Hamlin, Ohio", "statement"),
    ],
)
def test_two_tellings_of_one_passage_contradict_without_naming_its_subject(
    sentence: str, a: str, b: str, kind: str
) -> None:
    ours, theirs = sentence.format(a), sentence.format(b)
    (conflict,) = between(PASSAGE.format(ours), PASSAGE.format(theirs), query=MADE, title="")
    assert conflict.kind == kind
    assert between(ours, theirs, query=MADE, title="") == ()


def test_a_word_that_either_page_uses_too_is_no_contradiction() -> None:
    ours = PASSAGE.format("The tube is a glass pipe by Tarbet.")
    theirs = PASSAGE.format("The tube is a copper pipe by Tarbet.")
    assert between(ours, theirs, query=MADE)
    assert between(ours, theirs + " Others are of glass with a cap.", query=MADE) == ()
    when = Query(text="When was the tube of the Orrin gauge made?")
    assert between(ours, theirs, query=when) == ()


@pytest.mark.parametrize(
    ("sentence", "a", "b"),
    [
        ("The Orrin gauge ({} model) was sold in Oslo.", "1912", "1936"),
        ("The Orrin gauge needs {} g per tube.", "388.5", "389.3"),
        ("The {} Orrin gauge was sold in Oslo.", "first", "1912"),
        ("The Orrin gauge page lists changes of orrin-{} for its users.", "5.2", "3.2"),
        ("{} The Orrin gauge was sold in Oslo to its users.", "Tarbet Lomond", "Frobisher Limited"),
    ],
)
def test_labels_conversions_ordinals_and_headings_do_not_contradict(
    sentence: str, a: str, b: str
) -> None:
    ours, theirs = sentence.format(a), sentence.format(b)
    assert between(ours, theirs) == ()
    assert between(PASSAGE.format(ours), PASSAGE.format(theirs)) == ()


def test_a_figure_beside_another_word_is_of_something_else() -> None:
    ours = "The Orrin gauge sheet lists the spare parts of its 12 known makers."
    theirs = "The Orrin gauge sheet lists the weekly failures of its 15 known makers."
    assert between(ours, theirs) == ()
    assert between(ours, theirs.replace("weekly failures", "spare parts"))


def test_full_stops_between_blanks_end_sentences() -> None:
    spaced = " . ".join(
        ["The Orrin gauge weighs 3.1 kg without its bracket"]
        + ["A float rises with the level and turns a magnet"] * 8
    )
    (conflict,) = between(spaced, "The Orrin gauge weighs 2.8 kg without its bracket.")
    assert conflict.kind == "figure"


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
