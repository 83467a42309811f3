"""Arguments and options as the rest of the program wants them."""

from __future__ import annotations

import re
import sys
from datetime import timedelta
from pathlib import Path

from intelli.errors import UsageError
from intelli.settings import Settings, Value, load


def offline_settings(settings: Settings, overrides: dict[str, Value]) -> Settings:
    """With `--offline`, `auto` means the model only where it is served on this machine."""
    from intelli.toolbox import ENGINE_ROLES, is_on_loopback

    if settings.text("engine") != "auto" or all(is_on_loopback(settings, r) for r in ENGINE_ROLES):
        return settings
    return load({**overrides, "engine": "local"})


def age_of(text: str) -> timedelta:
    """`30m`, `12h` or `7d`. Raises UsageError for anything else."""
    match = re.fullmatch(r"(\d{1,6})\s*([mhd])", text.strip().lower())
    if match is None:
        raise UsageError(
            f"--reuse {text!r} is no age", code="bad-age", hint="write it as 30m, 12h or 7d"
        )
    unit = {"m": "minutes", "h": "hours", "d": "days"}[match[2]]
    return timedelta(**{unit: int(match[1])})


def question(argument: str) -> str:
    """The question, from standard input for `-`. Raises UsageError when it is blank."""
    text = sys.stdin.read() if argument == "-" else argument
    text = text.strip()
    if not text:
        raise UsageError("the question is empty", code="empty-query", hint="say what to look for")
    return text


def pages_wanted(settings: Settings) -> int:
    return min(settings.count("urls"), settings.count("max_urls"))


def settings_options(
    *,
    backend: list[str] | None = None,
    cache_dir: Path | None = None,
    allow_private: bool = False,
    **others: Value,
) -> dict[str, Value]:
    """Options as settings; what was not given stays out."""
    return {
        **others,
        "cache_dir": str(cache_dir) if cache_dir else None,
        "search.backends": tuple(backend) if backend else None,
        "fetch.allow_private": True if allow_private else None,
    }
