"""A model that searches by itself: it is asked for pages, links come out of what it answers."""

from __future__ import annotations

from collections.abc import Iterator

from intelli.errors import BackendError, ModelError
from intelli.model.client import Citation, Extras, Models, Reply
from intelli.model.prompts import Prompt, fill
from intelli.model.retry import RetryableError
from intelli.records import Answer, Link, Query
from intelli.search.fields import SNIPPET
from intelli.search.links import find_links, without_sources
from intelli.search.refusals import RefusedError
from intelli.search.rules import with_sites
from intelli.settings import ModelChoice
from intelli.text.snippets import cut, one_line

PROMPT_CHARS = 4000
"""Characters of the prompt that a price is reckoned with."""
_FEWEST, _MOST = 6, 20
"""Different pages the model is asked for."""


async def ask(
    models: Models, query: Query, *, choice: ModelChoice | None = None, extras: Extras
) -> Reply:
    """What the search model, or that of `choice`, answers. Raises BackendError.

    A provider under load answers validly but without a link: it is asked once more.
    """
    prompt = _prompt(query)
    try:
        reply = await models.ask("search", prompt, choice=choice, extras=extras)
        if not (reply.citations or find_links(reply.text)):
            reply = await models.ask("search", prompt, choice=choice, extras=extras)
    except ModelError as error:
        raise _failure(error) from error
    return reply


def _failure(error: ModelError) -> BackendError:
    hint = error.hint and f"{error.hint}, or name another --backend; exa needs no key"
    if error.code == "model-429":
        retry_after = error.retry_after if isinstance(error, RetryableError) else None
        refused = RefusedError(error.message, code="rate-limit", retry_after=retry_after)
        refused.hint = hint
        return refused
    return BackendError(error.message, code=error.code, hint=hint, retryable=error.retryable)


def answer(reply: Reply, backend: str) -> Answer:
    """Links in the order of the text first, then of the citations; the text without its list of
    sources."""
    return Answer(
        links=tuple(_links(reply, backend)), text=without_sources(reply.text), backend=backend
    )


def _prompt(query: Query) -> Prompt:
    wanted = min(_MOST, max(_FEWEST, query.urls + query.urls // 2))
    focus = f"\nWhat matters most: {query.focus}\n" if query.focus else ""
    return fill("search", query=with_sites(query), focus=focus, wanted=str(wanted))


def _links(reply: Reply, backend: str) -> Iterator[Link]:
    cited = {citation.url: citation for citation in reply.citations}
    found = find_links(reply.text)
    for link in found:
        citation = cited.pop(link.url, None)
        yield Link(
            url=link.url,
            rank=link.rank,
            title=link.title,
            snippet=_snippet(citation) if citation else "",
            backend=backend,
            published=citation.published if citation else None,
        )
    for rank, citation in enumerate(cited.values(), len(found) + 1):
        yield Link(
            url=citation.url,
            rank=rank,
            title=one_line(citation.title),
            snippet=_snippet(citation),
            backend=backend,
            published=citation.published,
        )


def _snippet(citation: Citation) -> str:
    return cut(one_line(citation.snippet), SNIPPET)
