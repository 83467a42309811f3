"""The shapes of the documents about what is stored, and about the program itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

from intelli.records import SourceStatus
from intelli.show.shapes import (
    Claims,
    Conflict,
    Counts,
    DryRun,
    Extract,
    Fetch,
    RelatedSessions,
    Research,
    Search,
)

ChangeKind = Literal["changed", "new", "gone", "same"]


class ListedSession(TypedDict):
    session: str
    query: str
    timestamp: str
    focus: str
    engine: str
    outcome: str
    sources: int


class Sessions(TypedDict):
    sessions: list[ListedSession]
    total: int


class Window(TypedDict):
    ref: str
    text: str
    start: int
    end: int
    total: int
    more: bool
    next: str | None
    matches: NotRequired[int]


class ListedSource(TypedDict):
    ref: str
    status: SourceStatus
    title: str
    url: str
    chars: int


class Sources(TypedDict):
    ref: str
    sources: list[ListedSource]
    whole_sites: list[str]


class Match(TypedDict):
    ref: str
    session: str
    part: str
    heading: str
    line: str
    number: int
    start: int
    next: str


class Matches(TypedDict):
    matches: list[Match]
    more: bool


class Side(TypedDict):
    session: str
    timestamp: str
    query: str


class Said(TypedDict):
    text: str
    sources: list[int]
    refs: list[str]


class Values(TypedDict):
    before: list[str]
    after: list[str]


class ClaimChange(TypedDict):
    change: ChangeKind
    cause: str | None
    reworded: bool
    before: Said | None
    after: Said | None
    values: Values


class PageChange(TypedDict):
    change: ChangeKind
    known: bool
    url: str
    title: str
    before: str | None
    after: str | None
    lines_added: int
    lines_removed: int


class ConflictChange(Conflict):
    change: ChangeKind


class Totals(TypedDict):
    claims: Counts
    sources: Counts
    conflicts: Counts


class Difference(TypedDict):
    before: Side
    after: Side
    changed: bool
    summary: str
    totals: Totals
    claims: list[ClaimChange]
    sources: list[PageChange]
    conflicts: list[ConflictChange]
    next: str


class Replay(TypedDict):
    session: str
    identical: bool
    difference: list[str]
    report: str


class Exported(TypedDict):
    session: str
    path: str
    bytes: int


class Removed(TypedDict):
    session: str
    bytes: int


class Pruned(TypedDict):
    removed: list[Removed]
    dry_run: bool


class Set(TypedDict):
    value: Any
    origin: str


class Files(TypedDict):
    user: str
    project: str | None


class Config(TypedDict):
    settings: dict[str, Set]
    files: Files


class Written(TypedDict):
    written: str


class Trusted(TypedDict):
    trusted: str


class Check(TypedDict):
    name: str
    ok: bool
    group: str
    message: str
    hint: str


class Doctor(TypedDict):
    checks: list[Check]


class BatchLine(Research):
    line: int


class FailedLine(TypedDict):
    query: str
    line: int


DOCUMENTS: Mapping[str, tuple[type, ...]] = {
    "research": (Research, DryRun),
    "resume": (Research,),
    "show": (Research,),
    "collate": (Research,),
    "refresh": (Research,),
    "replay": (Replay, Research),
    "batch": (BatchLine, FailedLine),
    "search": (Search,),
    "fetch": (Fetch,),
    "extract": (Extract,),
    "related": (RelatedSessions,),
    "list": (Sessions,),
    "read": (Window, Sources),
    "grep": (Matches,),
    "diff": (Difference,),
    "export": (Exported,),
    "prune": (Pruned,),
    "verify": (Claims,),
    "check": (Claims,),
    "config": (Config,),
    "config init": (Written,),
    "config trust": (Trusted,),
    "doctor": (Doctor,),
}
"""By command, what its document may be."""
