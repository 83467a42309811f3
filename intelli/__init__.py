"""Research on the web that a coding agent or a developer can trust.

    search/    1  Query -> Links             backends, in a chain or all at once
    fetch/     2  Link -> Page               two readings of a page, the cleaner one kept
    extract/   3  Page -> Extract            what the focus asks for
    collate/   4  Extracts -> Report         one answer, every detail located in its source
    suggest/   5  Query -> Related           earlier sessions that may help

`pipeline.py` runs them in order; `lanes.py` has a lane for each page; `toolbox.py` wires them to
`net`, `text`, `model` and `store`; `asking.py` is how a run is asked for; `cli`, `show` and
`api.py` are what a user meets.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from intelli.api import research, research_sync
    from intelli.errors import IntelliError, RunError, UsageError
    from intelli.inputs import Options
    from intelli.records import Research

__all__ = [
    "IntelliError",
    "Options",
    "Research",
    "RunError",
    "UsageError",
    "research",
    "research_sync",
]
_HOMES = {
    "research": "api",
    "research_sync": "api",
    "Options": "inputs",
    "Research": "records",
    "IntelliError": "errors",
    "RunError": "errors",
    "UsageError": "errors",
}


def __getattr__(name: str) -> Any:
    """Imports what is asked for, and nothing before: a command starts without all of it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'intelli' has no attribute {name!r}")
    return getattr(import_module(f"intelli.{_HOMES[name]}"), name)
