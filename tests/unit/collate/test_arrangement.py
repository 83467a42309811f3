"""How the embedded collator sets a report out, and what it does with little to quote."""

from __future__ import annotations

import re

import pytest

from intelli.collate.arrangement import Chosen, arranged
from intelli.collate.units import Part, Unit
from intelli.collate.verify import verify
from intelli.errors import CollationFailed
from intelli.records import Source
from intelli.text.markdown_blocks import Kind
from tests.unit.collate.ranked import CODE, LEASE, ROSES, collate, source, stored


def sections(*names: str) -> str:
    return "\n\n".join(
        f"## {name}\n\nA lease has {name.lower()} of its own, and the manual has this to say:"
        f" {' '.join(f'The {name.lower()} of a lease matter in case {n}.' for n in range(9))}"
        for name in names
    )


def test_a_long_report_has_headings_each_with_text_under_it() -> None:
    summary = collate("lease", source(1, sections("Owners", "Clocks", "Limits", "Errors"))).summary
    assert not summary.startswith("#")
    parts = summary.split("\n\n")
    headings = [n for n, part in enumerate(parts) if part.startswith("#")]
    assert headings
    for n in headings:
        assert parts[n].startswith("### ")
        assert not parts[n + 1].startswith("#")
    assert len(set(parts)) == len(parts)


def test_a_heading_that_says_nothing_by_itself_gets_what_it_is_about() -> None:
    text = f"# Queues\n\n{sections('Clocks')}\n\n# Leases\n\n{sections('Parameters')}"
    summary = collate("lease", source(1, text), source(2, sections("Owners"))).summary
    assert "### Leases: Parameters" in summary or "Parameters\n" not in summary


def test_the_length_stays_within_bounds_however_much_there_is() -> None:
    many = [source(n, sections(f"Part{n}a", f"Part{n}b", f"Part{n}c")) for n in range(1, 13)]
    assert 3_000 <= len(collate("lease matter case manual", *many).summary) <= 5_500


def test_what_hardly_touches_the_question_is_left_out() -> None:
    text = "\n\n".join(
        f"## Lease {n}\n\n{LEASE.replace('30', str(n))} {' '.join([f'Lease {n} expires.'] * 20)}"
        for n in range(5)
    )
    summary = collate(
        "When does a lease expire?", source(1, text), source(2, f"{ROSES} One lease.")
    )
    assert "Roses" not in summary.summary


def test_the_focus_decides_what_opens_the_report() -> None:
    price = "A seat costs nine euros a month for every member of the team that uses it."
    sources = (source(1, f"## Leases\n\n{LEASE}"), source(2, f"## Prices\n\n{price}"))
    assert collate("lease", *sources, focus="What does a seat cost?").summary.startswith(price)


def test_the_assessment_has_a_line_for_each_source_that_is_used_and_one_for_the_others() -> None:
    assessment = collate(
        "When does a lease expire?",
        source(1, LEASE, title="Leases", published="2024-05-01"),
        source(2, f"{ROSES} One lease.", "blog", title="Roses"),
        source(3, f"{ROSES} Two leases.", "blog", title="More roses"),
    ).assessment.splitlines()
    assert assessment == [
        "- [1] Leases — official-docs, 2024-05-01: 1 passage used",
        "- read and not used: [2] [3]",
    ]


def test_every_claim_of_the_report_stands_in_the_source_it_cites() -> None:
    sources = (
        source(1, f"## Use\n\nOpen it like this:\n\n{CODE}\n\n- `timeout`: 30 s\n- `batch`: 1\n"),
        source(2, f"{LEASE}[7]\n\n{ROSES}", "blog"),
        source(3, "Since version 2.4 of 2024-05-01 a lease may last 900 s.", "forum"),
    )
    report = collate("How long may a lease last, when does it expire, how do I open it?", *sources)
    claims = verify(report.summary, stored(*sources))
    assert len(claims) >= 5
    assert {claim.status for claim in claims} <= {"verified", "prose"}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("租约多久过期？", "租约在三十秒之后过期，除非工作者及时续约，否则任务会回到队列之中。"),
        ("Когда истекает аренда?", "Аренда истекает через тридцать секунд, если её не продлить."),
        ("متى ينتهي عقد الإيجار؟", "ينتهي عقد الإيجار بعد ثلاثين ثانية إلا إذا جدده العامل."),
        ("???", LEASE),
        ("what is it", LEASE),
        ("x" * 10_000, LEASE),
    ],
)  # fmt: skip
def test_any_question_gets_a_report(question: str, text: str) -> None:
    assert collate(question, source(1, text)).summary == f"{text} [1]"


@pytest.mark.parametrize("text", ["Paris", "巴黎", "Paris, France", "Yes."])
def test_a_scrap_is_quoted_where_there_is_nothing_better(text: str) -> None:
    assert collate("capital of France", source(1, text)).summary == f"{text} [1]"


def test_labels_and_buttons_are_not_quoted_beside_real_text() -> None:
    text = f"Lease guide\n\n{LEASE}\n\nNext: Queues\n\nCopy lease"
    summary = collate("lease", source(1, text)).summary
    assert "Lease guide" not in summary
    assert "Copy lease" not in summary


def test_an_introduction_is_not_attached_to_a_block_of_another_section() -> None:
    text = f"{LEASE}\n\nThe lease has options:\n\n## Code of lease\n\n{CODE}"
    assert "options" not in collate("lease code", source(1, text)).summary


def test_the_same_sources_give_the_same_report() -> None:
    sources = [source(n, sections("Owners", "Clocks")) for n in range(1, 4)]
    assert collate("lease", *sources) == collate("lease", *sources)


def test_the_gap_marks_of_an_extract_do_not_reach_the_report() -> None:
    summary = collate(
        "lease expires", source(1, f"…\n\n{LEASE}\n\n…\n\nA lease expires at noon.")
    ).summary
    assert not re.search(r"^…", summary, re.MULTILINE)


@pytest.mark.parametrize("sources", [(), (source(1, "## Only a heading"),)])
def test_nothing_to_quote_fails_the_collation(sources: tuple[Source, ...]) -> None:
    with pytest.raises(CollationFailed) as failure:
        collate("lease", *sources)
    assert failure.value.hint


def chosen(n: int, kind: Kind, text: str, heading: str = "Lease of mail") -> Chosen:
    part = Part(kind=kind, text=text)
    unit = Unit(parts=(part,), source=1, heading=(heading,), order=n)
    return Chosen(unit=unit, score=1 / n, sources=(1,))


def test_bare_code_does_not_open_a_report_that_has_words_for_it() -> None:
    text = arranged([chosen(1, "code", CODE), chosen(2, "prose", LEASE)], {1: "Leases"})
    assert text == f"{LEASE} [1]\n\n{CODE}"


HEAD = "| setting | meaning |\n| --- | --- |"


def test_the_pieces_of_one_table_stand_together_in_its_order() -> None:
    rows = [f"| lease.{name} | how it is {name} |" for name in ("kept", "lost", "found")]
    pieces = [chosen(n, "table", f"{HEAD}\n{rows[n - 1]}") for n in (2, 3, 1)]
    other = chosen(4, "table", f"{HEAD}\n| roses | red |", "Roses")
    text = arranged([pieces[0], other, *pieces[1:]], {1: "Leases"})
    assert "\n".join([HEAD, *rows]) in text
    assert f"{HEAD}\n| roses | red |" in text and text.count(HEAD) == 2


def test_rules_drawn_with_signs_are_no_words() -> None:
    text = f"{'-' * 40}\n{LEASE}\n\n{'=' * 12}\n\nA lease is short."
    summary = collate("lease", source(1, text)).summary
    assert "---" not in summary and "===" not in summary


def test_the_line_before_a_block_does_not_repeat_the_heading_above_it() -> None:
    long = " ".join(f"The lease number {n} is long." for n in range(60))
    units = [
        chosen(1, "prose", long, "Owners"),
        chosen(2, "code", CODE),
        chosen(3, "prose", ROSES, "Roses"),
    ]
    text = arranged(units, {1: "Lease of mail"})
    assert f"### Lease of mail\n\nThe source has: [1]\n\n{CODE}" in text
