"""Perplexity Sonar, or any model that searches: the model of role `search`."""

from __future__ import annotations

from collections.abc import Iterator

from intelli.errors import BackendError, ModelError, UsageError
from intelli.model.client import Models, Reply
from intelli.model.prompts import Prompt, fill
from intelli.records import Answer, Link, Query
from intelli.search.backend import Equipment
from intelli.search.links import find_links, without_sources
from intelli.search.rules import with_sites

_FEWEST, _MOST = 6, 20
"""Different pages the model is asked for."""


def make(equipment: Equipment) -> Perplexity:
    """Raises UsageError without models."""
    if equipment.models is None:
        raise UsageError("the perplexity backend needs a model", code="no-model")
    return Perplexity(equipment.models)


class Perplexity:
    """Asks the search model; links come from its text first, then from its citations."""

    name = "perplexity"

    def __init__(self, models: Models) -> None:
        self._models = models

    async def search(self, query: Query) -> Answer:
        """A provider under load answers validly but without a link: it is asked once more."""
        prompt = _prompt(query)
        answer = await self._ask(prompt)
        return answer if answer.links else await self._ask(prompt)

    async def _ask(self, prompt: Prompt) -> Answer:
        try:
            reply = await self._models.ask("search", prompt)
        except ModelError as error:
            raise BackendError(
                error.message, code=error.code, hint=error.hint, retryable=error.retryable
            ) from error
        return Answer(
            links=tuple(_links(reply)), text=without_sources(reply.text), backend=self.name
        )


def _prompt(query: Query) -> Prompt:
    wanted = min(_MOST, max(_FEWEST, query.urls + query.urls // 2))
    focus = f"\nWhat matters most: {query.focus}\n" if query.focus else ""
    return fill("search", query=with_sites(query), focus=focus, wanted=str(wanted))


def _links(reply: Reply) -> Iterator[Link]:
    cited = {citation.url: citation for citation in reply.citations}
    found = find_links(reply.text)
    for link in found:
        citation = cited.pop(link.url, None)
        yield Link(
            url=link.url,
            rank=link.rank,
            title=link.title,
            snippet=citation.snippet if citation else "",
            backend=Perplexity.name,
            published=citation.published if citation else None,
        )
    for rank, citation in enumerate(cited.values(), len(found) + 1):
        yield Link(
            url=citation.url,
            rank=rank,
            title=citation.title,
            snippet=citation.snippet,
            backend=Perplexity.name,
            published=citation.published,
        )
