"""The texts of a large cache by their words and by their trigrams, in the catalog's database.

Three derived forms of the same files: words lead a search to pages, trigrams lead `grep` to files,
and the packed texts of a session tell cheaply that a pattern matches nothing in it. The words are
those that the ranker sees, so that whatever it would find is found, by whole words: a search for
beginnings of words reads the postings of all of them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from intelli.progress import told
from intelli.records import record
from intelli.store import layout
from intelli.store.catalog import Catalog, consult
from intelli.store.disk import read_text
from intelli.store.listing import FEW, database, listing, names_in
from intelli.text.ranking import tokens

_TABLES = """
CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER NOT NULL, part TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS files_of ON files (session);
CREATE TABLE IF NOT EXISTS packed (session INTEGER PRIMARY KEY, texts BLOB);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    body, content='', columnsize=0, detail=none, tokenize="ascii tokenchars '._+#'");
CREATE VIRTUAL TABLE IF NOT EXISTS trigrams USING fts5(
    body, content='', columnsize=0, detail=none, tokenize='trigram');
CREATE TRIGGER IF NOT EXISTS session_gone AFTER DELETE ON sessions BEGIN
    DELETE FROM files WHERE session = OLD.id; DELETE FROM packed WHERE session = OLD.id; END;
"""
_BATCH = 200
_LEVEL = 1
_SHORTEST = 3
_MOST_GRAMS = 24
_NEWEST = 5000
"""Files looked at for one word, the newest."""
_MOST = 20_000
"""Files looked at that have one word beside another."""
_SEPARATOR = "\n\0\n"


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

    def sync(self) -> None:
        """Read the files of every session that is not read yet.

        Sessions are read in the order of their numbers, and each batch is chosen by who writes it:
        what another process reads meanwhile is not read twice."""
        behind = "FROM sessions WHERE id > (SELECT coalesce(max(session), 0) FROM packed)"
        todo = self._db.execute(f"SELECT count(*) {behind}").fetchone()[0]
        for done in range(0, todo, _BATCH):
            told(done, todo)
            with self._catalog.writing():
                rows = self._db.execute(
                    f"SELECT id, name {behind} ORDER BY id LIMIT ?",
                    (_BATCH,),
                ).fetchall()
                for session, name in rows:
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
                words = " ".join(tokens(text))
                self._db.execute("INSERT INTO words (rowid, body) VALUES (?, ?)", (file, words))
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
        """The source files with the most of the rare words among `terms`, best first.

        Words are taken from the rarest on until they lead to files enough; the others only add to
        the weight of these. Of a word that very many files have, the newest count."""
        import math

        last = self._db.execute("SELECT max(id) FROM files").fetchone()[0] or 0
        newest = {term: self._with_words(f'"{term}"', _NEWEST) for term in dict.fromkeys(terms)}
        held = {term: _estimate(files, last) for term, files in newest.items() if files}
        scores: dict[int, float] = {}
        leading: list[str] = []
        for term in sorted(held, key=lambda term: held[term]):
            weight = math.log(1 + last / held[term])
            if len(scores) < _NEWEST:
                leading.append(f'"{term}"')
                scores |= {file: scores.get(file, 0.0) + weight for file in newest[term]}
                continue
            either = " OR ".join(leading)
            for file in self._with_words(f'({either}) AND "{term}"', _MOST, min(scores)):
                if file in scores:
                    scores[file] += weight
        best = sorted(scores, key=lambda file: (-scores[file], -file))
        ask = (
            "SELECT s.name, f.part FROM files f JOIN sessions s ON s.id = f.session WHERE f.id = ?"
        )
        rows = (self._db.execute(ask, (file,)).fetchone() for file in best)
        # Words of files that are gone stay in the index, under numbers that are not used again.
        return [self._root / row[0] / row[1] for row in islice(filter(None, rows), most)]

    def _with_words(self, match: str, most: int, first: int = 0) -> list[int]:
        """The newest files, from number `first` on, that the expression matches, newest first."""
        rows = self._db.execute(
            "SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ?"
            " ORDER BY rowid DESC LIMIT ?",
            (match, first, most),
        )
        return [row[0] for row in rows]


def _estimate(newest: Sequence[int], last: int) -> float:
    """How many files hold a word, from how far back its newest ones reach."""
    if len(newest) < _NEWEST:
        return len(newest)
    return len(newest) * last / (last - newest[-1] + 1)


def pages_with(cache_dir: Path, terms: Sequence[str], most: int) -> list[Path] | None:
    """The sources of a large cache with the most of the rare words, best first; None for a small
    one, which is read as it is. Builds what is missing of the index."""
    if not database(cache_dir).is_file() and len(listing(cache_dir).names) <= FEW:
        return None

    def ask(catalog: Catalog) -> list[Path]:
        if not catalog.in_sync() or catalog.count("finished = 0"):
            catalog.sync(listing(cache_dir))
        corpus = Corpus(cache_dir, catalog)
        corpus.sync()
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
            names = sorted(names_in(session / folder))
        except OSError:
            continue
        yield from (f"{folder}/{name}" for name in names if name.endswith(".md"))
