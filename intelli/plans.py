"""What a run would do and what it would cost, as records."""

from __future__ import annotations

from typing import Literal

from intelli.records import EngineName, record

PriceKind = Literal["listed", "assumed", "unknown", "free"]
"""`assumed`: nobody lists the provider's own price, and the dearest of a model of that name is
taken."""


@record
class PlannedSearch:
    """A backend that may be asked, in order; `usd` for one search, None when that is unknown."""

    backend: str
    usd: float | None


@record
class PlannedCalls:
    """The calls for one role. `usd` is what they usually cost, `most_usd` the most that one try of
    each may; both None when no price is known."""

    role: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    price: PriceKind
    usd: float | None
    most_usd: float | None


@record
class Plan:
    """`reuses` names the session whose answer would be given, `resumes` the stopped one that would
    be finished; `usd` and `most_usd` are for the whole run."""

    engine: EngineName
    search: tuple[PlannedSearch, ...]
    pages: int
    links: int
    calls: tuple[PlannedCalls, ...]
    usd: float | None
    most_usd: float | None
    budget: float | None
    unknown: tuple[str, ...]
    reuses: str = ""
    resumes: str = ""

    @property
    def fits(self) -> bool | None:
        """Whether what the run usually costs is within the budget; None when nobody can say."""
        if self.budget is None or self.usd is None:
            return None
        return self.usd <= self.budget
