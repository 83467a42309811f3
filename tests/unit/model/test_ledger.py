"""A budget is never passed: not by calls at once, not by calls without an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from intelli.errors import Stopped, UsageError
from intelli.model.ledger import Ledger, Reserved
from intelli.model_choice import ModelChoice
from intelli.records import Spend


def choice(
    model: str = "world/extract", *, price: float | None = None, api_base: str = "http://own"
) -> ModelChoice:
    return ModelChoice(
        model=model, api_base=api_base, api_key_env=None, max_tokens=1000,
        input_price=price, output_price=price,
    )  # fmt: skip


def spent(usd: float | None) -> Spend:
    return Spend(calls=1, usd=usd, input_tokens=1)


async def pay(
    ledger: Ledger, cost: Callable[[], float | None], usd: float | None, seconds: float = 0.01
) -> Reserved:
    reserved = await ledger.reserve("extract", cost)
    await asyncio.sleep(seconds)
    ledger.settle("extract", reserved, spent(usd))
    return reserved


def together(*calls: Awaitable[Reserved]) -> list[Reserved | BaseException]:
    async def run() -> list[Reserved | BaseException]:
        return await asyncio.gather(*calls, return_exceptions=True)

    return asyncio.run(run())


def test_a_call_waits_for_what_those_under_way_may_leave() -> None:
    """Each may cost 0.4 and costs 0.1: of a budget of 1.0 there is room for seven."""
    ledger = Ledger(1.0)
    done = together(*(pay(ledger, lambda: 0.4, 0.1) for _ in range(20)))
    assert sum(isinstance(result, Reserved) for result in done) == 7
    assert all(isinstance(result, Reserved | Stopped) for result in done)
    assert ledger.usage.total.usd == pytest.approx(0.7)


def test_what_can_never_fit_does_not_wait() -> None:
    ledger = Ledger(1.0)
    first, second = together(pay(ledger, lambda: 0.4, 0.1), pay(ledger, lambda: 1.1, 0.1))
    assert isinstance(first, Reserved) and isinstance(second, Stopped)
    assert "$1.1000" in second.message


def test_the_first_call_of_an_unknown_price_is_made_alone_and_tells_it() -> None:
    ledger = Ledger(1.0, unknown_ok=True)
    own = choice()

    async def call() -> Reserved:
        reserved = await ledger.reserve("extract", lambda: ledger.estimate(own, 100))
        await asyncio.sleep(0.01)
        ledger.learn(own, 0.3)
        ledger.settle("extract", reserved, spent(0.3))
        return reserved

    done = together(*(call() for _ in range(9)))
    assert sum(isinstance(result, Reserved) for result in done) == 3
    assert ledger.usage.total.usd == pytest.approx(0.9)


def test_a_server_that_never_says_what_it_costs_is_not_counted() -> None:
    ledger = Ledger(1.0, unknown_ok=True)
    own = choice()

    async def call() -> Reserved:
        reserved = await ledger.reserve("extract", lambda: ledger.estimate(own, 100))
        ledger.learn(own, None)
        ledger.settle("extract", reserved, spent(None))
        return reserved

    assert all(isinstance(result, Reserved) for result in together(*(call() for _ in range(9))))
    assert ledger.usage.total.usd is None


def test_nothing_of_an_unknown_price_is_bought_for_nothing() -> None:
    ledger = Ledger(0.0, unknown_ok=True)
    (result,) = together(ledger.reserve("extract", lambda: ledger.estimate(choice(), 9)))
    assert isinstance(result, Stopped)
    free = choice(price=0.0)
    (result,) = together(ledger.reserve("extract", lambda: ledger.estimate(free, 9)))
    assert isinstance(result, Reserved), "a price of nothing is a price"


def test_a_call_of_an_untold_price_counts_the_most_that_it_may_cost() -> None:
    ledger = Ledger(1.0)
    one, two, three = together(*(pay(ledger, lambda: 0.4, None) for _ in range(3)))
    assert isinstance(one, Reserved) and isinstance(two, Reserved) and isinstance(three, Stopped)


@pytest.mark.parametrize(("charged", "room"), [(True, False), (False, True)])
def test_a_call_without_an_answer_may_be_charged_for(charged: bool, room: bool) -> None:
    ledger = Ledger(0.5)

    async def lost() -> Reserved:
        reserved = await ledger.reserve("extract", lambda: 0.4)
        ledger.settle("extract", reserved, None, charged=charged)
        return await ledger.reserve("extract", lambda: 0.4)

    (result,) = together(lost())
    assert isinstance(result, Reserved) is room
    assert ledger.usage.by_role == {}


def test_room_for_the_report_is_kept_also_from_what_is_learned() -> None:
    ledger = Ledger(1.0, unknown_ok=True)
    ledger.keep_room(choice("world/collate"))
    ledger.learn(choice(), 0.3)
    done = together(*(pay(ledger, lambda: 0.3, 0.3) for _ in range(5)))
    assert sum(isinstance(result, Reserved) for result in done) == 2
    (report,) = together(ledger.reserve("collate", lambda: 0.3))
    assert isinstance(report, Reserved)


def test_a_server_of_the_users_own_has_the_price_that_the_user_says_or_none() -> None:
    ledger = Ledger(1.0)
    with pytest.raises(UsageError) as caught:
        ledger.estimate(choice("openai/gpt-4o-mini"), 100)
    assert "input_price" in caught.value.hint and "--budget-unknown-ok" in caught.value.hint
    assert ledger.estimate(choice(price=2.0), 3500) == pytest.approx(2000 * 2e-6)
    listed = ModelChoice(
        model="openai/gpt-4o-mini", api_base=None, api_key_env=None, max_tokens=1000
    )
    assert ledger.estimate(listed, 100)
