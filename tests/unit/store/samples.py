"""Runs, pages and reports to store, small and each different from the others."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from intelli.records import (
    Answer,
    Claim,
    Conflict,
    Evidence,
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
    Spend,
    Timing,
    Usage,
)
from intelli.store import Store
from intelli.store.writing import Session

WHEN = datetime(2026, 4, 19, 10, 0, 0, tzinfo=UTC)
QUESTION = Query(text="How many rows may a D1 table hold?", focus="limits")
NAME = "2026-04-19-how-many-rows-may-a-b92d10"


def link(n: int) -> Link:
    return Link(
        url=f"https://www.site{n}.test/guide?p={n}",
        rank=n,
        title=f"Guide {n}",
        snippet="rows and tables",
        backend="exa",
        authors=("A. Writer",),
    )


def page(n: int, words: str = "Rows are bounded by the size of the database.") -> Page:
    return Page(
        link=link(n),
        final_url=f"https://docs.site{n}.test/guide",
        text=f"## Limits {n}\n\n{words}\n\n---\n\n> Source: quoted, not ours\n",
        title=f"Guide {n}",
        via="markdown",
        verdict="thin",
        published="2026-01-02",
        fetched="2026-04-19T10:00:01+00:00",
        digest=f"{n:040x}",
        score=0.1 * n,
    )


def extract(n: int, text: str = "> At most 10 GB.") -> Extract:
    return Extract(
        page=page(n),
        text=text,
        source_type="reference",
        currency="current",
        spans=((0, 5), (9, 20)),
    )


def good(n: int) -> Source:
    return Source(n=n, link=link(n), status="ok", page=page(n), extract=extract(n))


def lost(n: int) -> Source:
    failure = Failure(stage="fetch", code="http-403", reason="refused", verdict="challenge")
    return Source(n=n, link=link(n), status="blocked", failure=failure)


def answer(count: int = 4) -> Answer:
    return Answer(
        links=tuple(link(n) for n in range(1, count + 1)), text="About 10 GB.", backend="exa"
    )


def research(
    summary: str = "A database holds 10 GB [1].",
    sources: tuple[Source, ...] = (),
    outcome: str = "completed",
    query: Query = QUESTION,
) -> Research:
    claim = Claim(
        text="A database holds 10 GB",
        sources=(1,),
        status="partial",
        missing=("10 GB",),
        evidence=(Evidence(source=1, start=3, end=9),),
        end=22,
    )
    sides = (Position(statement="10 GB", sources=(1,)), Position(statement="2 GB", sources=(2,)))
    return Research(
        query=query,
        engine="local",
        outcome=outcome,
        timestamp=WHEN.isoformat(timespec="seconds"),
        report=Report(
            summary=summary,
            conflicts=(Conflict(topic="size", kind="figure", positions=sides, preferred=0),),
            assessment="One of them is a reference.",
            claims=(claim,),
            warnings=("one mark was unknown",),
        ),
        sources=sources or (good(1), good(2), lost(3)),
        related=(Related(session="older", query="q", timestamp="t", why="same words"),),
        usage=Usage(by_role={"extract": Spend(calls=2, usd=None, input_tokens=7)}),
        timing=Timing(wall_s=1.25, stages={"search": 0.5}),
        warnings=("slow",),
    )


def begin(
    store: Store, query: Query = QUESTION, when: datetime = WHEN, fresh: bool = False
) -> Session:
    return store.begin(query, "local", when, fresh=fresh)


def write(
    cache: Path, summary: str = "A database holds 10 GB [1].", fresh: bool = False
) -> Research:
    """A whole run: links, pages, extractions, report."""
    with begin(Store(cache), fresh=fresh) as session:
        session.save_links(answer())
        for n in (1, 2):
            session.save_page(n, page(n))
            session.save_extract(n, extract(n))
        session.save_outcome(lost(3))
        return session.finish(research(summary))


def stop(cache: Path, outcome: str = "stopped", when: datetime = WHEN) -> str:
    """A run that ends with one page extracted and one only fetched; its name."""
    session = begin(Store(cache), when=when)
    session.save_links(answer())
    session.save_page(1, page(1))
    session.save_extract(1, extract(1))
    session.save_page(2, page(2))
    known = research(sources=(good(1),), outcome=outcome)
    return session.stop(known).session


def files(cache: Path) -> set[str]:
    """Everything under a cache directory but the locks, by relative path."""
    found = (path.relative_to(cache) for path in cache.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if not path.name.endswith(".lock")} - {
        ".lock",
        ".gitignore",
        ".index.json",
    }
