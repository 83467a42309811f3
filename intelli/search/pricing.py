"""What a search with a backend costs, known before it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from intelli.search.backend import BACKENDS, Equipment, make, web_chain


def usd_of(name: str, equipment: Equipment, results: int) -> float | None:
    """The most dollars that one search for `results` links costs, None when nobody lists a price;
    0.0 for a service that is free, as most are without a key."""
    price = getattr(make(name, equipment), "usd", None)
    return price(results) if price else 0.0


def asked_in_a_run(names: Sequence[str], equipment: Equipment) -> tuple[str, ...]:
    """The backends that a search over `names` may come to ask."""
    families = {BACKENDS[name].family for name in names}
    is_trade = bool(families) and not families & {"web", "local"}
    return (*names, *(web_chain(equipment.settings) if is_trade else ()))
