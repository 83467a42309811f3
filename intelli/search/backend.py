"""What a search backend is, and the table of those there are."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol

from intelli.errors import UsageError
from intelli.records import Answer, Query

if TYPE_CHECKING:
    from intelli.model.client import Models
    from intelli.net.client import Network
    from intelli.search.docs import DocsIndex
    from intelli.search.stored import StoredPages
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

    `docs` and `urls` are the files and pages that the user named instead of a search, `stored`
    what earlier runs kept; `name` is the line of `BACKENDS` that is being made. `leave_alone` is
    told how many seconds a service wants to be left alone after an answer that is good.
    """

    settings: Settings
    network: Network
    models: Models | None = None
    docs: DocsIndex | None = None
    stored: StoredPages | None = None
    urls: tuple[str, ...] = ()
    name: str = ""
    leave_alone: Callable[[float], None] = lambda seconds: None

    @property
    def url(self) -> str:
        """Address of the service: its own, unless the user set another."""
        return self.settings.text(f"backends.{self.name}.url")

    @property
    def is_own_address(self) -> bool:
        """Whether the user left the address of the service as it is."""
        return self.settings.origins[f"backends.{self.name}.url"] == "default"

    @property
    def key_name(self) -> str:
        """The variable that holds the key, else the first that may, "" for a service without."""
        return key_name(self.name, self.settings)

    @property
    def key(self) -> str | None:
        """The user's key for the service; a blank one is none."""
        return self.settings.secret(self.key_name)


Family = Literal["web", "code", "papers", "talk", "reference", "local"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the table: the module whose `make(equipment)` gives the backend, what it searches
    and the variables that may hold a key for it; without one a `keyed` backend cannot be asked.
    `interval` is the least number of seconds between two calls, which then also come one at a
    time; `grounded`: a model searches, which takes as long as models take; `narrow`: its `site:`
    words shut all other sites out."""

    module: str
    family: Family = "web"
    keys: tuple[str, ...] = ()
    keyed: bool = False
    interval: float = 0.0
    grounded: bool = False
    narrow: bool = False


BACKENDS: Mapping[str, Entry] = {
    "perplexity": Entry(module="backends.perplexity", grounded=True),
    "exa": Entry(module="backends.exa", keys=("EXA_API_KEY",)),
    "parallel": Entry(module="backends.parallel", keys=("PARALLEL_API_KEY",)),
    "tavily": Entry(module="backends.tavily", keys=("TAVILY_API_KEY",)),
    "firecrawl": Entry(module="backends.firecrawl", keys=("FIRECRAWL_API_KEY",)),
    "duckduckgo": Entry(module="backends.duckduckgo", interval=2.0, narrow=True),
    "you": Entry(module="backends.you", keys=("YOUCOM_API_KEY",)),
    "searxng": Entry(module="backends.searxng"),
    "openrouter-web": Entry(
        module="backends.openrouter_web", keys=("OPENROUTER_API_KEY",), keyed=True, grounded=True
    ),
    "perplexity-search": Entry(module="backends.keyed", keys=("PERPLEXITY_API_KEY",), keyed=True),
    "brave": Entry(module="backends.keyed", keys=("BRAVE_API_KEY",), keyed=True),
    "serper": Entry(module="backends.keyed", keys=("SERPER_API_KEY",), keyed=True),
    "linkup": Entry(module="backends.keyed", keys=("LINKUP_API_KEY",), keyed=True),
    "exa-api": Entry(module="backends.keyed", keys=("EXA_API_KEY",), keyed=True),
    "parallel-api": Entry(module="backends.keyed", keys=("PARALLEL_API_KEY",), keyed=True),
    "jina": Entry(module="backends.jina", keys=("JINA_API_KEY",), keyed=True),
    "wikipedia": Entry(module="backends.wikipedia", family="reference"),
    "arxiv": Entry(module="backends.arxiv", family="papers", interval=3.0),
    "semanticscholar": Entry(
        module="backends.semanticscholar",
        family="papers",
        keys=("SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY"),
        interval=1.0,
    ),
    "hn": Entry(module="backends.hn", family="talk"),
    "stackexchange": Entry(
        module="backends.stackexchange", family="talk", keys=("STACKEXCHANGE_KEY",)
    ),
    "github": Entry(module="backends.github", family="code", keys=("GITHUB_TOKEN", "GH_TOKEN")),
    "grep": Entry(module="backends.grep", family="code"),
    "sourcegraph": Entry(module="backends.sourcegraph", family="code", keys=("SRC_ACCESS_TOKEN",)),
    "cache": Entry(module="backends.cache", family="local"),
    "docs": Entry(module="docs", family="local"),
    "urls": Entry(module="backends.given", family="local"),
}
"""Each is imported when it is made, so that a run loads only what it uses."""

KEYLESS = ("exa", "parallel", "tavily", "duckduckgo")


def make(name: str, equipment: Equipment) -> Backend:
    """The backend called `name`. Raises UsageError as `check_usable`."""
    check_usable(name, equipment.settings)
    module = import_module(f"intelli.search.{BACKENDS[name].module}")
    backend: Backend = module.make(replace(equipment, name=name))
    return backend


def check_usable(name: str, settings: Settings) -> None:
    """Raises UsageError listing the known names for any other, and for a service that cannot be
    asked without a key or an address which is not there."""
    check_name(name)
    lack = lack_of(name, settings)
    if lack:
        raise UsageError(
            f"the {name} backend needs {lack}",
            code="no-key" if lack.startswith("a key") else "no-address",
            hint=_remedy(name, settings),
        )


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


def key_name(name: str, settings: Settings) -> str:
    """The variable that holds the key of a backend, else the first that may, "" when none may."""
    names = BACKENDS[name].keys
    return next((key for key in names if settings.secret(key)), names[0] if names else "")


def lack_of(name: str, settings: Settings) -> str:
    """What a backend cannot be asked without and the user has not given yet, "" for nothing."""
    if BACKENDS[name].keyed and not settings.secret(key_name(name, settings)):
        return f"a key in {key_name(name, settings)}"
    setting = f"backends.{name}.url"
    is_missing = setting in settings.values and not settings.values[setting]
    return f"an address in `{setting}`" if is_missing else ""


def _remedy(name: str, settings: Settings) -> str:
    """How to give what is lacking; a key in a variable that nobody reads is pointed out."""
    lack = lack_of(name, settings)
    variable = key_name(name, settings)
    if not lack.startswith("a key"):
        return f"set `backends.{name}.url`"
    strays = sorted(
        other
        for other in settings.environ
        if other.startswith(variable.partition("_")[0])
        and other.endswith(("KEY", "TOKEN"))
        and other not in BACKENDS[name].keys
        and settings.secret(other)
    )
    return f"set {variable}" + (f"; {', '.join(strays)} is set, but not read" if strays else "")


def chain_of(
    settings: Settings, *, docs: bool = False, urls: bool = False, offline: bool = False
) -> tuple[str, ...]:
    """The backends to ask, in order: what the user named (`docs`, `urls`: whether files or pages
    were), `offline` what is stored, else `search.backends`, else those of the web."""
    if urls:
        return ("urls",)
    if docs:
        return ("docs",)
    if offline:
        return ("cache",)
    return settings.names("search.backends") or web_chain(settings)


def web_chain(settings: Settings) -> tuple[str, ...]:
    """The search model, where one can be called, and then what needs no key."""
    return ("perplexity", *KEYLESS) if settings.has_model("search") else KEYLESS
