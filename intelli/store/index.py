"""`.index.json`: the finished sessions, newest last; derived from the directories at any time."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from intelli.store import layout
from intelli.store.codec import to_plain
from intelli.store.disk import read_json, write_json
from intelli.store.listing import listing
from intelli.store.meta import instant
from intelli.store.summary import Summary, is_finished, is_session, summarise

FILE = ".index.json"
LIMIT = 1000
"""Sessions listed at most; older ones are found by their directories."""
LARGEST = 50_000_000
"""Bytes of the file; one that is larger is none of ours or theirs."""

Entry = dict[str, Any]


def add_locked(cache_dir: Path, summaries: Iterable[Summary]) -> None:
    """List sessions, each in place of any entry of its name; the caller holds the cache lock.
    Raises OSError."""
    document = _document(cache_dir)
    _write(cache_dir, document, [_entry(summary) for summary in summaries])


def update_locked(cache_dir: Path) -> None:
    """Take off the list what is gone; the caller holds the cache lock. Raises OSError."""
    add_locked(cache_dir, ())


def summaries(cache_dir: Path) -> list[Summary]:
    """What the list says, or the directories where it is silent. An entry that another program
    wrote says too little, and is left to its directory. Writes nothing."""
    listed = _document(cache_dir)["searches"]
    return [_summary(entry) for entry in listed if type(entry.get("sources")) is int]


def _summary(entry: Entry) -> Summary:
    def text(key: str, default: str = "") -> str:
        value = entry.get(key)
        return value if isinstance(value, str) else default

    return Summary(
        name=entry["slug"],
        query=entry["query"],
        timestamp=entry["timestamp"],
        focus=text("focus"),
        engine=text("engine"),
        outcome=text("outcome", "completed"),
        sources=entry["sources"],
    )


def _entry(summary: Summary) -> Entry:
    plain = to_plain(summary, frozenset({"name", "finished"}))
    return {"slug": summary.name, **plain}


def _document(cache_dir: Path) -> Entry:
    """The whole file; a missing or damaged one is rebuilt, never taken for an empty one."""
    path = cache_dir / FILE
    with suppress(OSError):
        if path.stat().st_size > LARGEST:
            return {"searches": _unlisted(cache_dir, frozenset(), LIMIT)}
    data = read_json(path, cache_dir) or {}
    listed = data.get("searches")
    if not isinstance(listed, list):
        return {**data, "searches": _unlisted(cache_dir, frozenset(), LIMIT)}
    return {**data, "searches": [entry for entry in listed if _is_entry(entry)]}


def _is_entry(entry: object) -> bool:
    """One that anybody has damaged is told anew by its directory."""
    if not isinstance(entry, dict):
        return False
    texts = [entry.get(key) for key in ("slug", "query", "timestamp")]
    return all(isinstance(text, str) for text in texts) and _age(entry) > instant("")


def _unlisted(cache_dir: Path, known: frozenset[str], most: int) -> list[Entry]:
    """Entries of the finished sessions that are not `known`, about the newest `most`, as their
    names begin with the day. Archives and partial runs are left out, so that a question asked again
    stands in the list once."""
    found: list[Entry] = []
    last = ""
    for name in sorted(set(listing(cache_dir).names) - known, reverse=True):
        if len(found) >= most and name[:10] != last:
            break
        if _belongs(cache_dir / name):
            with suppress(OSError):  # removed since it was listed
                found.append(_entry(summarise(cache_dir / name, cache_dir)))
                last = name[:10]
    return sorted(found, key=_age)


def _belongs(path: Path) -> bool:
    return layout.base_name(path.name) == path.name and is_session(path) and is_finished(path)


def _write(cache_dir: Path, document: Entry, new: list[Entry]) -> None:
    """Without the sessions that are gone, and with those that only their directories know of, as a
    crash may leave them."""
    by_name = {e["slug"]: e for e in document["searches"] if _belongs(cache_dir / e["slug"])}
    room = LIMIT - len(by_name)
    if room > 0:
        for entry in _unlisted(cache_dir, frozenset(by_name) | {e["slug"] for e in new}, room):
            by_name[entry["slug"]] = entry
    for entry in new:
        by_name[entry["slug"]] = {**by_name.pop(entry["slug"], {}), **entry}
    listed = sorted(by_name.values(), key=_age)[-LIMIT:]
    write_json(cache_dir / FILE, {**document, "searches": listed})


def _age(entry: Entry) -> Any:
    return instant(str(entry.get("timestamp") or ""))
