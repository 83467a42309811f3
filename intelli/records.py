"""What flows between the stages: frozen records, one definition each.

Query -> Link -> Candidate -> Page -> Extract | Failure -> Report, all of it in Research
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar, dataclass_transform, get_args

T = TypeVar("T")

Verdict = Literal[
    "ok", "thin", "challenge", "login", "paywall", "soft-404", "js-shell", "binary", "truncated"
]
SourceType = Literal[
    "official-docs", "reference", "tutorial", "blog", "forum", "paper", "code", "other"
]
SourceStatus = Literal["ok", "failed", "duplicate", "irrelevant", "late", "blocked"]
ClaimStatus = Literal["verified", "partial", "misattributed", "unsupported", "uncited", "prose"]
ConflictKind = Literal["figure", "version", "date", "statement"]
Stage = Literal["search", "fetch", "extract", "collate", "suggest"]
Role = Literal["search", "extract", "collate", "suggest", "judge"]
EngineName = Literal["llm", "local"]
JudgeStatus = Literal["disabled", "unavailable", "skipped", "ran"]

SOURCE_TYPES: tuple[SourceType, ...] = get_args(SourceType)
STAGES: tuple[Stage, ...] = get_args(Stage)
ROLES: tuple[Role, ...] = get_args(Role)
CLAIM_STATUSES: tuple[ClaimStatus, ...] = get_args(ClaimStatus)
USABLE_VERDICTS: frozenset[Verdict] = frozenset({"ok", "thin", "truncated", "paywall"})
"""Verdicts whose text is worth reading; every other one means the body is not the page."""

EXCERPT = "excerpt"
"""`via` of a page that could not be read, of which the search showed enough to be worth keeping."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """The decorator of everything that flows: frozen, slots, keywords only."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)


@record
class Query:
    """A question as asked. `urls` is the number of pages wanted; domains are bare host names."""

    text: str
    focus: str = ""
    urls: int = 10
    domains: tuple[str, ...] = ()
    only_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()


@record
class Link:
    """One search result. `rank` counts from 1; `published` is an ISO date where one is known; `ref`
    names the stored source of an earlier run that was found, "" for what is not stored."""

    url: str
    rank: int = 1
    title: str = ""
    snippet: str = ""
    backend: str = ""
    published: str | None = None
    authors: tuple[str, ...] = ()
    points: int | None = None
    comments: int | None = None
    ref: str = ""


@record
class Judgement:
    """What a model thought of search results; `withheld` are addresses of unsafe ones."""

    status: JudgeStatus = "disabled"
    reason: str = ""
    sufficient: bool = False
    withheld: tuple[str, ...] = ()


@record
class Answer:
    """What a search backend returns: links in rank order and, where it writes one, its answer.
    `age_s` is how long ago it was given, None for just now."""

    links: tuple[Link, ...]
    text: str = ""
    backend: str = ""
    age_s: float | None = None
    judgement: Judgement = Judgement()


@record
class Candidate:
    """One reading of a page. `score` is comparable between candidates of the same page only."""

    via: str
    text: str
    title: str = ""
    score: float = 0.0
    reasons: Mapping[str, float] = field(default_factory=dict)


@record
class Page:
    """The reading that won. `text` is Markdown without the title; `fetched` is ISO 8601 in UTC,
    `age_s` how long ago that was for a page that was kept from an earlier run. `published` and
    `modified` are the ISO dates and `author` the name or names that the page gives itself."""

    link: Link
    final_url: str
    text: str
    title: str = ""
    via: str = "html"
    verdict: Verdict = "ok"
    published: str | None = None
    modified: str | None = None
    author: str = ""
    fetched: str = ""
    age_s: float | None = None
    digest: str = ""
    score: float = 0.0
    candidates: tuple[Candidate, ...] = ()
    tried: tuple[str, ...] = ()
    """What was asked before and gave nothing, as `way: code: reason`."""

    @property
    def is_excerpt(self) -> bool:
        """Whether the text is what a search showed of the page, and not the page."""
        return self.via == EXCERPT


@record
class Extract:
    """What the focus asks for from one page. `spans` are offsets into `page.text` of what is there
    word for word; `reply` is all that a model wrote, where its notes were put right."""

    page: Page
    text: str
    source_type: SourceType = "other"
    currency: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    reply: str = ""


@record
class Failure:
    """Why a page is missing from the report: `code` as in the contract, `reason` for a person."""

    stage: Stage
    code: str
    reason: str
    verdict: Verdict | None = None


@record
class Source:
    """One lane: the link, numbered from 1 in starting order, and how far it came."""

    n: int
    link: Link
    status: SourceStatus
    page: Page | None = None
    extract: Extract | None = None
    failure: Failure | None = None
    file: str = ""
    """Name of its files under `sources/` and `extractions/`, once it is stored."""


@record
class Evidence:
    """Where a detail stands: code point offsets into the whole stored file of source `source`."""

    source: int
    start: int
    end: int


@record
class Claim:
    """One checkable statement of a text. `start`, `end` are offsets into that text; `item` is the
    number (from 1) of the paragraph or list item it stands in."""

    text: str
    sources: tuple[int, ...] = ()
    status: ClaimStatus
    missing: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    start: int = 0
    end: int = 0
    item: int = 1


@record
class Position:
    """One side of a conflict."""

    statement: str
    sources: tuple[int, ...]


@record
class Conflict:
    """Sources that disagree. `positions[preferred]` is the side to prefer, for that `reason`."""

    topic: str
    kind: ConflictKind
    positions: tuple[Position, ...]
    preferred: int | None = None
    reason: str = ""


@record
class Report:
    """`summary` is Markdown with [n] marks that name sources by number; `reply` is what a model
    wrote, word for word, `cut_off` whether it ran out of room."""

    summary: str
    conflicts: tuple[Conflict, ...] = ()
    assessment: str = ""
    claims: tuple[Claim, ...] = ()
    warnings: tuple[str, ...] = ()
    reply: str = ""
    cut_off: bool = False


@record
class Related:
    """An earlier session that may help; `why` is one line."""

    session: str
    query: str
    timestamp: str
    why: str


@record
class Spend:
    """What calls cost; `usd` is None when a price is unknown, never 0 for that."""

    calls: int = 0
    usd: float | None = 0.0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Spend) -> Spend:
        known = self.usd is not None and other.usd is not None
        return Spend(
            calls=self.calls + other.calls,
            usd=(self.usd or 0.0) + (other.usd or 0.0) if known else None,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )


@record
class Usage:
    """Spend by role; `saved` is what calls would have cost whose replies were kept."""

    by_role: Mapping[str, Spend] = field(default_factory=dict)
    saved: Spend = Spend()

    @property
    def total(self) -> Spend:
        return sum(self.by_role.values(), Spend())

    def __add__(self, other: Usage) -> Usage:
        roles = dict.fromkeys((*self.by_role, *other.by_role))
        nothing = Spend()
        spent = {r: self.by_role.get(r, nothing) + other.by_role.get(r, nothing) for r in roles}
        return Usage(by_role=spent, saved=self.saved + other.saved)


@record
class Timing:
    """Seconds; a stage runs from its first start to its last end, so stages overlap."""

    wall_s: float = 0.0
    stages: Mapping[str, float] = field(default_factory=dict)


@record
class Research:
    """A whole run: what was asked, what came of it, what it cost."""

    query: Query
    engine: EngineName
    outcome: str
    session: str = ""
    path: str = ""
    timestamp: str = ""
    report: Report = Report(summary="")
    sources: tuple[Source, ...] = ()
    related: tuple[Related, ...] = ()
    usage: Usage = Usage()
    timing: Timing = Timing()
    warnings: tuple[str, ...] = ()
