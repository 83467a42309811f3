"""What a run would do and cost, without doing any of it: no call is made and nothing is stored."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from intelli.model.prices import CHARS_PER_TOKEN, ceiling_of, price_of
from intelli.plans import Plan, PlannedCalls, PlannedSearch, PriceKind
from intelli.records import Query, Role, record
from intelli.search.backend import BACKENDS
from intelli.search.pricing import usd_of
from intelli.store import Given
from intelli.store.beginning import stopped_short
from intelli.store.meta import Meta
from intelli.toolbox import Toolbox

PROMPT = 4_000
"""Characters of standing instructions and question in any prompt."""
PAGE, NOTES = 15_000, 4_000
"""Characters of a usual page, and of what is kept of one."""
RESULT = 400
"""Characters that a search shows of a page."""
ANSWERS: dict[str, int] = {"extract": 1200, "collate": 2500, "suggest": 150, "judge": 800}
"""Tokens of a usual answer."""


@record
class _Size:
    """How often a role is asked, and the characters shown each time, usually and at most."""

    role: Role
    calls: int
    chars: int
    most: int


AT_ONCE = 4
"""Backends that a thorough search asks."""


def plan_of(
    query: Query,
    tools: Toolbox,
    given: Given,
    *,
    reuse: timedelta | None = None,
    fresh: bool = False,
    thorough: bool = False,
) -> Plan:
    """What a run over `query` with these options would do. Reads what is stored, and nothing
    else."""
    search = tuple(_searches(query, tools))
    calls = tuple(_calls(query, tools, given))
    asked = search[: AT_ONCE if thorough else 1]
    reuses, resumes = ("", "") if fresh else _stored(query, tools, given, reuse)
    prices = [*(each.usd for each in asked), *(each.usd for each in calls)]
    most = [*(each.usd for each in search), *(each.most_usd for each in calls)]
    return Plan(
        engine=tools.settings.engine,
        search=search,
        pages=query.urls,
        links=len(given.urls) or query.urls * 2,
        calls=calls,
        usd=_total(prices),
        most_usd=_total(most),
        budget=tools.settings.limit("budget"),
        unknown=tuple(_unknown(search, calls)),
        reuses=reuses,
        resumes=resumes,
    )


def _stored(query: Query, tools: Toolbox, given: Given, reuse: timedelta | None) -> tuple[str, str]:
    """The session whose answer would be given, and the stopped one that would be finished."""
    engine, now = tools.settings.engine, datetime.now(UTC)
    store = tools.store
    if reuse is not None and (found := store.reusable(query, engine, now - reuse, given)):
        return found.name, ""
    if not os.path.isdir(store.cache_dir):  # noqa: PTH112 - raises nothing
        return "", ""
    stopped = stopped_short(store, Meta(query=query, engine=engine, given=given), now)
    return "", stopped.name if stopped else ""


def _searches(query: Query, tools: Toolbox) -> Iterable[PlannedSearch]:
    for name in tools.backends:
        yield PlannedSearch(backend=name, usd=usd_of(name, tools.equipment, query.urls * 2))


def _calls(query: Query, tools: Toolbox, given: Given) -> Iterable[PlannedCalls]:
    if tools.models is None:
        return
    pages = len(given.urls) or query.urls
    shown = tools.settings.count("extract.max_chars")
    searched = not all(BACKENDS[name].family == "local" for name in tools.backends)
    links = query.urls * 2 * (RESULT if searched else 0)
    sizes = [
        _Size(role="judge", calls=int(bool(tools.judge and links)), chars=links, most=2 * links),
        _Size(role="extract", calls=pages, chars=min(PAGE, shown), most=shown),
        _Size(role="collate", calls=1, chars=pages * NOTES, most=pages * NOTES * 4),
        _Size(role="suggest", calls=1, chars=PROMPT, most=PROMPT),
    ]
    for size in sizes:
        if size.calls:
            yield _planned(size, tools)


def _planned(size: _Size, tools: Toolbox) -> PlannedCalls:
    choice = tools.settings.model(size.role)
    price = ceiling_of(choice)
    kind: PriceKind = "unknown" if price is None else "listed" if price_of(choice) else "assumed"
    shown = round((PROMPT + size.chars) / CHARS_PER_TOKEN)
    answered = min(ANSWERS[size.role], choice.max_tokens)
    most = (PROMPT + size.most) / CHARS_PER_TOKEN
    return PlannedCalls(
        role=size.role,
        model=choice.model,
        calls=size.calls,
        input_tokens=size.calls * shown,
        output_tokens=size.calls * answered,
        price=kind,
        usd=size.calls * price.of(shown, answered) if price else None,
        most_usd=size.calls * price.of(most, choice.max_tokens) if price else None,
    )


def _total(prices: Iterable[float | None]) -> float | None:
    known = list(prices)
    return None if None in known else sum(price or 0.0 for price in known)


def _unknown(search: Iterable[PlannedSearch], calls: Iterable[PlannedCalls]) -> Iterable[str]:
    yield from (f"a search with {each.backend}" for each in search if each.usd is None)
    yield from dict.fromkeys(each.model for each in calls if each.usd is None)
