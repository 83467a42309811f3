"""The services beside the pages' own hosts: where each is, what it is shown, when it is spared."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from intelli.errors import FetchError
from intelli.net.client import Response, ServiceRequest
from intelli.setting_table import ADAPTER_URLS
from intelli.settings import Settings

REST = 60.0
"""Seconds a service that refused is left alone, unless it names another time."""
LONGEST_REST = 3600.0
_KEYS: Mapping[str, tuple[str, ...]] = {
    "github": ("GITHUB_TOKEN", "GH_TOKEN"),
    "jina": ("JINA_API_KEY",),
}
"""Variables that may hold a service's key, the first one set counts."""


class Calls(Protocol):
    """Services that the user chose, wherever they are."""

    async def call(self, request: ServiceRequest) -> Response:
        """The answer, whatever its HTTP status; raises FetchError."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Addresses and keys by the name of the service. `chosen` are those whose address the user
    set: rules for the addresses of pages do not hold for them. `rests` is what refusals taught."""

    calls: Calls
    urls: Mapping[str, str]
    chosen: frozenset[str] = frozenset()
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    jina: bool = False
    browser: bool = False
    rests: dict[str, float] = field(default_factory=dict)

    def check(self, name: str) -> None:
        """Raises FetchError `rate-limit` while a service that refused is left alone."""
        if self.rests.get(name, 0.0) > time.monotonic():
            raise FetchError(f"{name} refused a moment ago", code="rate-limit", retryable=True)

    def rest(self, name: str, seconds: float | None) -> None:
        """Leave a service alone from now on."""
        pause = REST if seconds is None else min(seconds, LONGEST_REST)
        self.rests[name] = time.monotonic() + pause


def services_of(settings: Settings, calls: Calls) -> Services:
    """The services as the settings have them."""
    origins = settings.origins
    keys = {
        name: key
        for name, variables in _KEYS.items()
        if (key := next((k for v in variables if (k := settings.secret(v))), None))
    }
    return Services(
        calls=calls,
        urls={name: settings.text(f"adapters.{name}.url").rstrip("/") for name in ADAPTER_URLS},
        chosen=frozenset(n for n in ADAPTER_URLS if origins[f"adapters.{n}.url"] != "default"),
        keys=keys,
        jina=settings.flag("fetch.jina"),
        browser=settings.flag("fetch.browser"),
    )
