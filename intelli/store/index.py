"""`.index.json`: the finished sessions, newest last; derived from the directories at any time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from intelli.store import layout
from intelli.store.codec import to_plain
from intelli.store.disk import cache_lock, make_cache_dir, read_json, reporting, write_json
from intelli.store.meta import instant
from intelli.store.summary import Summary, is_finished, is_session, summarise

FILE = ".index.json"
LIMIT = 1000
"""Sessions listed at most; older ones are found by their directories."""

Entry = dict[str, Any]


def add(cache_dir: Path, summary: Summary) -> None:
    """List a session, in place of any entry of that name. Raises StoreError."""
    with reporting(cache_dir):
        make_cache_dir(cache_dir)
        with cache_lock(cache_dir):
            add_locked(cache_dir, [summary])


def add_locked(cache_dir: Path, summaries: Iterable[Summary]) -> None:
    """`add` for a caller that holds the cache lock. Raises OSError."""
    document = _document(cache_dir)
    _write(cache_dir, document, [_entry(summary) for summary in summaries])


def remove_locked(cache_dir: Path, name: str) -> None:
    """Take a session off the list; the caller holds the cache lock. Raises OSError."""
    document = _document(cache_dir)
    document["searches"] = [e for e in document["searches"] if e["slug"] != name]
    _write(cache_dir, document, [])


def entries(cache_dir: Path) -> list[Entry]:
    """The list as it is on disk, or as the directories tell it; newest last. Writes nothing."""
    return list(_document(cache_dir)["searches"])


def summary_of(entry: Entry) -> Summary:
    """An entry, which another program may have written."""

    def text(key: str, default: str = "") -> str:
        value = entry.get(key)
        return value if isinstance(value, str) else default

    count = entry.get("sources")
    return Summary(
        name=text("slug"),
        query=text("query"),
        timestamp=text("timestamp"),
        focus=text("focus"),
        engine=text("engine"),
        outcome=text("outcome", "completed"),
        sources=count if isinstance(count, int) else 0,
    )


def _entry(summary: Summary) -> Entry:
    plain = to_plain(summary, frozenset({"name", "finished"}))
    return {"slug": summary.name, **plain}


def _document(cache_dir: Path) -> Entry:
    """The whole file; a missing or damaged one is rebuilt, never taken for an empty one."""
    data = read_json(cache_dir / FILE, cache_dir) or {}
    listed = data.get("searches")
    if not isinstance(listed, list):
        return {**data, "searches": _rebuild(cache_dir)}
    return {**data, "searches": [entry for entry in listed if _is_entry(entry)]}


def _is_entry(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("slug"), str)


def _rebuild(cache_dir: Path, known: frozenset[str] = frozenset()) -> list[Entry]:
    """Entries of all finished sessions that are not `known`; archives and partial runs are left
    out, so that a question asked again stands in the list once."""
    found = [
        _entry(summarise(path, cache_dir))
        for path in (cache_dir.iterdir() if cache_dir.is_dir() else ())
        if path.name not in known and _belongs(path)
    ]
    return sorted(found, key=_age)


def _belongs(path: Path) -> bool:
    name = path.name
    return layout.base_name(name) == name and is_session(path) and is_finished(path)


def _write(cache_dir: Path, document: Entry, new: list[Entry]) -> None:
    """With the sessions that only their directories know of, as a crash may leave them."""
    by_name = {entry["slug"]: entry for entry in document["searches"]}
    if len(by_name) < LIMIT:
        for entry in _rebuild(cache_dir, frozenset(by_name) | {e["slug"] for e in new}):
            by_name[entry["slug"]] = entry
    for entry in new:
        by_name[entry["slug"]] = {**by_name.pop(entry["slug"], {}), **entry}
    listed = sorted(by_name.values(), key=_age)[-LIMIT:]
    write_json(cache_dir / FILE, {**document, "searches": listed})


def _age(entry: Entry) -> Any:
    return instant(str(entry.get("timestamp") or ""))
