"""The sessions of a large cache in a database that serves speed alone: the directories are the
truth, and it can be thrown away at any time.

A cache of few sessions has none: reading their names takes less than opening a database.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from intelli.progress import told
from intelli.store import layout
from intelli.store.disk import CACHE_LOCK, TEMPORARY, TRASH, cache_lock
from intelli.store.listing import (
    Listing,
    database,
    fingerprint_of,
    rank_of,
    siblings,
    sites_of,
)
from intelli.store.meta import RUNNING, instant
from intelli.store.questions import Questions
from intelli.store.summary import Summary, is_session, summarise

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")

_BUSY_S = 10.0
_LOCKED_S = 0.5
"""The same while the cache lock is held: others wait for it, and the next reader catches up."""
_DAMAGE = (1, 11, 20, 26)
"""SQLITE_ERROR (other tables than ours), SQLITE_CORRUPT, SQLITE_MISMATCH, SQLITE_NOTADB."""
_UNREADABLE = (ValueError, TypeError, zlib.error)
"""What values raise that are not what was written."""
_BATCH = 1000
_CLOSE = 200
"""Questions that are compared with another word by word."""
_MOST = 20_000
"""Questions looked at for one word, the newest."""
_TABLES = """
CREATE TABLE IF NOT EXISTS sessions (
    id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, digest TEXT, query TEXT, timestamp TEXT,
    moment REAL, focus TEXT, engine TEXT, outcome TEXT, sources INTEGER, finished INTEGER,
    archived INTEGER, rank INTEGER);
CREATE INDEX IF NOT EXISTS by_digest ON sessions (digest);
CREATE INDEX IF NOT EXISTS by_age ON sessions (moment, rank, name);
CREATE INDEX IF NOT EXISTS unsettled ON sessions (id) WHERE finished = 0;
CREATE TABLE IF NOT EXISTS terms (
    term TEXT, session INTEGER, PRIMARY KEY (term, session)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sites (
    session INTEGER, site TEXT, PRIMARY KEY (session, site)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
"""
_COLUMNS = "name, query, timestamp, focus, engine, outcome, sources, finished"


def consult(
    cache_dir: Path,
    work: Callable[[Catalog], T],
    *,
    create: bool = False,
    patience: float = _BUSY_S,
) -> T | None:
    """What `work` finds in the database; None where there is none or it cannot be used, after
    `patience` seconds where others write to it. A damaged one is removed, so that the next reader
    builds it anew."""
    path = database(cache_dir)
    if not create and not path.is_file():
        return None
    import sqlite3  # a small cache never gets here, and its commands start without it

    try:
        with _opened(path, patience) as connection:
            return work(Catalog(cache_dir, connection))
    except sqlite3.DatabaseError as error:
        # The low byte is the kind; above it stand its details (sqlite.org/rescode.html).
        kind = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if kind not in _DAMAGE:
            return None  # busy, read-only, full: another time
    except _UNREADABLE:
        pass
    except OSError:
        return None
    for damaged in (path, *path.parent.glob(f"{path.name}-*")):
        with suppress(OSError):
            damaged.unlink()
    return None


@contextmanager
def changing(cache_dir: Path, *names: str) -> Iterator[bool]:
    """Hold the cache lock while the sessions called `names` come, go or are renamed, and let the
    database follow. Yields whether a crash may have left something to mend."""
    _make_lock_file(cache_dir)
    with cache_lock(cache_dir):
        tidy = bool(consult(cache_dir, Catalog.is_tidy))
        yield not tidy
        if tidy:
            consult(cache_dir, lambda catalog: catalog.follow(names), patience=_LOCKED_S)


def _make_lock_file(cache_dir: Path) -> None:
    """The first lock is a new entry of the directory, which the database has to know of as well."""
    lock = cache_dir / CACHE_LOCK
    if not lock.exists():
        in_sync = consult(cache_dir, Catalog.in_sync)
        lock.touch()
        if in_sync:
            consult(cache_dir, lambda catalog: catalog.follow(()), patience=_LOCKED_S)


@contextmanager
def _opened(path: Path, patience: float) -> Iterator[sqlite3.Connection]:
    import sqlite3

    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
    try:
        # It may be lost in a power cut, so nothing waits for the disk.
        connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;" + _TABLES)
        yield connection
    finally:
        connection.close()


class Catalog:
    """One open database. Every method raises sqlite3.Error; `consult` is what catches it."""

    def __init__(self, cache_dir: Path, connection: sqlite3.Connection) -> None:
        self._root = cache_dir
        self._db = connection

    @property
    def connection(self) -> sqlite3.Connection:
        return self._db

    # --- kept true ------------------------------------------------------------------------------

    def in_sync(self) -> bool:
        """Whether nothing has come or gone in the cache directory since this was last noted."""
        row = self._db.execute("SELECT value FROM state WHERE key = 'directory'").fetchone()
        return bool(row) and row[0] == fingerprint_of(self._root)

    def is_tidy(self) -> bool:
        """Whether it is in sync and no crash has left anything to mend."""
        row = self._db.execute("SELECT value FROM state WHERE key = 'leftovers'").fetchone()
        return self.in_sync() and not (row and row[0] == "yes")

    def follow(self, names: Iterable[str]) -> None:
        """Take in what a holder of the cache lock has just done to the sessions called `names`;
        only for a database that was in sync before it did."""
        bases = dict.fromkeys(map(layout.base_name, names))
        self.refresh(name for base in bases for name in siblings(self._root, base))
        self._note(fingerprint_of(self._root))

    def _note(self, fingerprint: str) -> None:
        if not self.in_sync():
            self._set("directory", fingerprint)

    def _set(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (key, value))

    def sync(self, listing: Listing) -> None:
        """Take in what has come, drop what has gone and look again at runs that were at work."""
        there = {name for name in listing.names if not name.startswith(".")}
        known = {row[0] for row in self._db.execute("SELECT name FROM sessions")}
        unsettled = [r[0] for r in self._db.execute("SELECT name FROM sessions WHERE finished = 0")]
        changed = [*(known - there), *sorted(there - known), *(set(unsettled) & there)]
        for start in range(0, len(changed), _BATCH):
            told(start, len(changed))
            self.refresh(changed[start : start + _BATCH])
        left = any(n.startswith((TEMPORARY, TRASH)) or layout.is_partial(n) for n in listing.names)
        self._set("leftovers", "yes" if left else "no")
        self._note(listing.fingerprint)

    def refresh(self, names: Iterable[str]) -> None:
        """Read the directories called `names` again; those that are no sessions are dropped."""
        with self.writing():
            for name in names:
                self._drop(name)
                with suppress(OSError):  # removed or renamed since it was listed
                    if is_session(self._root / name):
                        self._put(summarise(self._root / name, self._root))

    def _put(self, found: Summary) -> None:
        row = (
            found.name, layout.hash_of(found.name), found.query, found.timestamp,
            instant(found.timestamp).timestamp() if found.timestamp else 0.0, found.focus,
            found.engine, found.outcome, found.sources,
            found.finished and found.outcome != RUNNING, found.archived, rank_of(found.name),
        )  # fmt: skip
        marks = ", ".join("?" * len(row))
        done = self._db.execute(f"INSERT INTO sessions VALUES (NULL, {marks})", row)  # noqa: S608
        pairs = ((term, done.lastrowid) for term in terms_of(found.query))
        self._db.executemany("INSERT OR IGNORE INTO terms VALUES (?, ?)", pairs)
        sites = ((done.lastrowid, site) for site in sites_of(self._root / found.name))
        self._db.executemany("INSERT OR IGNORE INTO sites VALUES (?, ?)", sites)

    def _drop(self, name: str) -> None:
        row = self._db.execute("SELECT id, query FROM sessions WHERE name = ?", (name,)).fetchone()
        if row:
            pairs = ((term, row[0]) for term in terms_of(row[1]))
            self._db.executemany("DELETE FROM terms WHERE term = ? AND session = ?", pairs)
            for table, column in (("sites", "session"), ("sessions", "id")):
                self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", (row[0],))  # noqa: S608

    @contextmanager
    def writing(self) -> Iterator[None]:
        """What is done inside happens as a whole or not at all."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:  # Ctrl-C must not leave half of it either
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # --- asked ----------------------------------------------------------------------------------

    def count(self, where: str = "1", values: Sequence[object] = ()) -> int:
        """How many sessions fulfil the condition."""
        ask = f"SELECT count(*) FROM sessions WHERE {where}"  # noqa: S608 - our own words
        return int(self._db.execute(ask, tuple(values)).fetchone()[0])

    def newest(self, limit: int, where: str = "1", values: Sequence[object] = ()) -> list[Summary]:
        """At most `limit` sessions that fulfil the condition, the newest first."""
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM sessions WHERE {where}"  # noqa: S608 - our own words
            " ORDER BY moment DESC, rank DESC, name DESC LIMIT ?",
            (*values, limit),
        )
        return [_summary(row) for row in rows]

    def with_digest(self, digest: str) -> list[str]:
        """Names of the sessions with these six digits."""
        rows = self._db.execute("SELECT name FROM sessions WHERE digest = ?", (digest,))
        return [name for (name,) in rows]

    def questions(self, text: str) -> Questions:
        """The finished sessions whose questions share the rarest words of `text`."""
        total = self.count()
        common = self._frequency(terms_of(text))
        best = self._sharing(common, total)
        ask = f"SELECT {_COLUMNS} FROM sessions WHERE id = ? AND finished AND NOT archived"  # noqa: S608
        rows = (self._db.execute(ask, (session,)).fetchone() for session in best)
        found = tuple(_summary(row) for row in rows if row)
        words = {term for session in found for term in terms_of(session.query)}
        return Questions(
            sessions=found,
            total=total,
            frequency={**common, **self._frequency(words - common.keys())},
        )

    def _frequency(self, terms: Iterable[str]) -> dict[str, int]:
        ask = "SELECT count(*) FROM terms WHERE term = ?"
        return {term: self._db.execute(ask, (term,)).fetchone()[0] for term in terms}

    def _sharing(self, frequency: Mapping[str, int], total: int) -> list[int]:
        """Sessions with the weightiest shared words, best first. A word that very many have
        decides nothing and is not followed, unless all are such."""
        scores: dict[int, float] = {}
        for term, n in sorted(frequency.items(), key=lambda pair: pair[1]):
            if len(scores) >= _CLOSE and n > total / 20:
                break
            weight = math.log(1 + total / max(1, n))
            ask = "SELECT session FROM terms WHERE term = ? ORDER BY session DESC LIMIT ?"
            for (session,) in self._db.execute(ask, (term, _MOST)):
                scores[session] = scores.get(session, 0.0) + weight
        return sorted(scores, key=lambda session: (-scores[session], -session))[:_CLOSE]


def terms_of(question: str) -> frozenset[str]:
    """What a question is found by: its words without those that every question has."""
    from intelli.text.content import content_tokens

    return frozenset(content_tokens(question))


def _summary(row: Sequence[object]) -> Summary:
    name, query, timestamp, focus, engine, outcome, sources, finished = row
    return Summary(
        name=str(name),
        query=str(query),
        timestamp=str(timestamp),
        focus=str(focus),
        engine=str(engine),
        outcome=str(outcome),
        sources=int(str(sources)),
        finished=bool(finished),
    )
