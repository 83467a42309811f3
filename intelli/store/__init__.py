"""Sessions on disk: begun, resumed, opened by a ref, listed and removed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from intelli.errors import NothingFound, StoreError, UsageError
from intelli.progress import told
from intelli.records import EngineName, Query
from intelli.store import index, layout, meta
from intelli.store.disk import CACHE_LOCK
from intelli.store.listing import SMALL, Listing, database, listing, rank_of
from intelli.store.meta import Given, Meta, instant
from intelli.store.reading import RETRIES, StoredSession, load, load_research, parse_ref
from intelli.store.sources import StoredSource
from intelli.store.summary import Summary, is_finished, is_session, summarise

if TYPE_CHECKING:
    from intelli.store.catalog import Catalog
    from intelli.store.filters import Filter
    from intelli.store.questions import Questions
    from intelli.store.writing import Session

__all__ = [
    "Given",
    "Store",
    "StoredSession",
    "StoredSource",
    "Summary",
    "load_research",
    "parse_ref",
]

LATEST = "latest"
_RECENT = 50
"""Sessions among which the latest is looked for, as some may be archives or still at work, and
which a name that is none is compared with."""
_AHEAD = timedelta(hours=1)
"""How far clocks of machines that share a cache may differ."""
T = TypeVar("T")
_HASH = re.compile(r"[0-9a-f]{6}")


class Store:
    """The sessions under one cache directory. Reading creates nothing, not even the directory."""

    def __init__(self, cache_dir: Path) -> None:
        self.cache_dir = cache_dir

    # --- to write -------------------------------------------------------------------------------

    def begin(
        self,
        query: Query,
        engine: EngineName,
        when: datetime,
        *,
        fresh: bool = False,
        resume_name: str | None = None,
        given: Given = Given(),  # noqa: B008 - frozen
    ) -> Session:
        """A session to write: the last run of the same question where that stopped short at most
        7 days ago, else a new one; `fresh` always starts anew.

        With `resume_name` the run of that ref, whatever ended it. Raises NothingFound for an
        unknown one, UsageError for one that has a report or is running.
        """
        from intelli.store import beginning

        stamp = when.astimezone(UTC).isoformat(timespec="seconds")
        known = Meta(query=query, engine=engine, timestamp=stamp, given=given)
        if resume_name is not None:
            return beginning.resume(self, self.resolve(resume_name), known)
        return beginning.begin(self, known, when, fresh=fresh)

    def runs_of(self, known: Meta) -> list[tuple[Path, Meta]]:
        """Every run of the same question in the same words, the oldest first."""
        return self._asking(known, self._sharing(layout.query_hash(known.query.text)))

    def _runs_like(self, known: Meta, *, at_once: bool = False) -> list[tuple[Path, Meta]]:
        """Those as well that wrote the question with other spaces, capitals or an other end, with
        `at_once` as far as they are known without reading a large cache for the first time."""
        text = known.query.text
        near = self.questions(text, at_once=at_once).sessions
        like = {layout.hash_of(s.name) for s in near if meta.bare(s.query) == meta.bare(text)}
        digests = {layout.query_hash(text), *(digest for digest in like if digest)}
        return self._asking(known, [path for d in sorted(digests) for path in self._sharing(d)])

    def _asking(self, known: Meta, paths: Iterable[Path]) -> list[tuple[Path, Meta]]:
        runs = [
            (path, found)
            for path in paths
            if (found := meta.head(path, self.cache_dir)).question == known.question
        ]
        return sorted(runs, key=lambda run: (instant(run[1].timestamp), rank_of(run[0].name)))

    def earlier(self, session: StoredSession) -> StoredSession | None:
        """The last finished run of the same question before this one. Raises OSError when it is
        removed meanwhile."""
        runs = [path for path, _ in self._runs_like(session.meta, at_once=True)]
        before = runs[: runs.index(session.path)] if session.path in runs else runs
        found = next((path for path in reversed(before) if is_finished(path)), None)
        return load(found, self.cache_dir) if found else None

    def remove(self, names: Iterable[str]) -> tuple[str, ...]:
        """Remove sessions and their entries in the index; the names of those that were there and
        held by no run. Raises StoreError."""
        from intelli.store import beginning

        return beginning.remove(self.cache_dir, names)

    # --- to read --------------------------------------------------------------------------------

    def open(self, ref: str) -> StoredSession:
        """A session by its directory's name, its six digits (the newest that has them) or
        `latest`. Raises NothingFound with near names in the hint."""
        for _ in range(RETRIES):
            with suppress(OSError):  # a refresh has just renamed it: look again
                return load(self.resolve(ref), self.cache_dir)
        raise self._unknown(ref)

    def source(self, ref: str) -> tuple[StoredSession, StoredSource]:
        """The source that `SESSION:N` names. Raises NothingFound or UsageError."""
        name, n = parse_ref(ref)
        if n is None:
            raise UsageError(
                f"{layout.single_line(ref)!r} names no source",
                code="bad-ref",
                hint=f"write {layout.single_line(ref)}:1",
            )
        session = self.open(name)
        return session, session.source(n)

    def sessions(self) -> tuple[Summary, ...]:
        """Every session, newest first: finished ones, archives and runs that stopped short."""
        return self.newest(limit=-1)[0]

    def newest(self, limit: int, only: Filter | None = None) -> tuple[tuple[Summary, ...], int]:
        """At most `limit` sessions that `only` admits, the newest first, and how many there are
        in all; a negative limit is none."""
        where, values = only.condition() if only else ("1", [])

        def ask(catalog: Catalog) -> tuple[tuple[Summary, ...], int]:
            return tuple(catalog.newest(limit, where, values)), catalog.count(where, values)

        there = listing(self.cache_dir)
        if len(there.names) > SMALL and (found := self._ask(there, ask)) is not None:
            return found
        every = self._summaries(self._directories(there.names))
        fitting = [s for s in every if only is None or only.admits(s, self.cache_dir)]
        return tuple(fitting[:limit] if limit >= 0 else fitting), len(fitting)

    def questions(self, text: str, *, at_once: bool = False) -> Questions:
        """The finished sessions that a question like `text` may be close to: all of a small cache,
        those that share its rarest words of a large one, and none that `at_once` would have to
        be read for the first time."""
        from intelli.store.questions import Questions

        there = listing(self.cache_dir)
        if len(there.names) > SMALL:
            if at_once:
                return self._known(text) or Questions(sessions=())
            found = self._ask(there, lambda catalog: catalog.questions(text))
            if found is not None:
                return found
        every = self._summaries(self._directories(there.names))
        return Questions(sessions=tuple(s for s in every if s.finished and not s.archived))

    def _known(self, text: str) -> Questions | None:
        if not database(self.cache_dir).is_file():
            return None
        from intelli.store.catalog import consult

        return consult(self.cache_dir, lambda c: c.questions(text) if c.in_sync() else None)

    def _ask(self, there: Listing, work: Callable[[Catalog], T]) -> T | None:
        def synced(catalog: Catalog) -> T:
            catalog.sync(there)
            return work(catalog)

        from intelli.store.catalog import consult  # only a large cache has one

        return consult(self.cache_dir, synced, create=True)

    def _summaries(self, directories: Iterable[Path]) -> tuple[Summary, ...]:
        paths = {path.name: path for path in directories}
        listed = index.summaries(self.cache_dir)
        found = {s.name: s for s in listed if s.name in paths and is_finished(paths[s.name])}
        unread = paths.keys() - found.keys()
        for done, name in enumerate(unread):
            told(done, len(unread))
            with suppress(OSError):  # removed or renamed since it was listed
                found[name] = summarise(paths[name], self.cache_dir)
        return tuple(sorted(found.values(), key=_age, reverse=True))

    def _sharing(self, digest: str) -> list[Path]:
        """The sessions with these six digits in their names."""

        def ask(catalog: Catalog) -> list[str] | None:
            return catalog.with_digest(digest) if catalog.in_sync() else None

        names = None
        if database(self.cache_dir).is_file():
            from intelli.store.catalog import consult

            names = consult(self.cache_dir, ask)
        if names is None:
            names = [name for name in listing(self.cache_dir).names if f"-{digest}" in name]
        named = [self.cache_dir / n for n in sorted(names) if layout.hash_of(n) == digest]
        return [path for path in named if is_session(path)]

    def reusable(
        self, query: Query, engine: EngineName, since: datetime, given: Given | None = None
    ) -> StoredSession | None:
        """The newest finished session of the same question, focus and options that is not older
        than `since`. How old one from the future is, nobody knows."""
        until = datetime.now(UTC) + _AHEAD
        known = Meta(query=query, engine=engine, given=given or Given())
        for path, found in reversed(self._runs_like(known)):
            recent = since.astimezone(UTC) <= instant(found.timestamp) <= until
            if recent and is_finished(path) and found.query.urls == query.urls:
                return load(path, self.cache_dir)
        return None

    def short(self, name: str) -> str:
        """The six digits of a session when no other has them, else its full name."""
        digest = layout.hash_of(name)
        return digest if digest and len(self._sharing(digest)) == 1 else name

    def _directories(self, names: Iterable[str]) -> Iterator[Path]:
        paths = (self.cache_dir / name for name in sorted(names))
        return (path for path in paths if is_session(path))

    def resolve(self, ref: str) -> Path:
        """The directory that a ref means. Raises NothingFound."""
        name = ref.strip()
        if _is_name(name) and is_session(self.cache_dir / name):
            return self.cache_dir / name
        if name == LATEST:
            summaries = [s for s in self.newest(_RECENT)[0] if not s.archived]
        elif _HASH.fullmatch(name):
            summaries = list(self._summaries(self._sharing(name)))
        else:
            return self._in_transit(ref, name)
        settled = [s for s in summaries if s.outcome != meta.RUNNING] or summaries
        if not settled:
            raise self._unknown(ref)
        return self.cache_dir / settled[0].name

    def _in_transit(self, ref: str, name: str) -> Path:
        """A name that is missing because a refresh is just renaming, or died while it did."""
        if layout.hash_of(name) and _is_name(name):
            from intelli.store.beginning import mend

            with suppress(OSError, StoreError):
                if (self.cache_dir / CACHE_LOCK).is_file():
                    mend(self.cache_dir)
            if is_session(self.cache_dir / name):
                return self.cache_dir / name
        raise self._unknown(ref)

    def _unknown(self, ref: str) -> NothingFound:
        shown = layout.single_line(ref)[:200]
        names = sorted((n for n in listing(self.cache_dir).names if n[0] != "."), reverse=True)
        near = [name for name in names if shown and shown in name]
        if not near:
            import difflib

            near = difflib.get_close_matches(shown, names[:_RECENT], n=3, cutoff=0.5)
        near = [name for name in near[:_RECENT] if is_session(self.cache_dir / name)]
        hint = f"near: {', '.join(near[:3])}" if near else "`intelli list` shows every session"
        if not names:
            hint = f"there are no sessions in {self.cache_dir}"
        return NothingFound(f"no session named {shown!r}", code="no-session", hint=hint)


def _is_name(name: str) -> bool:
    """Refs are names, never paths: nothing outside the cache directory can be meant."""
    fits = 0 < len(name.encode("utf-8", "replace")) <= 255
    return fits and not name.startswith(".") and not set(name) & set("/\\\0")


def _age(summary: Summary) -> tuple[datetime, int, str]:
    return (instant(summary.timestamp), rank_of(summary.name), summary.name)
