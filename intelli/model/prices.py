"""What a call costs when the provider does not say: litellm's price table, read as a file.

Importing litellm takes seconds; its table is plain JSON inside the package and needs no import.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from intelli.records import record
from intelli.settings import ModelChoice

_TABLE = "model_prices_and_context_window_backup.json"
CHARS_PER_TOKEN = 3.5
"""Low for English prose, so that an estimate errs towards spending less."""


@record
class Price:
    """US dollars for a token in, a token out, and a request."""

    input: float
    output: float
    request: float = 0.0

    def of(self, input_tokens: float, output_tokens: float) -> float:
        return self.input * input_tokens + self.output * output_tokens + self.request


@cache
def _table() -> dict[str, Any]:
    spec = find_spec("litellm")
    if spec is None or not spec.submodule_search_locations:
        return {}
    try:
        path = Path(spec.submodule_search_locations[0]) / _TABLE
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def price_of(choice: ModelChoice) -> Price | None:
    """That of the settings, else the listed one. None when unknown, as for every server that the
    user set an address for: what others charge for a model of the same name says nothing of it."""
    if choice.input_price is not None and choice.output_price is not None:
        return Price(input=choice.input_price / 1e6, output=choice.output_price / 1e6)
    if choice.api_base:
        return None
    entry = _table().get(choice.model) or _table().get(choice.name)
    return _price(entry)


def ceiling_of(choice: ModelChoice) -> Price | None:
    """The dearest listed price of a model of this name anywhere: what a budget has to assume
    where the provider's own price is not listed. None when no provider lists the name, and for a
    server of the user's own."""
    exact = price_of(choice)
    if exact or choice.api_base:
        return exact
    name = choice.name.casefold()
    named = (
        _price(entry)
        for key, entry in _table().items()
        if f"/{key.casefold()}".endswith(f"/{name}") and entry.get("mode") == "chat"
    )
    return max((price for price in named if price), key=lambda p: p.of(10, 1), default=None)


def _price(entry: object) -> Price | None:
    if not isinstance(entry, dict) or "input_cost_per_token" not in entry:
        return None
    per_query = entry.get("search_context_cost_per_query")
    request = per_query.get("search_context_size_medium", 0) if isinstance(per_query, dict) else 0
    return Price(
        input=float(entry.get("input_cost_per_token") or 0),
        output=float(entry.get("output_cost_per_token") or 0),
        request=float(request or 0),
    )


def price_of_search(provider: str, results: int) -> float | None:
    """US dollars that one query of a search service costs, by its name in litellm's table and the
    number of results asked for; None when unknown."""
    entry = _table().get(f"{provider}/search")
    if not isinstance(entry, dict):
        return None
    tiers = entry.get("tiered_pricing") or [entry]
    fitting = [tier for tier in tiers if results <= max(tier.get("max_results_range") or [results])]
    price = (fitting or tiers[-1:])[0].get("input_cost_per_query")
    return float(price) if isinstance(price, int | float) else None
