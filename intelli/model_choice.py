"""Which model does a role, where it is served, and how it is asked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from intelli.setting_table import PROVIDER_URLS


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A model, the variable that names its key, and its parameters.

    `temperature` None and `reasoning_effort` "" leave the model's own; `extra` is a JSON object of
    further fields of the request, "" for none. Prices are US dollars for a million tokens."""

    model: str
    api_base: str | None
    api_key_env: str | None
    max_tokens: int
    temperature: float | None = None
    reasoning_effort: str = ""
    extra: str = ""
    input_price: float | None = None
    output_price: float | None = None

    @property
    def provider(self) -> str:
        return self.model.partition("/")[0]

    @property
    def name(self) -> str:
        """The name an endpoint knows: the part after the first slash."""
        return self.model.partition("/")[2] or self.model

    @property
    def endpoint(self) -> str | None:
        """Base URL of an OpenAI-compatible endpoint, None when litellm has to be asked."""
        return self.api_base or PROVIDER_URLS.get(self.provider)

    @property
    def key_name(self) -> str | None:
        """A default key belongs to its provider's own address and is never sent elsewhere."""
        if self.api_key_env or self.api_base:
            return self.api_key_env
        return default_key_name(self.provider)

    @property
    def extra_fields(self) -> dict[str, Any]:
        return dict(json.loads(self.extra)) if self.extra else {}


def default_key_name(provider: str) -> str:
    """The variable that holds the key of a provider, unless another is named."""
    return f"{provider.upper()}_API_KEY"
