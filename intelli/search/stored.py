"""The pages that are stored in the sessions of a cache directory, searched and read again."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from intelli.errors import BackendError, FetchError
from intelli.net import urls
from intelli.progress import in_thread
from intelli.records import USABLE_VERDICTS, Page, record
from intelli.search.shelf import Shelf
from intelli.store import layout
from intelli.store.corpus import pages_with
from intelli.store.disk import read_text
from intelli.store.summary import is_session
from intelli.text.ranking import query_terms, tokens

_CANDIDATES = 4
"""Pages looked at closely for each that is wanted."""


@record
class Match:
    """A stored page that a search found, its best passage, and the ref of its source."""

    page: Page
    snippet: str
    ref: str


class StoredPages:
    """Every page of every session, the newest where several were stored of one address.

    A small cache is read anew for each search, a large one has an index; memory holds no text but
    that of the best pages. Damaged files are passed over, links never followed out
    of the directory.
    """

    def __init__(self, cache_dir: Path) -> None:
        self._root = cache_dir
        self._files: dict[str, Path] = {}

    async def search(self, text: str, most: int) -> tuple[Match, ...]:
        """At most `most` pages with a word of `text`, by BM25 over their passages, best first.

        Raises BackendError `nothing-stored` where there is no page at all."""
        terms = query_terms(text)
        indexed = await in_thread(pages_with, self._root, terms, most * _CANDIDATES)
        if indexed is not None:
            return await asyncio.to_thread(self._ranked, self._newest(indexed), terms, most)
        tally = _Tally(terms=frozenset(terms))
        for directory in await asyncio.to_thread(_sessions, self._root):
            # One session at a time, so that an interrupted search ends at once.
            await asyncio.to_thread(self._count, directory, tally)
        if not tally.pages:
            raise BackendError(
                f"no page is stored in {self._root} yet",
                code="nothing-stored",
                hint="research something with the network first, or name local files with --docs",
            )
        self._files = {key: seen.path for key, seen in tally.found.items()}
        best = tally.best(most * _CANDIDATES)
        return await asyncio.to_thread(self._ranked, best, terms, most)

    async def read(self, url: str) -> Page:
        """The page as it was stored, with the moment when it was fetched. Raises FetchError
        `not-stored`."""
        page = await asyncio.to_thread(self._find, url)
        if page is None:
            raise FetchError(f"{url} is not among the stored pages", code="not-stored")
        return page

    def _count(self, directory: Path, tally: _Tally) -> None:
        for path, page in self._pages(directory):
            tally.add(path, page)

    def _newest(self, paths: Sequence[Path]) -> list[Path]:
        """One file for each address, the one that was fetched last."""
        found: dict[str, tuple[str, Path]] = {}
        for path in paths:
            page = self._page(path)
            key = urls.key(page.link.url) if page else ""
            if page and (key not in found or found[key][0] <= page.fetched):
                found[key] = (page.fetched, path)
        self._files = {key: path for key, (_, path) in found.items()}
        return list(self._files.values())

    def _ranked(self, paths: Sequence[Path], terms: Sequence[str], most: int) -> tuple[Match, ...]:
        pages: dict[str, Page] = {}
        refs: dict[str, str] = {}
        shelf = Shelf()
        for path in paths:
            page = self._page(path)
            if page is not None:
                pages[page.link.url] = page
                refs[page.link.url] = f"{path.parents[1].name}:{layout.file_number(path.name)}"
                shelf.add(page.link.url, page.text, page.title)
        shelf.rank()
        found = shelf.best(terms, most)
        return tuple(
            Match(page=pages[url], snippet=snippet, ref=refs[url]) for url, snippet in found
        )

    def _find(self, url: str) -> Page | None:
        wanted = urls.key(url)
        if wanted in self._files:
            return self._page(self._files[wanted])
        newest: Page | None = None
        for directory in _sessions(self._root):
            for _, page in self._pages(directory):
                is_newer = newest is None or newest.fetched <= page.fetched
                if is_newer and urls.key(page.link.url) == wanted:
                    newest = page
        return newest

    def _pages(self, directory: Path) -> Iterator[tuple[Path, Page]]:
        folder = directory / layout.SOURCES
        try:
            paths = [] if folder.is_symlink() else sorted(folder.iterdir())
        except OSError:
            return
        for path in paths:
            page = self._page(path) if layout.file_number(path.name) is not None else None
            if page is not None:
                yield path, page

    def _page(self, path: Path) -> Page | None:
        """None for a file that is no page of ours or holds nothing to read."""
        content = read_text(path, self._root)
        page = layout.parse_source(content) if content else None
        if page is None or page.verdict not in USABLE_VERDICTS or not page.text.strip():
            return None
        is_local = page.link.url.startswith("file://")
        return page if is_local or urls.is_http(page.link.url) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A page with terms of the query in it, and how often it has each."""

    path: Path
    fetched: str
    counts: Counter[str]


@dataclass(slots=True, kw_only=True)
class _Tally:
    """What a first look at all pages leaves: counts of the query's terms, no text."""

    terms: frozenset[str]
    pages: int = 0
    found: dict[str, _Seen] = field(default_factory=dict)

    def add(self, path: Path, page: Page) -> None:
        """Count the terms of a page; an older copy of one address gives way."""
        self.pages += 1
        words = tokens(page.text) + tokens(page.title)
        counts = Counter(word for word in words if word in self.terms)
        key = urls.key(page.link.url)
        if counts and (key not in self.found or self.found[key].fetched <= page.fetched):
            self.found[key] = _Seen(path=path, fetched=page.fetched, counts=counts)

    def best(self, most: int) -> list[Path]:
        """The files with the most of the rare terms; their passages decide about the order."""
        with_term = Counter(term for seen in self.found.values() for term in seen.counts)
        weights = {term: math.log(1 + self.pages / n) for term, n in with_term.items()}

        def worth(seen: _Seen) -> float:
            return sum(weights[term] * n / (n + 1) for term, n in seen.counts.items())

        return [seen.path for seen in sorted(self.found.values(), key=worth, reverse=True)[:most]]


def _sessions(root: Path) -> list[Path]:
    try:
        return sorted(path for path in root.iterdir() if is_session(path))
    except OSError:
        return []
