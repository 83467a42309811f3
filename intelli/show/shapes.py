"""The shapes of the JSON documents of the stages; `intelli schema` prints them as JSON Schemas.

Every document has `schema`, `outcome` and `error` beside what is here, see `schema.py`. A key that
is `NotRequired` is left out where it does not apply.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from intelli.plans import PriceKind
from intelli.records import (
    ClaimStatus,
    ConflictKind,
    EngineName,
    Role,
    SourceStatus,
    SourceType,
    Stage,
    Verdict,
)


class Source(TypedDict):
    n: int
    ref: str
    url: str
    title: str
    type: SourceType | None
    published: str | None
    fetched: str | None
    status: SourceStatus
    verdict: Verdict | None
    error: str | None
    via: str | None
    score: float | None
    chars: int
    extraction_chars: int
    source_path: str | None
    extraction_path: str | None


class Evidence(TypedDict):
    source: int
    start: int
    end: int


class Claim(TypedDict):
    text: str
    sources: list[int]
    status: ClaimStatus
    missing: list[str]
    evidence: list[Evidence]


class PlacedClaim(Claim):
    start: int
    end: int
    item: int


class Position(TypedDict):
    statement: str
    sources: list[int]


class Conflict(TypedDict):
    topic: str
    kind: ConflictKind
    positions: list[Position]
    preferred: int | None
    reason: str


class Related(TypedDict):
    session: str
    query: str
    timestamp: str
    why: str


class RoleSpend(TypedDict):
    calls: int
    usd: float | None
    input_tokens: int
    output_tokens: int


class Saved(TypedDict):
    usd: float | None
    calls: int


class Usage(TypedDict):
    usd: float | None
    input_tokens: int
    output_tokens: int
    by_role: dict[Role, RoleSpend]
    saved: Saved


class Timing(TypedDict):
    wall_s: float
    stages: dict[Stage, float]


class Counts(TypedDict):
    changed: int
    new: int
    gone: int
    same: int


class Changes(TypedDict):
    """What differs from the earlier run of the question."""

    since: str
    session: str
    summary: str
    claims: Counts
    sources: Counts
    conflicts: Counts
    next: str


class Refreshed(TypedDict):
    unchanged: int
    changed: int
    gone: int
    unreachable: int


class Research(TypedDict):
    query: str
    focus: str
    engine: EngineName
    session: str
    path: str
    summary: str
    sources: list[Source]
    claims: list[Claim]
    conflicts: list[Conflict]
    related: list[Related]
    usage: Usage
    timing: Timing
    warnings: list[str]
    changes: NotRequired[Changes]
    refreshed: NotRequired[Refreshed]


class PlannedSearch(TypedDict):
    backend: str
    usd: float | None


class PlannedCalls(TypedDict):
    role: Role
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    price: PriceKind
    usd: float | None
    most_usd: float | None


class Plan(TypedDict):
    engine: EngineName
    search: list[PlannedSearch]
    pages: int
    links: int
    calls: list[PlannedCalls]
    usd: float | None
    most_usd: float | None
    budget: float | None
    unknown: list[str]
    reuses: str | None
    resumes: str | None
    fits: bool | None


class DryRun(TypedDict):
    query: str
    focus: str
    engine: EngineName
    dry_run: bool
    plan: Plan


class Link(TypedDict):
    rank: int
    url: str
    title: str
    snippet: str
    backend: str
    published: NotRequired[str]
    authors: NotRequired[list[str]]
    points: NotRequired[int]
    comments: NotRequired[int]
    ref: NotRequired[str]


class Group(TypedDict):
    query: str
    answer: str | None
    results: list[Link]
    warnings: list[str]


class Search(TypedDict):
    groups: list[Group]
    urls: list[str]


class Candidate(TypedDict):
    via: str
    score: float
    chars: int
    reasons: dict[str, float]


class Page(TypedDict):
    url: str
    final_url: str | None
    title: str | None
    markdown: str | None
    via: str | None
    verdict: Verdict | None
    status: SourceStatus
    score: float | None
    candidates: list[Candidate]
    tried: list[str]
    published: str | None
    modified: str | None
    author: str | None
    fetched: str | None
    error: str | None
    message: str | None


class Fetch(TypedDict):
    pages: list[Page]


class Extraction(TypedDict):
    source: str
    title: str | None
    type: SourceType | None
    text: str | None
    spans: list[list[int]]
    error: str | None
    message: str | None


class Extract(TypedDict):
    extractions: list[Extraction]
    warnings: list[str]


class Claims(TypedDict):
    claims: list[PlacedClaim]
    totals: dict[ClaimStatus, int]


class RelatedSessions(TypedDict):
    related: list[Related]
