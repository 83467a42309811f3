"""The platform's directories for what belongs to the user rather than to a project."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

Kind = Literal["config", "cache", "state"]


def user_dir(kind: Kind) -> Path:
    """Our directory of a kind; it need not exist."""
    import platformdirs

    finders = {
        "config": platformdirs.user_config_dir,
        "cache": platformdirs.user_cache_dir,
        "state": platformdirs.user_state_dir,
    }
    return Path(finders[kind]("intelli", appauthor=False))
