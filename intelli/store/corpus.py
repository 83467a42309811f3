"""The texts of a large cache by their words and by their trigrams, in the catalog's database.

Three derived forms of the same files: words lead a search to pages, trigrams lead `grep` to files,
and the packed texts of a session tell cheaply that a pattern matches nothing in it.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from intelli.records import record
from intelli.store import layout
from intelli.store.catalog import Catalog, consult
from intelli.store.disk import read_text
from intelli.store.listing import FEW, listing

_TABLES = """
CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, part TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS files_of ON files (session);
CREATE TABLE IF NOT EXISTS packed (session INTEGER PRIMARY KEY, texts BLOB);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    body, content='', columnsize=0, detail=none, tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE IF NOT EXISTS trigrams USING fts5(
    body, content='', columnsize=0, detail=none, tokenize='trigram');
CREATE TRIGGER IF NOT EXISTS session_gone AFTER DELETE ON sessions BEGIN
    DELETE FROM files WHERE session = OLD.id; DELETE FROM packed WHERE session = OLD.id; END;
"""
_BATCH = 200
_LEVEL = 1
_SHORTEST = 3
_MOST_GRAMS = 24
_MOST_FILES = 20_000
_SEPARATOR = "\n\0\n"
Tell = Callable[[int, int], None]


@record
class StoredFile:
    """`part` is the path inside the session: `report.md`, `sources/…`, `extractions/…`."""

    session: str
    part: str


class Corpus:
    """Every method raises sqlite3.Error; the catalog must be in step with the directories."""

    def __init__(self, cache_dir: Path, catalog: Catalog) -> None:
        self._root = cache_dir
        self._catalog = catalog
        self._db = catalog.connection
        self._db.executescript(_TABLES)

    def sync(self, tell: Tell) -> None:
        """Read the files of every session that is not read yet; `tell` hears (done, of)."""
        rows = self._db.execute(
            "SELECT id, name FROM sessions WHERE id NOT IN (SELECT session FROM packed)"
            " ORDER BY moment"
        ).fetchall()
        for start in range(0, len(rows), _BATCH):
            tell(start, len(rows))
            with self._catalog.writing():
                for session, name in rows[start : start + _BATCH]:
                    self._add(session, name)

    def _add(self, session: int, name: str) -> None:
        texts = []
        for part in parts_of(self._root / name):
            text = read_text(self._root / name / part, self._root)
            if text is None:
                continue
            texts.append(text)
            row = (session, part)
            file = self._db.execute("INSERT INTO files VALUES (NULL, ?, ?)", row).lastrowid
            # An extraction repeats its page: whoever searches for pages wants the page.
            if part.startswith(layout.SOURCES):
                self._db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (file, text))
            self._db.execute("INSERT INTO trigrams (rowid, body) VALUES (?, ?)", (file, text))
        packed = zlib.compress(_SEPARATOR.join(texts).encode("utf-8", "replace"), _LEVEL)
        self._db.execute("INSERT OR REPLACE INTO packed VALUES (?, ?)", (session, packed))

    def holding(self, literals: Iterable[str]) -> Iterator[StoredFile] | None:
        """Files that may hold all these texts in any case, those of the newest session first; None
        when the texts are too short to tell."""
        grams = dict.fromkeys(
            text[n : n + _SHORTEST]
            for text in literals
            for n in range(len(text) - _SHORTEST + 1)
            if "\0" not in text[n : n + _SHORTEST]
        )
        if not grams:
            return None
        chosen = list(grams)[:: max(1, len(grams) // _MOST_GRAMS)][:_MOST_GRAMS]
        match = " AND ".join(f'"{gram.replace(chr(34), chr(34) * 2)}"' for gram in chosen)
        rows = self._db.execute(
            "SELECT s.name, f.part FROM trigrams JOIN files f ON f.id = trigrams.rowid"
            " JOIN sessions s ON s.id = f.session WHERE trigrams MATCH ?"
            " ORDER BY s.moment DESC, s.rank DESC, s.name DESC, f.id",
            (match,),
        )
        return (StoredFile(session=name, part=part) for name, part in rows)

    def packed(self) -> Iterator[tuple[str, str]]:
        """(session, its texts one after the other), the newest first."""
        rows = self._db.execute(
            "SELECT s.name, p.texts FROM packed p JOIN sessions s ON s.id = p.session"
            " ORDER BY s.moment DESC, s.rank DESC, s.name DESC"
        )
        for name, texts in rows:
            yield name, zlib.decompress(texts).decode("utf-8", "replace")

    def pages(self, terms: Sequence[str], most: int) -> list[Path]:
        """The source files with the most of the rare words among `terms`, best first."""
        import math

        total = self._db.execute("SELECT count(*) FROM files").fetchone()[0]
        found = {term: self._with_word(term) for term in terms}
        scores: dict[int, float] = {}
        for term in sorted(found, key=lambda term: len(found[term])):
            if len(scores) >= most and len(found[term]) == _MOST_FILES:
                break  # a word that so many have decides nothing
            weight = math.log(1 + total / max(1, len(found[term])))
            for file in found[term]:
                scores[file] = scores.get(file, 0.0) + weight
        best = sorted(scores, key=lambda file: (-scores[file], -file))[: most * 2]
        ask = (
            "SELECT s.name, f.part FROM files f JOIN sessions s ON s.id = f.session WHERE f.id = ?"
        )
        rows = (self._db.execute(ask, (file,)).fetchone() for file in best)
        return [self._root / row[0] / row[1] for row in rows if row][:most]

    def _with_word(self, term: str) -> list[int]:
        match = f'"{term.replace(chr(34), "")}"*'
        rows = self._db.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?",
            (match, _MOST_FILES),
        )
        return [row[0] for row in rows]


def pages_with(cache_dir: Path, terms: Sequence[str], most: int) -> list[Path] | None:
    """The sources of a large cache with the most of the rare words, best first; None for a small
    one, which is read as it is. Builds what is missing of the index."""
    there = listing(cache_dir)
    if len(there.names) <= FEW:
        return None

    def ask(catalog: Catalog) -> list[Path]:
        catalog.sync(there)
        corpus = Corpus(cache_dir, catalog)
        corpus.sync(lambda done, of: None)
        return corpus.pages(terms, most)

    return consult(cache_dir, ask, create=True)


def parts_of(session: Path) -> Iterator[str]:
    """The files of a session that hold text, as paths inside it: report, extractions, sources."""
    if (session / layout.REPORT).is_file():
        yield layout.REPORT
    for folder in (layout.EXTRACTIONS, layout.SOURCES):
        if (session / folder).is_symlink():
            continue
        try:
            names = sorted(os.listdir(session / folder))  # noqa: PTH208
        except OSError:
            continue
        yield from (f"{folder}/{name}" for name in names if name.endswith(".md"))
