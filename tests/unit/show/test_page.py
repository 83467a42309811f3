"""A session as one HTML file, whatever its pages hold."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from intelli.records import (
    Claim,
    Conflict,
    Evidence,
    Extract,
    Failure,
    Link,
    Page,
    Position,
    Query,
    Report,
    Research,
    Source,
)
from intelli.show.page import page

FIRST = (
    "# Pumps\n\n> Source: https://pumps.example/a\n\n---\n\nThe pump moves 12 litres a minute.\n"
)
SECOND = "# Valves\n\n> Source: https://valves.example/\n\n---\n\nA valve opens at 3 bar.\n"


def source(n: int, url: str, title: str) -> Source:
    read = Page(link=Link(url=url), final_url=url, text="", title=title, fetched="2026-11-30")
    return Source(
        n=n, link=Link(url=url), status="ok", page=read, extract=Extract(page=read, text="x")
    )


def claim(text: str, summary: str, **facts: object) -> Claim:
    start = summary.index(text)
    return Claim(text=text, start=start, end=start + len(text), **facts)  # type: ignore[arg-type]


def research(summary: str, *claims: Claim, **facts: object) -> Research:
    sources = (
        source(1, "https://pumps.example/a", "Pumps"),
        source(2, "https://valves.example/", "Valves"),
    )
    known = Research(
        query=Query(text="How fast is the pump?", focus="flow"),
        engine="local",
        outcome="completed",
        timestamp="2026-11-30T10:00:00+00:00",
        report=Report(summary=summary, claims=claims),
        sources=sources,
    )
    return replace(known, **facts)  # type: ignore[arg-type]


def found_at(text: str, passage: str, n: int) -> Evidence:
    return Evidence(source=n, start=text.index(passage), end=text.index(passage) + len(passage))


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


HOSTILE = [
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "</pre></details><script>document.title='owned'</script>",
    "[click](javascript:document.title='owned')",
    "<svg onload=document.title='owned'>",
    "![x](https://elsewhere.example/pixel.png)",
    "\" onmouseover=\"document.title='owned'",
    "<style>*{display:none}</style>",
    "\ue0000:1\ue001<script>document.title='owned'</script>",
    "&lt;script&gt;document.title='owned'&lt;/script&gt;",
    "```\n</code></pre><script>document.title='owned'</script>\n```",
    "<meta http-equiv=refresh content='0;url=https://elsewhere.example/'>",
]


def hostile_page(text: str) -> str:
    known = research(f"{text} [1]")
    bad = source(1, f"https://bad.example/{text}", text)
    unsafe = source(2, "javascript:document.title='owned'", text)
    return page(
        replace(
            known,
            query=Query(text=text, focus=text),
            sources=(bad, unsafe),
            warnings=(text,),
            report=replace(known.report, assessment=text),
        ),
        {1: text, 2: text},
    )


PLAIN_TAGS = set(
    "body main section details summary h1 h2 h3 p ul ol li a em strong code pre mark table"
    " blockquote".split()
)


def parsed(html: str) -> tuple[set[str], list[tuple[str, str]]]:
    """The tags, and the attributes with their values, that a browser would see."""
    tags: set[str] = set()
    attributes: list[tuple[str, str]] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.add(tag)
            attributes.extend((name, value or "") for name, value in attrs)

    Collector().feed(html)
    return tags, attributes


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_page_put_into_it_becomes_markup(text: str) -> None:
    html = hostile_page(text)
    tags, attributes = parsed(html[html.index("<body>") :])
    assert tags <= PLAIN_TAGS
    assert {name for name, _ in attributes} <= {"class", "id", "href", "rel", "start"}
    links = [value for name, value in attributes if name == "href"]
    assert all(link.startswith(("#", "http://", "https://")) for link in links)


def test_the_policy_lets_nothing_run_or_load() -> None:
    html = page(research("Fine."), {1: FIRST})
    assert "default-src 'none'" in html
    assert "script-src" not in html
    assert "unsafe-inline" not in html


BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    " --disable-background-networking --disable-component-update --virtual-time-budget=2000"
)


def dom(path: Path, fragment: str, profile: Path) -> str:
    """What a browser makes of the page after opening it at `fragment`."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no browser found: install chromium to run this test")
    done = subprocess.run(
        [browser, *FLAGS.split(), f"--user-data-dir={profile}", "--dump-dom",
         path.as_uri() + fragment],
        capture_output=True, check=True, timeout=90,
    )  # fmt: skip
    return done.stdout.decode()


def test_a_browser_opens_the_passage_and_runs_nothing(tmp_path: Path) -> None:
    summary = "It moves 12 litres a minute. [1]"
    verified = claim(
        "It moves 12 litres a minute.",
        summary,
        sources=(1,),
        status="verified",
        evidence=(found_at(FIRST, "12 litres a minute", 1),),
    )
    target = tmp_path / "report.html"
    bad = "\n".join(HOSTILE)
    target.write_text(page(research(summary, verified), {1: FIRST, 2: bad}), encoding="utf-8")
    opened = dom(target, "#c0-1", tmp_path / "profile")
    assert re.search(r'<details id="s1" open', opened)
    assert not re.search(r'<details id="s2" open', opened)
    assert "<title>How fast is the pump?</title>" in opened
