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
from intelli.search.files import Walk, content_type
from intelli.text.document import Document
from intelli.text.passages import Passage, split
from intelli.text.ranking import BM25, query_terms, tokens

_WEIGHTS = (1.0, 0.5, 0.25)
"""What the best, second and third best passage of a file add to its score."""

_SNIPPET = 300


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
        self._documents: dict[str, Document] | None = None
        self._passages: list[tuple[str, Passage]] = []
        self._titles: dict[str, str] = {}
        self._ranker = BM25(())

    async def search(self, query: Query) -> Answer:
        """Files with a word of the query, the best first, at most twice the pages wanted.

        Raises UsageError naming a path that has nothing to read in it.
        """
        documents = await self._ready()
        best = self._best(query_terms(query.text))
        ranked = sorted(best, key=lambda url: -_score(best[url]))[: query.urls * 2]
        links = tuple(
            Link(
                url=url,
                rank=rank,
                title=self._titles[url],
                snippet=_snippet(best[url][0][1].text),
                backend=self.name,
                published=documents[url].published,
            )
            for rank, url in enumerate(ranked, 1)
        )
        return Answer(links=links, backend=self.name)

    async def read(self, url: str) -> Document:
        """The document behind a `file://` link of this index. Raises FetchError for any other."""
        documents = await self._ready()
        document = documents.get(urldefrag(url).url)
        if document is None:
            raise FetchError(f"{url} is none of the files named with --docs", code="not-in-docs")
        return document

    def _best(self, terms: Sequence[str]) -> dict[str, list[tuple[float, Passage]]]:
        """The passages of each matching file, best first."""
        best: dict[str, list[tuple[float, Passage]]] = {}
        scores = self._ranker.scores(terms)
        for score, (url, passage) in zip(scores, self._passages, strict=True):
            if score > 0:
                best.setdefault(url, []).append((score, passage))
        for found in best.values():
            found.sort(key=lambda pair: -pair[0])
        return best

    async def _ready(self) -> dict[str, Document]:
        async with self._building:
            if self._documents is None:
                documents = await self._load()
                await self._index(documents)
                self._documents = documents
            return self._documents

    async def _load(self) -> dict[str, Document]:
        documents: dict[str, Document] = {}
        for root, files in self._walk.roots():
            fresh = {path.as_uri(): path for path in files}
            for url, path in fresh.items():
                if url not in documents and (document := await self._parse(path, url)):
                    documents[url] = document
            if not any(url in documents for url in fresh):
                raise UsageError(
                    f"nothing to read in {root}{self._skipped(': skipped ')}",
                    code="no-documents",
                    hint="--docs reads Markdown, HTML, reStructuredText, plain text and PDF",
                )
        if self._walk.skipped:
            self._emit(Warned(message=f"docs skipped {self._skipped()}"))
        return documents

    async def _parse(self, path: Path, url: str) -> Document | None:
        body = self._walk.body(path)
        if body is None:
            return None
        try:
            document = await self._reader.read(body, content_type(path), url)
        except FetchError:
            self._walk.skipped["unreadable"] += 1
            return None
        if document.kind == "binary" or not (document.text or document.title).strip():
            self._walk.skipped[document.error or "without text"] += 1
            return None
        return document

    async def _index(self, documents: dict[str, Document]) -> None:
        rows: list[list[str]] = []
        headings: dict[str, list[str]] = {}
        for url, document in documents.items():
            await asyncio.sleep(0)  # a deadline or a Ctrl-C need not wait for the last file
            # A file whose only text is its title still has one passage.
            passages = split(document.text) or (_TITLE_ONLY,)
            first_heading = passages[0].heading.partition(" > ")[0]
            name = _file_name(url)
            self._titles[url] = document.title or first_heading or name
            for n, passage in enumerate(passages):
                if passage.heading not in headings:
                    headings[passage.heading] = tokens(passage.heading)
                row = tokens(passage.text) + headings[passage.heading]
                rows.append(row if n else row + tokens(f"{self._titles[url]} {name}"))
                self._passages.append((url, passage))
        self._ranker = BM25(rows)

    def _skipped(self, lead: str = "") -> str:
        counts = self._walk.skipped
        total = sum(counts.values())
        if not total:
            return ""
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items()))
        return f"{lead}{total} {'file' if total == 1 else 'files'} ({reasons})"


_TITLE_ONLY = Passage(text="", start=0, end=0)


def _file_name(url: str) -> str:
    return unquote(PurePosixPath(url).name)


def _score(found: Sequence[tuple[float, Passage]]) -> float:
    return sum(weight * score for weight, (score, _) in zip(_WEIGHTS, found, strict=False))


def _snippet(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SNIPPET else words[:_SNIPPET].rsplit(" ", 1)[0] + " …"
