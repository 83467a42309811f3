"""The plan of a run, as text and as a JSON document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from intelli.plans import Plan, PlannedCalls
from intelli.records import Query
from intelli.show.documents import Document, envelope
from intelli.show.text import counted, line, money

_PRICES = {"assumed": ", the dearest listed price of that model", "unknown": "", "listed": ""}


def plan_document(query: Query, plan: Plan) -> Document:
    """`research --dry-run --json`; dollars are null when a price is unknown."""
    body = _rounded(asdict(plan))
    return envelope(
        "completed",
        query=query.text,
        focus=query.focus,
        engine=plan.engine,
        dry_run=True,
        plan={
            **body,
            "fits": plan.fits,
            "reuses": plan.reuses or None,
            "resumes": plan.resumes or None,
        },
    )


def _rounded(value: Any) -> Any:
    """Dollars to the millionth, as everywhere."""
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, tuple | list) else value


def plan_text(query: Query, plan: Plan) -> str:
    """One line for each thing that would be done, and what it costs in all."""
    return "\n".join(_lines(query, plan)) + "\n"


def _lines(query: Query, plan: Plan) -> Iterable[str]:
    yield f"# {line(query.text, 200)}"
    yield ""
    if plan.reuses:
        yield f"- answered from {plan.reuses}, at no cost"
        return
    if plan.resumes:
        yield f"- finishes {plan.resumes}, and pays only for what is missing of the following"
    names = " → ".join(f"{each.backend} ({_price(each.usd)})" for each in plan.search)
    yield f"- search: {names or 'none'}; up to {counted(plan.links, 'link')}"
    yield f"- fetch: {counted(plan.pages, 'page')}"
    if not plan.calls:
        yield "- extract, collate: on this machine, at no cost"
    for calls in plan.calls:
        yield _calls_line(calls)
    yield ""
    yield f"In all usually {money(plan.usd)}, at most {money(plan.most_usd)}{_budget(plan)}."
    if plan.unknown:
        yield f"No price is known for {', '.join(plan.unknown)}."
    yield "Nothing was asked, fetched or stored."


def _calls_line(calls: PlannedCalls) -> str:
    tokens = f"{calls.input_tokens:,} tokens in, {calls.output_tokens:,} out"
    cost = (
        f"{money(calls.usd)}, at most {money(calls.most_usd)}"
        if calls.usd is not None
        else "cost unknown"
    )
    number = counted(calls.calls, "call")
    return (
        f"- {calls.role}: {number} to {calls.model}, {tokens}: {cost}{_PRICES.get(calls.price, '')}"
    )


def _price(usd: float | None) -> str:
    return "free" if usd == 0 else money(usd)


def _budget(plan: Plan) -> str:
    if plan.budget is None:
        return ""
    words = {None: "it is unknown whether that fits", True: "that fits", False: "that does not fit"}
    return f"; of a budget of {money(plan.budget)} {words[plan.fits]}"
