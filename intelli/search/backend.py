"""What a search backend is, and the table of those there are."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol

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


Family = Literal["web", "code", "papers", "talk", "local"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the table: the module whose `make(equipment)` gives the backend, what it searches
    and the variables that may hold a key for it; without one a `keyed` backend cannot be asked."""

    module: str
    family: Family = "web"
    keys: tuple[str, ...] = ()
    keyed: bool = False


BACKENDS: Mapping[str, Entry] = {
    "perplexity": Entry(module="backends.perplexity"),
    "exa": Entry(module="backends.exa", keys=("EXA_API_KEY",)),
    "duckduckgo": Entry(module="backends.duckduckgo"),
    "docs": Entry(module="docs", family="local"),
    "urls": Entry(module="backends.given", family="local"),
}
"""Each is imported when it is made, so that a run loads only what it uses."""


def make(name: str, equipment: Equipment) -> Backend:
    """The backend called `name`. Raises UsageError listing the known names for any other."""
    check_name(name)
    module = import_module(f"intelli.search.{BACKENDS[name].module}")
    backend: Backend = module.make(equipment)
    return backend


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
