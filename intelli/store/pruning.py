"""Which sessions to remove: by age, by how many may stay, by how much they take on disk."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from intelli.records import record
from intelli.store.meta import RUNNING, instant
from intelli.store.summary import Summary


@record
class Rules:
    """`before` removes what is older, `keep` all but that many of the newest, `max_bytes` the
    oldest until the rest fits. What is None removes nothing."""

    before: datetime | None = None
    keep: int | None = None
    max_bytes: int | None = None


def outdated(
    sessions: Sequence[Summary], rules: Rules, cache_dir: Path
) -> list[tuple[Summary, int]]:
    """(session, bytes on disk) of what the rules remove, the oldest first; `sessions` are the
    newest first. A run at work stays, whatever the rules say."""
    settled = [session for session in sessions if session.outcome != RUNNING]
    going: list[tuple[Summary, int]] = []
    room = rules.max_bytes
    for rank, session in enumerate(settled):
        is_old = rules.before is not None and instant(session.timestamp) < rules.before
        goes = is_old or (rules.keep is not None and rank >= rules.keep)
        if not goes and room is None:
            continue  # measuring a session reads every entry of its directories
        size = size_of(cache_dir / session.name)
        if room is not None:
            room -= size
            goes = goes or room < 0
        if goes:
            going.append((session, size))
    return going[::-1]


def size_of(directory: Path) -> int:
    """Bytes of the files in a session; links count as nothing."""
    return sum(_sizes(directory))


def _sizes(directory: Path) -> Iterator[int]:
    try:
        entries = list(os.scandir(directory))
    except OSError:  # removed meanwhile
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _sizes(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            yield entry.stat(follow_symlinks=False).st_size
