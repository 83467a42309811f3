"""A session as one HTML file, whatever its pages hold."""

from __future__ import annotations

import re
from dataclasses import replace

from intelli.records import (
    Claim,
    Conflict,
    Failure,
    Link,
    Position,
    Source,
)
from intelli.show.page import page
from tests.unit.show.sessions import FIRST, SECOND, claim, found_at, research


def test_a_citation_leads_to_the_passage_that_the_claim_rests_on() -> None:
    summary = "It moves 12 litres a minute. [1]"
    verified = claim(
        "It moves 12 litres a minute.",
        summary,
        sources=(1,),
        status="verified",
        evidence=(found_at(FIRST, "12 litres a minute", 1),),
    )
    html = page(research(summary, verified), {1: FIRST, 2: SECOND})
    assert '<a class="mark" href="#c0-1">[1]</a>' in html
    assert '<mark><a id="c0-1"></a>12 litres a minute</mark>' in html


def test_a_citation_without_a_passage_leads_to_its_source() -> None:
    html = page(research("Pumps are loud. [2]"), {1: FIRST, 2: SECOND})
    assert '<a class="mark" href="#s2">[2]</a>' in html
    assert '<details id="s2">' in html


def test_a_mark_of_no_stored_source_is_no_link() -> None:
    html = page(research("Pumps are loud. [7]"), {1: FIRST})
    assert "[7]" in html
    assert "#s7" not in html


def test_several_numbers_in_one_mark_are_several_links() -> None:
    html = page(research("Both agree. [1, 2]"), {1: FIRST, 2: SECOND})
    assert 'href="#s1">[1]</a>' in html
    assert 'href="#s2">[2]</a>' in html


def test_marks_in_code_stay_as_they_are() -> None:
    html = page(research("Use `rows[1]` [1]\n\n```\nrows[2]\n```\n"), {1: FIRST, 2: SECOND})
    assert "<code>rows[1]</code>" in html
    assert "rows[2]\n</code>" in html


def test_a_flagged_claim_is_marked_in_words_and_listed_with_what_is_missing() -> None:
    summary = "It weighs 9 kg. [1]"
    flagged = claim(
        "It weighs 9 kg.", summary, sources=(1,), status="unsupported", missing=("9 kg",)
    )
    html = page(research(summary, flagged), {1: FIRST})
    assert '<a class="flag" id="b0" href="#f0">! unsupported</a>' in html
    assert '<li id="f0">' in html
    assert "<code>9 kg</code>" in html


def test_passages_that_overlap_share_one_mark_and_keep_every_anchor() -> None:
    summary = "12 litres. [1] Litres a minute. [1]"
    claims = (
        claim(
            "12 litres.",
            summary,
            sources=(1,),
            status="verified",
            evidence=(found_at(FIRST, "12 litres", 1),),
        ),
        claim(
            "Litres a minute.",
            summary,
            sources=(1,),
            status="verified",
            evidence=(found_at(FIRST, "litres a minute", 1),),
        ),
    )
    html = page(research(summary, *claims), {1: FIRST})
    assert '<a id="c0-1"></a><a id="c1-1"></a>12 litres a minute</mark>' in html
    assert html.count("<mark>") == 1


def test_conflicts_name_both_sides_and_the_preferred_one() -> None:
    conflict = Conflict(
        topic="flow",
        kind="figure",
        positions=(
            Position(statement="12 litres", sources=(1,)),
            Position(statement="10 litres", sources=(2,)),
        ),
        preferred=0,
    )
    known = research("Unclear.")
    report = replace(known.report, conflicts=(conflict,))
    html = page(replace(known, report=report), {1: FIRST, 2: SECOND})
    assert "12 litres <em>(higher authority)</em>" in html
    assert "10 litres" in html


def test_what_failed_is_listed_with_its_reason() -> None:
    lost = Source(
        n=3,
        link=Link(url="https://gone.example/"),
        status="failed",
        failure=Failure(stage="fetch", code="http-404", reason="the server answered 404"),
    )
    known = research("Fine.")
    html = page(replace(known, sources=(*known.sources, lost)), {1: FIRST})
    assert "the server answered 404" in html


def test_offsets_that_are_none_of_the_text_lose_nothing_of_it() -> None:
    summary = "First it is 9 kg [1][2]. Then that."
    claims = [
        Claim(text="x", start=start, end=end, status="unsupported", sources=(1,))
        for start, end in ((0, -5), (-3, 10**6), (2, 19), (2, 18), (10**9, 5))
    ]
    html = page(research(summary, *claims), {1: FIRST, 2: SECOND})
    shown = html[html.index("<h2>Summary") : html.index("<h2>Verification")]
    plain = re.sub(r'<a class="flag".*?</a>|<[^>]*>', "", shown)
    assert "".join(plain.split()) == "".join(f"Summary{summary}".split())
    assert shown.count('class="flag"') == 5


def test_how_much_is_flagged_stands_above_the_report() -> None:
    summary = "It weighs 9 kg. [1]"
    flagged = claim("It weighs 9 kg.", summary, sources=(1,), status="unsupported")
    above = page(research(summary, flagged), {1: FIRST}).partition("<section")[0]
    assert "1 statement checked" in above and "1 flagged" in above
    assert 'href="#verification"' in above and "2026-11-30 10:00 UTC" in above
    fine = replace(flagged, status="verified")
    assert "none flagged" in page(research(summary, fine), {1: FIRST}).partition("<section")[0]


def test_the_policy_lets_nothing_run_or_load() -> None:
    html = page(research("Fine."), {1: FIRST})
    assert "default-src 'none'" in html
    assert "script-src" not in html
    assert "unsafe-inline" not in html
