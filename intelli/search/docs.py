"""Local files as a search backend: an index of their passages, built when first asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol
from urllib.parse import unquote, urldefrag

from intelli.errors import FetchError, UsageError
from intelli.events import Emit, Warned, silent
from intelli.records import Answer, Link, Query
from intelli.search.backend import Equipment
from intelli.search.files import Skipped, Walk, content_type, told, unpacked
from intelli.search.shelf import Shelf
from intelli.text.document import Document
from intelli.text.ranking import query_terms


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
        self._documents: dict[str, Document] = {}
        self._shelf: Shelf | None = None

    async def search(self, query: Query) -> Answer:
        """Files with a word of the query, the best first, at most twice the pages wanted.

        Raises UsageError naming a path that has nothing to read in it.
        """
        shelf = await self._ready()
        found = shelf.best(query_terms(query.text), query.urls * 2)
        links = tuple(
            Link(
                url=url,
                rank=rank,
                title=shelf.titles[url],
                snippet=snippet,
                backend=self.name,
                published=self._documents[url].published,
            )
            for rank, (url, snippet) in enumerate(found, 1)
        )
        return Answer(links=links, backend=self.name)

    async def read(self, url: str) -> Document:
        """The document behind a `file://` link of this index. Raises FetchError for any other."""
        await self._ready()
        document = self._documents.get(urldefrag(url).url)
        if document is None:
            raise FetchError(f"{url} is none of the files named with --docs", code="not-in-docs")
        return document

    async def _ready(self) -> Shelf:
        async with self._building:
            if self._shelf is None:
                shelf, self._documents = Shelf(), {}
                await self._load(shelf)
                await asyncio.to_thread(shelf.rank)
                self._shelf = shelf
            return self._shelf

    async def _load(self, shelf: Shelf) -> None:
        skipped = self._walk.skipped
        skipped.clear()
        for root, files in self._walk.roots():
            before = len(skipped)
            await self._fill(shelf, files)
            if not any(path.as_uri() in self._documents for path in files):
                raise _nothing_in(root, skipped[before:])
        if skipped:
            self._emit(Warned(message=f"docs skipped {told(skipped)}"))

    async def _fill(self, shelf: Shelf, files: Sequence[Path]) -> None:
        """Put files on the shelf; one is indexed in a thread while the next is parsed."""
        indexing: asyncio.Future[None] | None = None
        for path in files:
            url = path.as_uri()
            if url in self._documents or (document := await self._parse(path, url)) is None:
                continue
            self._documents[url] = document
            if indexing is not None:
                await indexing
            indexing = asyncio.ensure_future(asyncio.to_thread(_put, shelf, url, document))
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


def _put(shelf: Shelf, url: str, document: Document) -> None:
    shelf.add(url, document.text, document.title, unquote(PurePosixPath(url).name))


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
