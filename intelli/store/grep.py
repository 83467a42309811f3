"""Finds a pattern in everything that is stored: reports, extractions and sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from intelli.records import record
from intelli.store import layout
from intelli.store.catalog import Catalog, consult
from intelli.store.corpus import Corpus, StoredFile, parts_of
from intelli.store.disk import read_text
from intelli.store.listing import FEW, listing
from intelli.store.patterns import Pattern, required
from intelli.store.summary import is_session

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_LONGEST_LINE = 300
PARTS = ("report", "extractions", "sources")


@record
class Match:
    """`part` is `report`, `extractions` or `sources`; `n` the source's number, 0 for a report.
    `start` is the offset of the match in the file, `line` the text of its line, shortened around
    the match, and `number` counts the lines from 1."""

    session: str
    part: str
    n: int
    start: int
    number: int
    line: str
    heading: str


def grep(cache_dir: Path, pattern: Pattern, parts: Sequence[str] = PARTS) -> Iterator[Match]:
    """Matches, those of the newest session first, one for each line that has some."""
    there = listing(cache_dir)

    def candidates(catalog: Catalog) -> list[StoredFile]:
        catalog.sync(there)
        corpus = Corpus(cache_dir, catalog)
        corpus.sync()
        found = corpus.holding(required(pattern))
        return list(found) if found is not None else _unpacked(corpus, cache_dir, pattern)

    files = consult(cache_dir, candidates, create=True) if len(there.names) > FEW else None
    for file in _every(cache_dir, there.names) if files is None else files:
        if file.part.partition("/")[0].removesuffix(".md") in parts:
            yield from _in_file(cache_dir, file, pattern)


def _unpacked(corpus: Corpus, cache_dir: Path, pattern: Pattern) -> list[StoredFile]:
    """The files of the sessions whose texts the pattern matches at all."""
    return [
        StoredFile(session=name, part=part)
        for name, texts in corpus.packed()
        if pattern.search(texts)
        for part in parts_of(cache_dir / name)
    ]


def _every(cache_dir: Path, names: Sequence[str]) -> Iterator[StoredFile]:
    # Names begin with the day; within a day the order does not matter.
    for name in sorted(names, reverse=True):
        if is_session(cache_dir / name):
            yield from (StoredFile(session=name, part=p) for p in parts_of(cache_dir / name))


def _in_file(root: Path, file: StoredFile, pattern: Pattern) -> Iterator[Match]:
    text = read_text(root / file.session / file.part, root)
    if text is None:
        return
    folder, _, name = file.part.rpartition("/")
    last = -1
    for match in pattern.finditer(text):
        begin = text.rfind("\n", 0, match.start()) + 1
        if begin == last:
            continue
        last = begin
        yield Match(
            session=file.session,
            part=folder or "report",
            n=layout.file_number(name) or 0,
            start=match.start(),
            number=text.count("\n", 0, begin) + 1,
            line=_line(text, begin, match),
            heading=_heading(text, begin),
        )


def _line(text: str, begin: int, match: re.Match[str]) -> str:
    """The line of the match; of a long one what is around the match."""
    end = text.find("\n", match.start())
    end = len(text) if end < 0 else end
    if end - begin <= _LONGEST_LINE:
        return text[begin:end].strip()
    first = max(begin, match.start() - _LONGEST_LINE // 3)
    cut = text[first : min(end, first + _LONGEST_LINE)].strip()
    return ("…" if first > begin else "") + cut + ("…" if first + _LONGEST_LINE < end else "")


def _heading(text: str, position: int) -> str:
    """The last heading before `position`, "" without one; code that looks like one counts."""
    window = text[max(0, position - 20_000) : position]
    found = _HEADING.findall(window)
    return found[-1] if found else ""
