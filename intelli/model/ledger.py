"""What the run has spent, and whether one more call still fits the budget."""

from __future__ import annotations

from intelli.errors import Stopped, UsageError
from intelli.model.prices import CHARS_PER_TOKEN, Price, ceiling_of
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
        self._reserved = 0.0
        self._kept = 0.0

    @property
    def usage(self) -> Usage:
        return Usage(by_role=dict(self._spent))

    def keep_room(self, collate: ModelChoice) -> None:
        """Set money aside for the collation, without which all the rest was spent for nothing."""
        if self.budget is not None:
            self._kept = self.estimate(collate, COLLATION_CHARS)

    def estimate(self, choice: ModelChoice, chars: int) -> float:
        """The most that a call may cost. Raises UsageError when nobody lists a price for it."""
        price = ceiling_of(choice)
        if price is None and self._unknown_ok:
            price = Price(input=0.0, output=0.0)
        if price is None:
            raise UsageError(
                f"no price is known for {choice.model}, so a budget cannot be kept",
                code="unknown-price",
                hint="add --budget-unknown-ok to go on, or leave --budget out",
            )
        return price.of(chars / CHARS_PER_TOKEN, choice.max_tokens)

    def reserve(self, role: Role, choice: ModelChoice, chars: int) -> float:
        """Room for one call, to be handed to `settle`. Raises Stopped when it does not fit."""
        if self.budget is None:
            return 0.0
        cost = self.estimate(choice, chars)
        kept = 0.0 if role == "collate" else self._kept
        if self._total() + self._reserved + kept + cost > self.budget:
            raise Stopped(
                f"the budget of ${self.budget:.4f} has no room for another call for {role}: it may "
                f"cost ${cost:.4f}; ${self._total():.4f} spent, ${kept:.4f} kept for the report",
                code="budget",
                hint="raise --budget",
            )
        self._reserved += cost
        return cost

    def settle(self, role: Role, reserved: float, spend: Spend | None) -> None:
        """Give a reservation back; `spend` is what the call cost, None when it failed."""
        self._reserved -= reserved
        if spend is not None:
            self._spent[role] = self._spent.get(role, Spend()) + spend

    def _total(self) -> float:
        return sum(spend.usd or 0.0 for spend in self._spent.values())
