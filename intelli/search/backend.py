"""What a search backend is, and the table of those there are."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from intelli.errors import UsageError
from intelli.records import Answer, Query

if TYPE_CHECKING:
    from intelli.model.client import Models
    from intelli.net.client import Network
    from intelli.search.docs import DocsIndex
    from intelli.settings import Settings


class Backend(Protocol):
    """One way to turn a query into links."""

    @property
    def name(self) -> str:
        """As in `BACKENDS`; every link of its answers carries it."""
        ...

    async def search(self, query: Query) -> Answer:
        """Links in rank order, none when nothing was found. Raises BackendError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment:
    """What backends are made from; a backend takes the parts it needs.

    `docs` and `urls` are the files and pages that the user named instead of a search.
    """

    settings: Settings
    network: Network
    models: Models | None = None
    docs: DocsIndex | None = None
    urls: tuple[str, ...] = ()


def _perplexity(equipment: Equipment) -> Backend:
    from intelli.search.perplexity import Perplexity

    if equipment.models is None:
        raise UsageError("the perplexity backend needs a model", code="no-model")
    return Perplexity(equipment.models)


def _exa(equipment: Equipment) -> Backend:
    from intelli.search.exa import Exa

    settings = equipment.settings
    return Exa(
        equipment.network,
        settings.text("backends.exa.url"),
        key=settings.secret("EXA_API_KEY"),
    )


def _duckduckgo(equipment: Equipment) -> Backend:
    from intelli.search.duckduckgo import DuckDuckGo

    return DuckDuckGo(equipment.network, equipment.settings.text("backends.duckduckgo.url"))


def _docs(equipment: Equipment) -> Backend:
    if equipment.docs is None:
        raise UsageError(
            "the docs backend needs local files", code="no-docs", hint="name them with --docs PATH"
        )
    return equipment.docs


def _urls(equipment: Equipment) -> Backend:
    from intelli.search.given import Given

    if not equipment.urls:
        raise UsageError(
            "the urls backend needs addresses", code="no-urls", hint="name them with --url URL"
        )
    return Given(equipment.urls, equipment.docs)


BACKENDS: Mapping[str, Callable[[Equipment], Backend]] = {
    "perplexity": _perplexity,
    "exa": _exa,
    "duckduckgo": _duckduckgo,
    "docs": _docs,
    "urls": _urls,
}
"""Each entry imports its backend when it is called, so that a run loads only what it uses."""


def make(name: str, equipment: Equipment) -> Backend:
    """The backend called `name`. Raises UsageError listing the known names for any other."""
    check_name(name)
    return BACKENDS[name](equipment)


def check_name(name: str) -> None:
    """Raises UsageError listing the known names for any other."""
    if name not in BACKENDS:
        near = difflib.get_close_matches(name, BACKENDS, n=1)
        known = ", ".join(BACKENDS)
        raise UsageError(
            f"unknown backend `{name}`; the backends are {known}",
            code="unknown-backend",
            hint=f"did you mean `{near[0]}`?" if near else f"use one of {known}",
        )


def chain_of(settings: Settings, *, docs: bool = False, urls: bool = False) -> tuple[str, ...]:
    """The backends to ask, in order: what the user named (`docs`, `urls`: whether files or pages
    were), else `search.backends`, else by whether a search model can be called."""
    if urls:
        return ("urls",)
    if docs:
        return ("docs",)
    configured = settings.names("search.backends")
    if configured:
        return configured
    return ("perplexity",) if settings.has_model("search") else ("exa", "duckduckgo")
