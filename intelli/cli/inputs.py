"""What only the command line has: standard input, its own words, where its sessions are."""

from __future__ import annotations

import os
import shlex
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from intelli import standard_input
from intelli.errors import IntelliError, UsageError
from intelli.settings import load

if TYPE_CHECKING:
    from intelli.store import Store


def moment_of(text: str, option: str) -> datetime:
    """A date (2026-04-19, UTC), or an age (7d) counted back from now. Raises UsageError."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        from intelli.inputs import age_of

        return datetime.now(UTC) - age_of(text, option)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def question(argument: str) -> str:
    """The question, from standard input for `-`. Raises UsageError when it is blank."""
    from intelli.inputs import question_of

    return question_of(standard_input.read() if argument == "-" else argument)


def about(source: str, error: IntelliError) -> IntelliError:
    """The error with what it is about in front."""
    return IntelliError(f"{source}: {error.message}", code=error.code, hint=error.hint)


def store_at(cache_dir: str | None) -> Store:
    """The sessions where the settings, or `--cache-dir`, say that they are. Raises UsageError where
    something else is."""
    from intelli.store import Store

    directory = load({"cache_dir": cache_dir or None}).cache_dir
    is_there = os.path.exists(directory)  # noqa: PTH110 - a Path raises for what it may not see
    if is_there and not directory.is_dir():
        raise UsageError(
            f"{directory} is no directory",
            code="no-directory",
            hint="name the one that holds the sessions with --cache-dir",
        )
    if is_there and not os.access(directory, os.R_OK | os.X_OK):
        raise UsageError(
            f"{directory} may not be read", code="no-permission", hint="see who owns it"
        )
    return Store(directory)


def with_room(max_chars: int) -> str:
    """The command that is running, as it would be typed with another --max-chars."""
    command, *rest = sys.argv[1:]
    kept: list[str] = []
    for before, argument in zip([command, *rest], rest, strict=False):
        if "--max-chars" not in (before, argument.partition("=")[0]):
            kept.append(argument)
    return shlex.join(["intelli", command, "--max-chars", str(max_chars), *kept])
