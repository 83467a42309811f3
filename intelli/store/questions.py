"""What earlier sessions have asked, as the search for related ones takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from intelli.records import record
from intelli.store.summary import Summary


@record
class Questions:
    """Earlier questions by session. Those of a large cache are only the ones that a question may
    be close to; `total` and `frequency` then say how many there are and in how many each word
    stands."""

    sessions: tuple[Summary, ...]
    total: int = 0
    frequency: Mapping[str, int] = field(default_factory=dict)
