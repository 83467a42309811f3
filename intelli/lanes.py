"""One lane per page: fetched, then extracted at once, while the other pages are still coming.

A page's error stays in its lane; a run's error cancels all of them. When a page is lost, the next
link takes its place. Pages that are still being fetched when all others are done get a grace
period and are then left behind as `late`; one that is being extracted is paid for and waited for.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from time import monotonic
from typing import cast

from intelli.clock import Clock
from intelli.errors import ExtractError, FetchError, IntelliError, Stopped, first_of
from intelli.events import PageExtracted, PageFailed, PageFetched, PageStarted, Warned
from intelli.extract.hostile import remark_on
from intelli.extract.originals import Originals
from intelli.records import (
    Extract,
    Failure,
    Link,
    Page,
    Query,
    Source,
    SourceStatus,
    Stage,
    Verdict,
)
from intelli.saving import Saving
from intelli.store.layout import source_filename
from intelli.toolbox import Toolbox

BLOCKED: frozenset[str | None] = frozenset({"challenge", "login"})
"""Verdicts of pages that the site keeps from us."""

KEPT: frozenset[SourceStatus] = frozenset({"ok", "irrelevant", "duplicate"})
"""What a resumed run takes over as it is; every other outcome cost nothing and is tried again."""


class Lanes:
    """Reads the pages of one run; a source's number is the position of its link."""

    def __init__(self, query: Query, tools: Toolbox, saving: Saving, clock: Clock) -> None:
        self._query = query
        self._tools = tools
        self._saving = saving
        self._clock = clock
        self._network = asyncio.Semaphore(tools.settings.count("fetch.concurrency"))
        self._engine = asyncio.Semaphore(tools.settings.count("extract.concurrency"))
        self._queue: deque[tuple[int, Link]] = deque()
        self._running: dict[asyncio.Task[Source], Source] = {}
        self._fetching: set[int] = set()
        self._sources: dict[int, Source] = {}
        self._begun: dict[int, Page] = {}
        self._originals = Originals()
        self._moved = monotonic()

    async def read(
        self, links: Sequence[Link], earlier: Iterable[Source] = (), *, retry: bool = True
    ) -> tuple[Source, ...]:
        """All sources in the order of their numbers, lost ones included. `earlier` are those of a
        stopped run: finished ones stay, fetched ones are only extracted, lost ones are tried again
        unless `retry` is False."""
        for source in earlier:
            self._take_over(source, retry=retry)
        numbered = enumerate(links, start=1)
        self._queue.extend((n, link) for n, link in numbered if n not in self._sources)
        try:
            async with asyncio.TaskGroup() as group:
                await self._run(group)
        except BaseExceptionGroup as errors:
            raise first_of(errors) from None
        for remark in (*self._originals.remarks(), *self._unpaid()):
            self._tools.emit(Warned(message=remark))
        return self.sources

    def _unpaid(self) -> Iterator[str]:
        lost = [str(s.n) for s in self.sources if s.failure and s.failure.code == "budget"]
        if lost:
            yield f"left out, as the budget has no room for more pages: source {', '.join(lost)}"

    @property
    def sources(self) -> tuple[Source, ...]:
        """What is known so far; pages under way are `late`."""
        under_way = {
            source.n: replace(source, page=self._begun.get(source.n))
            for source in self._running.values()
        }
        known = under_way | self._sources
        return tuple(known[n] for n in sorted(known))

    async def _run(self, group: asyncio.TaskGroup) -> None:
        self._refill(group)
        while self._running:
            done, _ = await asyncio.wait(
                self._running, timeout=self._patience(), return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                source = self._running.pop(task)
                self._sources[source.n] = task.result()
                self._moved = monotonic()
            if not done:
                await self._leave_behind()
            self._refill(group)

    def _take_over(self, source: Source, *, retry: bool) -> None:
        if source.status in KEPT or (source.failure and not retry):
            self._sources[source.n] = source
        if source.page:
            self._begun[source.n] = source.page
            self._originals.twin(source.n, source.page)

    def _refill(self, group: asyncio.TaskGroup) -> None:
        """Start lanes until the pages wanted are there, on their way, or out of links."""
        good = sum(_is_whole(source) for source in self._sources.values())
        while self._queue and good + len(self._running) < self._query.urls:
            n, link = self._queue.popleft()
            source = Source(n=n, link=link, status="late", file=source_filename(n, link.url))
            self._fetching.add(n)
            self._running[group.create_task(self._lane(source))] = source
            self._moved = monotonic()

    def _patience(self) -> float | None:
        """Seconds until the stragglers are late; None while others work or none is done yet."""
        working = any(source.n not in self._fetching for source in self._running.values())
        if working or not any(map(_is_whole, self._sources.values())):
            return None
        grace = self._tools.settings.number("fetch.grace")
        return max(0.0, self._moved + grace - monotonic())

    async def _leave_behind(self) -> None:
        late = [task for task, s in self._running.items() if s.n in self._fetching]
        if not late:
            return
        for task in late:
            task.cancel()
        await asyncio.wait(late)
        grace = self._tools.settings.number("fetch.grace")
        failure = _reason("fetch", "late", f"not there {grace:g} s after the others were done")
        for task in late:
            source = self._running.pop(task)
            self._sources[source.n] = self._lost(source, "late", failure)
        self._queue.clear()  # time is up for replacements as well

    async def _lane(self, source: Source) -> Source:
        """What became of one link; never raises what costs only its page."""
        self._tools.emit(PageStarted(n=source.n, url=source.link.url))
        try:
            page = self._begun.get(source.n) or await self._fetch(source)
        except FetchError as error:
            status: SourceStatus = "blocked" if error.verdict in BLOCKED else "failed"
            return self._lost(source, status, _failure("fetch", error))
        finally:
            self._fetching.discard(source.n)
        twin = self._originals.twin(source.n, page)
        if twin:
            reason = f"{twin.likeness} as source {twin.n}"
            return self._lost(source, "duplicate", _reason("fetch", "duplicate", reason))
        source = replace(source, page=page)
        self._warn_of_orders(source.n, page)
        try:
            extract = await self._extract(source.n, page)
        except (ExtractError, Stopped) as error:
            self._originals.forget(source.n)
            if isinstance(error, Stopped):
                self._queue.clear()  # no money is left for further pages either
            return self._lost(source, "failed", _failure("extract", error))
        if not extract.text:
            reason = "nothing on it helps with the question"
            return self._lost(source, "irrelevant", _reason("extract", "irrelevant", reason))
        return replace(source, status="ok", extract=extract)

    async def _fetch(self, source: Source) -> Page:
        from intelli.fetch.page import fetch_page

        async with self._network:
            with self._clock.stage("fetch"):
                page = await fetch_page(source.link, self._tools.fetching)
        self._begun[source.n] = page
        self._saving.page(source.n, page)
        self._tools.emit(
            PageFetched(
                n=source.n,
                url=page.final_url,
                title=page.title,
                via=page.via,
                verdict=page.verdict,
                chars=len(page.text),
                age_s=page.age_s,
            )
        )
        return page

    async def _extract(self, n: int, page: Page) -> Extract:
        async with self._engine:
            with self._clock.stage("extract"):
                extract = await self._tools.engine.extractor.extract(page, self._query)
        if extract.text:
            self._saving.extract(n, extract)
            self._tools.emit(
                PageExtracted(
                    n=n,
                    url=page.final_url,
                    chars=len(extract.text),
                    source_type=extract.source_type,
                )
            )
        return extract

    def _warn_of_orders(self, n: int, page: Page) -> None:
        """A page that speaks to models is still data; the reader should know which it is."""
        if remark := remark_on(page):
            self._tools.emit(Warned(message=f"source {n} {remark}"))

    def _lost(self, source: Source, status: SourceStatus, failure: Failure) -> Source:
        source = replace(source, status=status, failure=failure)
        self._saving.outcome(source)
        self._tools.emit(
            PageFailed(
                n=source.n,
                url=source.link.url,
                stage=failure.stage,
                status=status,
                code=failure.code,
                reason=failure.reason,
            )
        )
        return source


def _is_whole(source: Source) -> bool:
    """Whether a source counts as one of the pages wanted; an excerpt takes nobody's place."""
    return source.status == "ok" and not (source.page and source.page.is_excerpt)


def _failure(stage: Stage, error: IntelliError) -> Failure:
    verdict = cast("Verdict | None", getattr(error, "verdict", None))
    return Failure(stage=stage, code=error.code, reason=error.message, verdict=verdict)


def _reason(stage: Stage, code: str, reason: str) -> Failure:
    return Failure(stage=stage, code=code, reason=reason)
