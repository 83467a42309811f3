"""Perplexity Sonar, or any model that searches: the model of role `search`."""

from __future__ import annotations

from intelli.errors import UsageError
from intelli.model.client import Extras, Models
from intelli.records import Answer, Query
from intelli.search import grounded
from intelli.search.backend import Equipment
from intelli.search.rules import hosts
from intelli.settings import ModelChoice

_MOST_DOMAINS = 20


def make(equipment: Equipment) -> Perplexity:
    """Raises UsageError without models."""
    if equipment.models is None:
        raise UsageError("the perplexity backend needs a model", code="no-model")
    return Perplexity(equipment.models, equipment.settings.model("search"))


class Perplexity:
    """Asks the search model; links come from its text first, then from its citations."""

    name = "perplexity"

    def __init__(self, models: Models, choice: ModelChoice) -> None:
        self._models = models
        self._at_perplexity = choice.provider == "perplexity" and not choice.api_base

    def usd(self, results: int) -> float | None:
        """The most dollars of one search, None when nobody lists a price."""
        del results
        return self._models.most(self._models.choice("search"), grounded.PROMPT_CHARS)

    async def search(self, query: Query) -> Answer:
        """Raises BackendError, and UsageError when the model cannot be called at all."""
        extras = Extras(body=_filter(query) if self._at_perplexity else {})
        return grounded.answer(await grounded.ask(self._models, query, extras=extras), self.name)


def _filter(query: Query) -> dict[str, object]:
    """Perplexity's own endpoint takes domains to keep to or, each behind a minus sign, domains to
    leave out."""
    wanted = hosts(query.only_domains) or [f"-{host}" for host in hosts(query.exclude_domains)]
    return {"search_domain_filter": wanted[:_MOST_DOMAINS]} if wanted else {}
