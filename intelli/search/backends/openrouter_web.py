"""Any chat model at OpenRouter with its web search as a tool."""

from __future__ import annotations

from intelli.errors import BackendError, UsageError
from intelli.model.client import Extras, Models
from intelli.records import Answer, Query
from intelli.search import grounded
from intelli.search.backend import Equipment
from intelli.search.rules import hosts
from intelli.search.service import explained
from intelli.settings import ModelChoice, Settings

_ONE_LIST_ONLY = ("perplexity", "firecrawl")
"""Engines that take domains to keep to or domains to leave out, not both."""
_MOST_OF_PERPLEXITY = 20
_MOST_DOMAINS = 100
_CHARS_OF_RESULT = 8_000
_USD_OF_RESULT, _USD_OF_SEARCH = 0.005, 0.035
"""What a budget has to assume: the dearest result and the dearest search of any engine."""


def make(equipment: Equipment) -> OpenRouterWeb:
    """Raises UsageError without models, and for settings that exclude each other."""
    if equipment.models is None:
        raise UsageError("the openrouter-web backend needs a model", code="no-model")
    _check(equipment.settings)
    return OpenRouterWeb(equipment, equipment.models)


class OpenRouterWeb:
    """The model decides what to search for; links come from its text, then from what it cites."""

    name = "openrouter-web"

    def __init__(self, equipment: Equipment, models: Models) -> None:
        self._equipment = equipment
        self._models = models

    def usd(self, results: int) -> float | None:
        """The most dollars of one search, None when nobody lists a price."""
        del results
        extras = self._extras(Query(text=""))
        chars = grounded.PROMPT_CHARS + extras.chars
        usd = self._models.most(_choice(self._equipment), chars)
        return None if usd is None else usd + extras.usd

    async def search(self, query: Query) -> Answer:
        """Raises BackendError, Stopped by the budget."""
        try:
            reply = await grounded.ask(
                self._models,
                query,
                choice=_choice(self._equipment),
                extras=self._extras(query),
            )
        except BackendError as error:
            raise explained(error, self._equipment) from None
        return grounded.answer(reply, self.name)

    def _extras(self, query: Query) -> Extras:
        settings = self._equipment.settings
        return Extras(
            body={
                "tools": [{"type": "openrouter:web_search", "parameters": _tool(settings, query)}],
                "reasoning": {"effort": _text(settings, "reasoning"), "exclude": True},
            },
            chars=_results(settings) * _CHARS_OF_RESULT,
            usd=_results(settings) * _USD_OF_RESULT + _USD_OF_SEARCH,
        )


def _choice(equipment: Equipment) -> ModelChoice:
    settings = equipment.settings
    return ModelChoice(
        model=_text(settings, "model"),
        api_base=None if equipment.is_own_address else equipment.url,
        api_key_env=equipment.key_name,
        max_tokens=settings.model("search").max_tokens,
    )


def _tool(settings: Settings, query: Query) -> dict[str, object]:
    """What the tool is told; a question's own domains take the place of those of the settings."""
    engine = _text(settings, "engine")
    allowed = hosts(query.only_domains) or _domains(settings, "allowed")
    excluded = [*hosts(query.exclude_domains), *_domains(settings, "excluded")]
    if allowed and engine in _ONE_LIST_ONLY:
        excluded = []
    return {
        "engine": engine,
        "max_results": _results(settings),
        "max_total_results": _results(settings),
        "search_context_size": _text(settings, "search_context_size"),
        **({"allowed_domains": allowed[:_MOST_DOMAINS]} if allowed else {}),
        **({"excluded_domains": excluded[:_MOST_DOMAINS]} if excluded else {}),
    }


def _check(settings: Settings) -> None:
    engine = _text(settings, "engine")
    model = _text(settings, "model")
    if not model.startswith("openrouter/"):
        raise _wrong("model", f"must name a model of OpenRouter, not {model}", "openrouter/…")
    if engine == "perplexity" and _results(settings) > _MOST_OF_PERPLEXITY:
        most = f"at most {_MOST_OF_PERPLEXITY}"
        raise _wrong("max_results", f"must be {most} for the engine perplexity", most)
    if engine in _ONE_LIST_ONLY and all(_domains(settings, kind) for kind in _KINDS):
        what = f"cannot be combined with allowed_domains for the engine {engine}"
        raise _wrong("excluded_domains", what, "one of the two lists only")
    for kind in _KINDS:
        if len(_domains(settings, kind)) > _MOST_DOMAINS:
            most = f"at most {_MOST_DOMAINS} domains"
            raise _wrong(f"{kind}_domains", f"must hold {most}", most)


_KINDS = ("allowed", "excluded")


def _wrong(key: str, what: str, allowed: str) -> UsageError:
    name = f"backends.openrouter-web.{key}"
    return UsageError(f"`{name}` {what}", code="bad-setting", hint=f"set `{name}` to {allowed}")


def _text(settings: Settings, key: str) -> str:
    return settings.text(f"backends.openrouter-web.{key}")


def _results(settings: Settings) -> int:
    return settings.count("backends.openrouter-web.max_results")


def _domains(settings: Settings, kind: str) -> list[str]:
    return hosts(settings.names(f"backends.openrouter-web.{kind}_domains"))
