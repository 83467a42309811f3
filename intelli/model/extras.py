"""What a call to a model asks for beyond its prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from intelli.records import record


@record
class Extras:
    """Fields of the request's body, and the most that they may add to its cost: characters that
    the provider puts in front of the model, and US dollars beside the tokens."""

    body: Mapping[str, object] = field(default_factory=dict)
    chars: int = 0
    usd: float = 0.0


NO_EXTRAS = Extras()
