"""A session that a run writes: page by page, so that a crash never loses what was paid for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import RLock
from types import TracebackType

from intelli.errors import StoreError
from intelli.records import Answer, Extract, Page, Research, Source, Usage, record
from intelli.store import claiming, folder, index, layout
from intelli.store.catalog import changing
from intelli.store.disk import NO_LOCKS, RunLock, make_cache_dir, reporting
from intelli.store.meta import Meta, Origin
from intelli.store.sources import StoredSource
from intelli.store.summary import Summary


@record
class ResumedState:
    """What a stopped run left: sources with status `late` and a page are fetched, not extracted.
    A run that starts anew gets an empty one."""

    answer: Answer = Answer(links=())
    sources: tuple[Source, ...] = ()
    usage: Usage = Usage()


@record
class Taken:
    """The directory of a stopped run, locked, with what is in it."""

    directory: Path
    lock: RunLock
    known: Meta
    sources: tuple[StoredSource, ...]


class Session:
    """One run's directory, created with the first thing that is saved.

    Every method that writes raises StoreError naming the path and the reason; what was saved
    before stays. Methods may be called from several threads.
    """

    def __init__(self, cache_dir: Path, name: str, known: Meta, taken: Taken | None = None) -> None:
        self._cache_dir = cache_dir
        self._name = name
        self._meta = known
        self._sources: dict[int, Source] = {}
        self._texts: dict[int, str] = {}
        self._directory: Path | None = None
        self._lock: RunLock | None = None
        self._closed = False
        self._guard = RLock()
        self.resumed = ResumedState()
        if taken:
            self._resume(taken)

    def _resume(self, taken: Taken) -> None:
        known, now = taken.known, self._meta.given
        self._directory, self._lock = taken.directory, taken.lock
        given = replace(known.given, offline=now.offline, backends=now.backends)
        self._meta = replace(self._meta, answer=known.answer, given=given, origin=known.origin)
        self._sources = {source.n: source.record for source in taken.sources}
        self._texts = {source.n: source.text for source in taken.sources if source.text}
        self.resumed = ResumedState(
            answer=known.answer, sources=tuple(self._sources.values()), usage=known.usage
        )

    @property
    def name(self) -> str:
        """The directory's name; before anything is saved the one it would get now."""
        return self.path.name

    @property
    def path(self) -> Path:
        """Exists once something is saved. `finish` may rename it."""
        with self._guard:
            return self._directory or claiming.expected(self._cache_dir, self._name)

    @property
    def warning(self) -> str:
        """What a reader should know of the disk that the session lies on, "" for nothing."""
        with self._guard:
            return "" if self._lock is None or self._lock.is_of_disk else NO_LOCKS

    # --- while the run goes on ------------------------------------------------------------------

    def begin_from(self, origin: Origin, answer: Answer, sources: Iterable[Source]) -> None:
        """Keep what another session has already, before anything else is done: killed from now on,
        the run is resumed as if it had read these pages itself."""
        with self._writing() as directory:
            self._meta = replace(self._meta, answer=answer, origin=origin)
            self._write_meta(directory, lasting=True)
            for source in sources:
                self._settle(directory, source)
            self._write_meta(directory, lasting=True)

    def save_links(self, answer: Answer) -> None:
        """Keep what the search found, in order."""
        with self._writing() as directory:
            self._meta = replace(self._meta, answer=answer)
            self._write_meta(directory, lasting=True)

    def save_page(self, n: int, page: Page) -> None:
        """Keep the page of source `n`; it counts as `late` until its extraction is there."""
        self._save(Source(n=n, link=page.link, status="late", page=page))

    def save_extract(self, n: int, extract: Extract) -> None:
        """Keep the extraction of source `n`; one without text has no file."""
        page = extract.page
        source = Source(n=n, link=page.link, status="ok", page=page, extract=extract)
        self._save(source if extract.text else replace(source, status="irrelevant"))

    def save_outcome(self, source: Source) -> None:
        """Keep how a source ended: failed, late, irrelevant, duplicate or blocked."""
        self._save(source)

    def save_llms_full(self, host: str, text: str) -> None:
        """Keep a host's `llms-full.txt`; it survives every refresh of the session."""
        with self._writing() as directory:
            name = layout.llms_full_filename(host)
            folder.write_in(directory / layout.SOURCES, name, layout.clean_text(text))

    def save_usage(self, usage: Usage) -> None:
        """Keep what the run has cost so far."""
        with self._writing() as directory:
            self._meta = replace(self._meta, usage=usage)
            self._write_meta(directory)

    def source_text(self, n: int) -> str:
        """The whole file of source `n` as it is stored, also when storing it failed. Raises
        KeyError for a source without a page."""
        return self._texts[n]

    # --- at its end -----------------------------------------------------------------------------

    def finish(self, research: Research) -> Research:
        """Write the report, take the canonical name, list it in the index and close.

        Returns the record as `load_research` gives it back, with its final session and path.
        """
        with self._writing() as directory:
            self._meta = self._told_by(research)
            for source in research.sources:
                self._settle(directory, source)
            folder.prune(directory, research.sources)
            sources = tuple(folder.named(source) for source in research.sources)
            done = replace(research, timestamp=self._meta.timestamp, sources=sources)
            folder.write_results(directory, self._meta, done)
            final, problem = self._publish(directory, done)
        if problem:
            done = replace(done, warnings=(*done.warnings, problem))
        return replace(done, session=final.name, path=str(final))

    def stop(self, research: Research) -> Research:
        """Leave an unfinished run ready to be resumed, without a report, and close.

        Returns the record with the session and path it was kept under, both "" if nothing was.
        """
        with self._guard:
            if self._directory is None and not any(source.page for source in research.sources):
                self.close()
                return replace(research, session="", path="")
            with self._writing() as directory:
                self._meta = self._told_by(research)
                for source in research.sources:
                    self._settle(directory, source)
                self._write_meta(directory, lasting=True)
            self.close()
        return replace(research, session=directory.name, path=str(directory))

    def close(self) -> None:
        """Stop holding the directory; the kernel does the same for a process that dies."""
        with self._guard:
            self._closed = True
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- how it is written ----------------------------------------------------------------------

    @contextmanager
    def _writing(self) -> Iterator[Path]:
        """The working directory, claimed by the first write."""
        with self._guard, reporting(self._directory or self._cache_dir / self._name):
            if self._closed:
                raise StoreError(f"{self._name} is closed", code="closed")
            if self._directory is None:
                self._claim()
            assert self._directory is not None
            yield self._directory

    def _claim(self) -> None:
        make_cache_dir(self._cache_dir)
        with changing(self._cache_dir, self._name) as untidy:
            if untidy:
                recover(self._cache_dir)
            directory, lock = claiming.claim(self._cache_dir, self._name)
        self._directory, self._lock = directory, lock
        # Whatever else is there after a crash, the question is: it decides who may resume it.
        self._write_meta(directory)

    def _save(self, source: Source) -> None:
        with self._guard:
            if source.page:  # verification needs the text even where the disk refuses it
                self._texts[source.n] = layout.render_source(source.page)
            with self._writing() as directory:
                self._settle(directory, source)
                self._write_meta(directory)

    def _settle(self, directory: Path, source: Source) -> None:
        """Write what `source` has and the disk has not."""
        n, page, extract = source.n, source.page, source.extract
        name = layout.source_filename(n, source.link.url)
        known = self._sources.get(n)
        if page and not (known and known.page is page):
            self._texts[n] = layout.render_source(page)
            folder.write_numbered(directory / layout.SOURCES, n, name, self._texts[n])
        if extract and extract.text and not (known and known.extract is extract):
            text = layout.render_extraction(extract)
            folder.write_numbered(directory / layout.EXTRACTIONS, n, name, text)
        self._sources[n] = source

    def _write_meta(self, directory: Path, *, lasting: bool = False) -> None:
        folder.write_meta(directory, self._meta, self._sources.values(), lasting=lasting)

    def _told_by(self, research: Research) -> Meta:
        """Our `meta.json` with all that the run found out."""
        return replace(
            self._meta,
            query=research.query,
            engine=research.engine,
            outcome=research.outcome,
            timestamp=research.timestamp or self._meta.timestamp,
            usage=research.usage,
            timing=research.timing,
            warnings=research.warnings,
            related=research.related,
            conflicts=research.report.conflicts,
        )

    def _publish(self, directory: Path, done: Research) -> tuple[Path, str]:
        """The lasting directory, and what is wrong with the index, "" when nothing is."""
        problem = ""
        with changing(self._cache_dir, self._name):
            final = claiming.promote(self._cache_dir, directory)
            self._directory = final
            if self._lock:
                self._lock.release(final)
            self._lock, self._closed = None, True
            try:
                if not layout.is_archive(final.name):
                    index.add_locked(self._cache_dir, [_summary(final.name, done)])
            except OSError as error:
                # The session itself is safe, and the next one that is saved mends the index.
                problem = f"the index could not be written: {error.strerror or error}"
        return final, problem


def recover(cache_dir: Path) -> None:
    """Mend what a crash left; the caller holds the cache lock. Raises OSError."""
    mended = claiming.recover(cache_dir)
    if mended:
        index.add_locked(cache_dir, mended)


def _summary(name: str, done: Research) -> Summary:
    return Summary(
        name=name,
        query=done.query.text,
        timestamp=done.timestamp,
        focus=done.query.focus,
        engine=done.engine,
        outcome=done.outcome,
        sources=sum(source.status == "ok" for source in done.sources),
    )
