"""Local files as a search backend: an index of their passages, built when first asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Protocol
from urllib.parse import unquote, urldefrag

from intelli.errors import FetchError, UsageError
from intelli.events import Emit, Warned, silent
from intelli.records import Answer, Link, Query
from intelli.search.backend import Equipment
from intelli.search.files import Skipped, Walk, content_type, told, unpacked
from intelli.text.document import Document
from intelli.text.passages import Passage, split
from intelli.text.ranking import BM25, query_terms, tokens

_WEIGHTS = (1.0, 0.5, 0.25)
"""What the best, second and third best passage of a file add to its score."""

_SNIPPET = 300


def make(equipment: Equipment) -> DocsIndex:
    """The index of the files that the user named. Raises UsageError when there are none."""
    if equipment.docs is None:
        raise UsageError(
            "the docs backend needs local files", code="no-docs", hint="name them with --docs PATH"
        )
    return equipment.docs


class Parser(Protocol):
    """What turns bytes into a document, as `intelli.text.reading.Reader` does."""

    async def read(self, body: bytes, content_type: str, url: str) -> Document: ...


class DocsIndex:
    """Files, and directories with all the documents in them, ranked by BM25 over passages."""

    name = "docs"

    def __init__(self, paths: Sequence[Path], reader: Parser, emit: Emit = silent) -> None:
        """Raises UsageError naming a path that does not exist."""
        self._walk = Walk(paths)
        self._reader = reader
        self._emit = emit
        self._building = asyncio.Lock()
        self._shelf: _Shelf | None = None

    async def search(self, query: Query) -> Answer:
        """Files with a word of the query, the best first, at most twice the pages wanted.

        Raises UsageError naming a path that has nothing to read in it.
        """
        shelf = await self._ready()
        best = shelf.best(query_terms(query.text))
        ranked = sorted(best, key=lambda url: -_score(best[url]))[: query.urls * 2]
        links = tuple(
            Link(
                url=url,
                rank=rank,
                title=shelf.titles[url],
                snippet=_snippet(best[url][0][1].text),
                backend=self.name,
                published=shelf.documents[url].published,
            )
            for rank, url in enumerate(ranked, 1)
        )
        return Answer(links=links, backend=self.name)

    async def read(self, url: str) -> Document:
        """The document behind a `file://` link of this index. Raises FetchError for any other."""
        shelf = await self._ready()
        document = shelf.documents.get(urldefrag(url).url)
        if document is None:
            raise FetchError(f"{url} is none of the files named with --docs", code="not-in-docs")
        return document

    async def _ready(self) -> _Shelf:
        async with self._building:
            if self._shelf is None:
                shelf = _Shelf()
                await self._load(shelf)
                await asyncio.to_thread(shelf.rank)
                self._shelf = shelf
            return self._shelf

    async def _load(self, shelf: _Shelf) -> None:
        skipped = self._walk.skipped
        skipped.clear()
        for root, files in self._walk.roots():
            before = len(skipped)
            await self._fill(shelf, files)
            if not any(path.as_uri() in shelf.documents for path in files):
                raise _nothing_in(root, skipped[before:])
        if skipped:
            self._emit(Warned(message=f"docs skipped {told(skipped)}"))

    async def _fill(self, shelf: _Shelf, files: Sequence[Path]) -> None:
        """Put files on the shelf; one is indexed in a thread while the next is parsed."""
        indexing: asyncio.Future[None] | None = None
        for path in files:
            url = path.as_uri()
            if url in shelf.documents or (document := await self._parse(path, url)) is None:
                continue
            shelf.documents[url] = document
            if indexing is not None:
                await indexing
            indexing = asyncio.ensure_future(asyncio.to_thread(shelf.add, url, document))
        if indexing is not None:
            await indexing

    async def _parse(self, path: Path, url: str) -> Document | None:
        body = self._walk.body(path)
        if body is None:
            return None
        try:
            document = await self._reader.read(body, content_type(path), unpacked(path).as_uri())
        except FetchError:
            self._walk.skip(path, "unreadable")
            return None
        if document.kind == "binary" or not (document.text or document.title).strip():
            self._walk.skip(path, document.error or "without text")
            return None
        return document


@dataclass(slots=True)
class _Shelf:
    """Documents by address, with the passages of them all and the terms of each passage."""

    documents: dict[str, Document] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    passages: list[tuple[str, Passage]] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    headings: dict[str, list[str]] = field(default_factory=dict)
    ranker: BM25 = field(default_factory=lambda: BM25(()))

    def add(self, url: str, document: Document) -> None:
        """Cut a document into passages."""
        # A file whose only text is its title still has one passage.
        passages = split(document.text) or (_TITLE_ONLY,)
        first_heading = passages[0].heading.partition(" > ")[0]
        name = _file_name(url)
        self.titles[url] = document.title or first_heading or name
        for n, passage in enumerate(passages):
            if passage.heading not in self.headings:
                self.headings[passage.heading] = tokens(passage.heading)
            row = tokens(passage.text) + self.headings[passage.heading]
            self.rows.append(row if n else row + tokens(f"{self.titles[url]} {name}"))
            self.passages.append((url, passage))

    def rank(self) -> None:
        """Make the passages ready to be ranked; none is added afterwards."""
        self.ranker = BM25(self.rows)
        self.rows = []

    def best(self, terms: Sequence[str]) -> dict[str, list[tuple[float, Passage]]]:
        """The passages of each matching file, best first."""
        best: dict[str, list[tuple[float, Passage]]] = {}
        scores = self.ranker.scores(terms)
        for score, (url, passage) in zip(scores, self.passages, strict=True):
            if score > 0:
                best.setdefault(url, []).append((score, passage))
        for found in best.values():
            found.sort(key=lambda pair: -pair[0])
        return best


def _nothing_in(root: Path, skipped: Sequence[Skipped]) -> UsageError:
    if not skipped:
        why = "no file that is not hidden" if root.is_dir() else "named before"
    elif root.is_dir():
        why = f"skipped {told(skipped)}"
    else:
        why = skipped[0].reason
    return UsageError(
        f"nothing to read in {root}: {why}",
        code="no-documents",
        hint="--docs reads Markdown, HTML, reStructuredText, plain text and PDF, also gzip'd",
    )


_TITLE_ONLY = Passage(text="", start=0, end=0)


def _file_name(url: str) -> str:
    return unquote(PurePosixPath(url).name)


def _score(found: Sequence[tuple[float, Passage]]) -> float:
    return sum(weight * score for weight, (score, _) in zip(_WEIGHTS, found, strict=False))


def _snippet(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SNIPPET else words[:_SNIPPET].rsplit(" ", 1)[0] + " …"
