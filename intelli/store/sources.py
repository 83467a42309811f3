"""The sources of a session as their files tell it; `meta.json` adds what no file can."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from intelli.records import Link, Page, Source, record
from intelli.store import layout
from intelli.store.disk import read_text
from intelli.store.meta import Entry, Meta, extract_of
from intelli.store.summary import is_finished


@record
class StoredSource:
    """A source with its files. `text` and `extraction` are whole files, "" where there is none;
    the text of the page begins at `start` in `text`."""

    record: Source
    text: str = ""
    start: int = 0
    extraction: str = ""
    path: Path | None = None
    extraction_path: Path | None = None

    @property
    def n(self) -> int:
        return self.record.n

    @property
    def url(self) -> str:
        return self.record.link.url

    @property
    def title(self) -> str:
        page = self.record.page
        return (page.title if page else "") or self.record.link.title

    @property
    def status(self) -> str:
        return self.record.status


@record
class _File:
    """One file of a source."""

    path: Path
    content: str


def load_sources(directory: Path, root: Path, known: Meta) -> tuple[StoredSource, ...]:
    """Every source that has a file or an entry, by number.

    The files decide: what is on disk counts as done even if `meta.json` missed it before a kill.
    """
    pages = _numbered(directory / layout.SOURCES, root)
    extractions = _numbered(directory / layout.EXTRACTIONS, root)
    entries = {entry.n: entry for entry in known.entries}
    finished = is_finished(directory)
    found = []
    for n in sorted(pages.keys() | extractions.keys() | entries.keys()):
        source = _source(n, pages.get(n), extractions.get(n), known)
        if not finished:
            source = _as_far_as_files_go(source, entries.get(n))
        found.append(_stored(source, pages.get(n), extractions.get(n)))
    return tuple(found)


def _numbered(folder: Path, root: Path) -> dict[int, _File]:
    """By number; of two files with the same one the first by name counts."""
    found: dict[int, _File] = {}
    if folder.is_symlink() or not folder.is_dir():
        return found
    for path in sorted(folder.iterdir()):
        n = layout.file_number(path.name)
        content = None if n is None or n in found else read_text(path, root)
        if n is not None and content is not None:
            found[n] = _File(path=path, content=content)
    return found


def _source(n: int, page: _File | None, extraction: _File | None, known: Meta) -> Source:
    entry = next((entry for entry in known.entries if entry.n == n), None)
    header = page or extraction
    seen = layout.parse_source(header.content) if header else None
    link = entry.link if entry else _link(n, seen, known)
    seen = replace(seen, link=link) if seen else None
    source = Source(
        n=n,
        link=link,
        status=entry.status if entry else "ok",
        page=seen if page else None,
        failure=entry.failure if entry else None,
        file=header.path.name if header else "",
    )
    if extraction and seen:
        # Other programs may keep an extraction without its page: that page has no text here.
        whose = seen if page else replace(seen, text="", via="")
        extract = layout.parse_extraction(extraction.content, whose)
        reply = entry.extraction.reply if entry and entry.extraction else ""
        return replace(source, extract=replace(extract, reply=reply))
    return extract_of(entry, source) if entry else source


def _link(n: int, seen: Page | None, known: Meta) -> Link:
    url = seen.link.url if seen else ""
    found = next((link for link in known.answer.links if link.url == url), None)
    return found or Link(url=url, rank=n, title=seen.title if seen else "")


def _as_far_as_files_go(source: Source, entry: Entry | None) -> Source:
    """The status of a source of a run that was cut off: `late` is what is still to be done."""
    if source.extract and source.extract.text:
        return replace(source, status="ok", failure=None)
    if source.page and (entry is None or (entry.status != "duplicate" and not entry.has_page)):
        return replace(source, status="late", failure=None)
    if source.status == "ok" and not source.extract:
        return replace(source, status="late")
    return source


def _stored(source: Source, page: _File | None, extraction: _File | None) -> StoredSource:
    return StoredSource(
        record=source,
        text=page.content if page else "",
        start=layout.parse(page.content).start if page else 0,
        extraction=extraction.content if extraction else "",
        path=page.path if page else None,
        extraction_path=extraction.path if extraction else None,
    )
