"""What the run has spent, and whether one more call still fits the budget."""

from __future__ import annotations

from collections.abc import Callable

from intelli.errors import Stopped, UsageError
from intelli.model.prices import CHARS_PER_TOKEN, ceiling_of
from intelli.records import Role, Spend, Usage
from intelli.settings import ModelChoice

COLLATION_CHARS = 40_000
"""Characters of extractions that a collation is assumed to read, for the room kept for it."""


class Ledger:
    """Counts spend by role; with a budget, a call must be reserved before it is made."""

    def __init__(self, budget: float | None = None, *, unknown_ok: bool = False) -> None:
        self.budget = budget
        self._unknown_ok = unknown_ok
        self._spent: dict[str, Spend] = {}
        self._saved = Spend()
        self._reserved: dict[str, float] = {}
        self._kept = 0.0

    @property
    def usage(self) -> Usage:
        return Usage(by_role=dict(self._spent), saved=self._saved)

    def keep_room(self, collate: ModelChoice) -> None:
        """Set money aside for the collation, without which all the rest was spent for nothing; at
        most half of a small budget."""
        if self.budget is not None:
            self._kept = min(self.estimate(collate, COLLATION_CHARS), self.budget / 2)

    def check(self, choice: ModelChoice) -> None:
        """Raises UsageError when a budget could not be kept, because nobody lists a price."""
        if self.budget is not None:
            self.estimate(choice, 0)

    def estimate(self, choice: ModelChoice, chars: int) -> float:
        """The most that a call may cost. Raises UsageError when nobody lists a price for it."""
        price = ceiling_of(choice)
        usd = price.of(chars / CHARS_PER_TOKEN, choice.max_tokens) if price else None
        return self.known(usd, choice.model)

    def known(self, usd: float | None, what: str) -> float:
        """The price `usd` of `what`. Raises UsageError for None, unless that was allowed."""
        if usd is None and not self._unknown_ok:
            raise UsageError(
                f"no price is known for {what}, so a budget cannot be kept",
                code="unknown-price",
                hint="add --budget-unknown-ok to go on, or leave --budget out",
            )
        return usd or 0.0

    def reserve(self, role: Role, estimate: Callable[[], float]) -> float:
        """Room for one call that may cost `estimate` dollars, to be handed to `settle`. Raises
        Stopped when it does not fit; without a budget no price has to be known."""
        if self.budget is None:
            return 0.0
        cost = estimate()
        if cost > self._room(role):
            kept = 0.0 if role == "collate" else self._kept
            raise Stopped(
                f"the budget of ${self.budget:.4f} has no room for another call for {role}: it may "
                f"cost ${cost:.4f}; ${self._total():.4f} spent, ${kept:.4f} kept for the report",
                code="budget",
                hint="raise --budget",
            )
        self._reserved[role] = self._reserved.get(role, 0.0) + cost
        return cost

    def share_that_fits(self, role: Role, choice: ModelChoice, chars: int) -> float:
        """How much (0 to 1) of a call the budget has room for, if both what is shown and what is
        answered are made smaller alike. 0 for all but a role's first call: the next ones are
        rather left out."""
        first = not self._spent.get(role, Spend()).calls and not self._reserved.get(role)
        price = ceiling_of(choice)
        if self.budget is None or price is None or not first:
            return 0.0
        whole = price.of(chars / CHARS_PER_TOKEN, choice.max_tokens) - price.request
        room = self._room(role) - price.request
        return max(0.0, min(1.0, room / whole)) if whole > 0 else 0.0

    def settle(self, role: Role, reserved: float, spend: Spend | None) -> None:
        """Give a reservation back; `spend` is what the call cost, None when it failed."""
        if reserved:
            self._reserved[role] -= reserved
        if spend is not None:
            self._spent[role] = self._spent.get(role, Spend()) + spend

    def save(self, role: Role, spend: Spend) -> None:
        """Note a call that was not made, because what it would give was there already; `spend` is
        what it cost then."""
        self.settle(role, 0.0, Spend())
        self._saved += spend

    def _room(self, role: Role) -> float:
        """Dollars that a call for `role` may still cost."""
        kept = 0.0 if role == "collate" else self._kept
        return (self.budget or 0.0) - self._total() - sum(self._reserved.values()) - kept

    def _total(self) -> float:
        return sum(spend.usd or 0.0 for spend in self._spent.values())
