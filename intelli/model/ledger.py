"""What the run has spent, and whether one more call still fits the budget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from intelli.errors import Stopped, UsageError
from intelli.model.prices import CHARS_PER_TOKEN, ceiling_of
from intelli.records import Role, Spend, Usage, record
from intelli.settings import ModelChoice

COLLATION_CHARS = 40_000
"""Characters of extractions that a collation is assumed to read, for the room kept for it."""
_ROUNDING = 1e-9
"""Dollars that sums of fractions may be off by."""


@record
class Reserved:
    """Room for one call: `usd` is what nobody else may spend until it is settled, `likely` what it
    counts where nobody says what it has cost."""

    usd: float = 0.0
    likely: float = 0.0


class Ledger:
    """Counts spend by role; with a budget, a call must be reserved before it is made."""

    def __init__(self, budget: float | None = None, *, unknown_ok: bool = False) -> None:
        self.budget = budget
        self._unknown_ok = unknown_ok
        self._spent: dict[str, Spend] = {}
        self._saved = Spend()
        self._counted = 0.0
        self._reserved: dict[str, float] = {}
        self._settled = asyncio.Event()
        self._collate: ModelChoice | None = None
        self._dearest: dict[str, float] = {}

    @property
    def usage(self) -> Usage:
        return Usage(by_role=dict(self._spent), saved=self._saved)

    def keep_room(self, collate: ModelChoice) -> None:
        """Set money aside for the collation, without which all the rest was spent for nothing; at
        most half of a small budget. Raises UsageError for a budget without a price."""
        self.check(collate)
        self._collate = collate

    def check(self, choice: ModelChoice) -> None:
        """Raises UsageError when a budget could not be kept, because nobody lists a price."""
        if self.budget is not None:
            self.estimate(choice, 0)

    def estimate(self, choice: ModelChoice, chars: int) -> float | None:
        """The most that a call may cost: by its price, else, where that may be unknown, as much as
        the dearest call that its server has charged for, None before the first. Raises UsageError
        when nobody lists a price for it."""
        price = ceiling_of(choice)
        if price:
            return price.of(chars / CHARS_PER_TOKEN, choice.max_tokens)
        self.known(None, choice.model)
        return self._dearest.get(_server(choice))

    def known(self, usd: float | None, what: str) -> float:
        """The price `usd` of `what`. Raises UsageError for None, unless that was allowed."""
        if usd is None and not self._unknown_ok:
            raise UsageError(
                f"no price is known for {what}, so a budget cannot be kept",
                code="unknown-price",
                hint="add --budget-unknown-ok to go on, or leave --budget out; "
                "`models.*.input_price` and `output_price` name a price",
            )
        return usd or 0.0

    async def reserve(
        self, role: Role, estimate: Callable[[], float | None], least: float = 0.0
    ) -> Reserved:
        """Room for one call that may cost `estimate` dollars, to be handed to `settle`. A call that
        only those under way leave no room for waits until they have said what they cost, and one of
        which nobody knows the price, beyond the `least` that it costs, is made alone.

        Raises Stopped when it does not fit; without a budget no price has to be known."""
        if self.budget is None:
            return Reserved()
        while True:
            cost = estimate()
            room, held = self._room(role), sum(self._reserved.values())
            needed = max(least, 2 * _ROUNDING) if cost is None else cost
            if needed <= room + _ROUNDING:
                break
            if held <= _ROUNDING or needed > room + held + _ROUNDING:
                raise self._stopped(role, cost)
            await self._settled.wait()
        reserved = Reserved(usd=room if cost is None else cost, likely=cost or 0.0)
        self._reserved[role] = self._reserved.get(role, 0.0) + reserved.usd
        return reserved

    def _stopped(self, role: Role, cost: float | None) -> Stopped:
        kept = self._kept(role)
        may = "what it costs is unknown" if cost is None else f"it may cost ${cost:.4f}"
        return Stopped(
            f"the budget of ${self.budget:.4f} has no room for another call for {role}: {may}; "
            f"${self._counted:.4f} spent, ${kept:.4f} kept for the report",
            code="budget",
            hint="raise --budget",
        )

    def shares_that_fit(self, role: Role, choice: ModelChoice, chars: int) -> tuple[float, float]:
        """How much (0 to 1) of what a call shows, and of its answer, the budget has room for: a
        shorter answer is enough down to half of it, then both are made smaller alike. 0 for all but
        a role's first call: the next ones are rather left out."""
        first = not self._spent.get(role, Spend()).calls and not self._reserved.get(role)
        price = ceiling_of(choice)
        if self.budget is None or price is None or not first:
            return 0.0, 0.0
        room = self._room(role) - price.request
        shown, answered = price.input * chars / CHARS_PER_TOKEN, price.output * choice.max_tokens
        if answered and room - shown >= answered / 2:
            return 1.0, min(1.0, 0.99 * (room - shown) / answered)
        share = max(0.0, min(1.0, 0.99 * room / (shown + answered or 1.0)))
        return share, share

    def settle(
        self, role: Role, reserved: Reserved, spend: Spend | None, *, charged: bool = False
    ) -> None:
        """Give a reservation back; `spend` is what the call cost, None when it failed. One without
        an answer may be `charged` for all the same: it counts against the budget."""
        if reserved.usd:
            self._reserved[role] -= reserved.usd
        if spend is not None:
            self._spent[role] = self._spent.get(role, Spend()) + spend
        if spend is not None and spend.usd is not None:
            self._counted += spend.usd
        elif spend is not None or charged:
            self._counted += reserved.likely
        self._settled.set()
        self._settled = asyncio.Event()

    def learn(self, choice: ModelChoice, usd: float | None) -> None:
        """Note what a server has charged for a call, None where it does not say."""
        server = _server(choice)
        self._dearest[server] = max(self._dearest.get(server, 0.0), usd or 0.0)

    def save(self, role: Role, spend: Spend) -> None:
        """Note a call that was not made, because what it would give was there already; `spend` is
        what it cost then."""
        self.settle(role, Reserved(), Spend())
        self._saved += spend

    def _room(self, role: Role) -> float:
        """Dollars that a call for `role` may still cost."""
        held = sum(self._reserved.values())
        return (self.budget or 0.0) - self._counted - held - self._kept(role)

    def _kept(self, role: Role) -> float:
        if role == "collate" or self._collate is None or self.budget is None:
            return 0.0
        return min(self.estimate(self._collate, COLLATION_CHARS) or 0.0, self.budget / 2)


def _server(choice: ModelChoice) -> str:
    return choice.endpoint or choice.provider
