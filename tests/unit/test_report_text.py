"""A finished run as text: what stands where, what fits, and what of a report is a statement."""

from __future__ import annotations

from intelli.records import (
    Claim,
    Conflict,
    Extract,
    Failure,
    Link,
    Page,
    Position,
    Query,
    Related,
    Report,
    Research,
    Source,
)
from intelli.report_text import pack, split_blocks, statements_only, whole

CODE = "```sh\npump --rate 12\n\n## not a heading\n```"


def research(summary: str = "It moves 12 litres. [1]") -> Research:
    link = Link(url="https://docs.example.org/a(b)", title="Pump [7]")
    page = Page(link=link, final_url=link.url, text="12 litres", title="Pump [7]", published="2026")
    sources = (
        Source(
            n=1, link=link, status="ok", page=page,
            extract=Extract(page=page, text="12 litres", source_type="official-docs"),
        ),
        Source(
            n=2, link=Link(url="https://b.example/"), status="failed",
            failure=Failure(stage="fetch", code="http-404", reason="the server answered 404"),
        ),
    )  # fmt: skip
    report = Report(
        summary=summary,
        conflicts=(
            Conflict(
                topic="rate",
                kind="figure",
                preferred=0,
                positions=(
                    Position(statement="12", sources=(1,)),
                    Position(statement="14", sources=(2,)),
                ),
            ),
        ),
        claims=(
            Claim(text="It moves 12 litres.", sources=(1,), status="verified"),
            Claim(
                text="It moves 99 litres.",
                sources=(1,),
                status="unsupported",
                missing=("99 litres",),
            ),
        ),
    )
    return Research(
        query=Query(text="how fast\nis it?"),
        engine="local",
        outcome="completed",
        session="2026-11-30-how-fast-is-it-abc123",
        report=report,
        sources=sources,
        related=(Related(session="s-1", query="pumps", timestamp="2026", why="shares pump"),),
    )


def test_everything_has_its_section_and_the_answer_is_first() -> None:
    text = whole(research())
    order = ["# how fast is it?", "## Summary", "12 litres", "## Conflicts", "## Verification",
             "## Sources", "## Not used", "## Related research"]  # fmt: skip
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_only_what_is_wrong_is_listed_below_the_totals() -> None:
    text = whole(research())
    assert "2 statements checked against the stored sources: 1 verified, 1 unsupported." in text
    assert "- ! unsupported [1]: “It moves 99 litres.” · not found: `99 litres`" in text
    assert "“It moves 12 litres.”" not in text


def test_sources_bear_their_numbers_and_titles_cannot_forge_one() -> None:
    text = whole(research())
    assert "- [1] [Pump (7)](<https://docs.example.org/a(b)>) — official-docs, 2026" in text
    assert "- [2] <https://b.example/> — failed: the server answered 404 (http-404)" in text


def test_a_report_that_fits_is_whole() -> None:
    text = pack(research(), 8000)
    assert "## Related research" in text
    assert "cut at" not in text


def test_a_cut_report_keeps_whole_records_its_sources_and_says_how_to_go_on() -> None:
    paragraphs = [f"Paragraph {n} says something of use. [1]" for n in range(200)]
    text = pack(research("\n\n".join([*paragraphs, CODE])), 2000)
    assert len(text) <= 2000
    assert text.splitlines()[-1].startswith("intelli show 2026-11-30-how-fast-is-it-abc123 --max-")
    assert "more left out]" in text
    assert "- [1] [Pump (7)]" in text
    shown = [line for line in text.splitlines() if line.startswith("Paragraph")]
    assert shown == paragraphs[: len(shown)]


def test_blocks_are_never_cut_inside_code_and_headings_stay_with_their_text() -> None:
    assert split_blocks(f"A.\n\n### H\n\nB.\n\n{CODE}\n\nC.") == (
        "A.", "### H\n\nB.", CODE, "C.",
    )  # fmt: skip


def test_the_statements_of_a_report_are_its_summary_at_the_same_offsets() -> None:
    report = whole(research(f"It moves 12 litres. [1]\n\n{CODE}\n\nAfter the code. [1]"))
    statements = statements_only(report)
    assert len(statements) == len(report)
    for kept in ("It moves 12 litres.", "pump --rate 12", "After the code."):
        assert statements.index(kept) == report.index(kept)
    for gone in ("how fast", "99 litres", "Pump (7)", "shares pump"):
        assert gone not in statements


def test_a_report_of_another_form_is_all_statements() -> None:
    text = "# Report\n\n## Sources\n\nThe sea is blue."
    assert statements_only(text) == text
