"""A small session to make pages of."""

from __future__ import annotations

from dataclasses import replace

from intelli.records import (
    Claim,
    Evidence,
    Extract,
    Link,
    Page,
    Query,
    Report,
    Research,
    Source,
)

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
