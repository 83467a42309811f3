"""The five stages, in order: search, fetch and extract in lanes, collate, suggest.

Suggestion needs only the question: it runs beside the others and never holds the answer back.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from intelli.clock import Clock
from intelli.errors import (
    ExtractionFailed,
    FetchFailed,
    Interrupted,
    ModelError,
    NoLinks,
    RunError,
    Stopped,
)
from intelli.events import Event, PageFetched, RunEnded, RunStarted, Spent, Warned
from intelli.lanes import Lanes
from intelli.progress import in_thread
from intelli.records import Answer, Query, Related, Report, Research, Source, Usage
from intelli.saving import Saving
from intelli.store.layout import render_source
from intelli.suggest.by_model import WINDOW, judge
from intelli.suggest.related import PERHAPS, related
from intelli.toolbox import Toolbox

if TYPE_CHECKING:
    from intelli.store.writing import ResumedState


class Run:
    """One research run. `research` is what is known so far; on a RunError it says what is kept."""

    def __init__(
        self,
        query: Query,
        tools: Toolbox,
        saving: Saving,
        resumed: ResumedState | None = None,
        *,
        continues: bool = True,
    ) -> None:
        """`resumed` is where to begin: what a stopped run left, which this one `continues`, or
        what other sessions hold."""
        self._query = query
        self._continues = continues
        self._resumed = resumed
        self._saving = saving
        self._warnings: list[str] = []
        self._tools = tools
        tools.emit.add(self._note)
        self._clock = Clock(self._tools.emit)
        self.research = Research(
            query=query,
            engine=tools.settings.engine,
            outcome="running",
            session=saving.name,
            path=saving.path,
            timestamp=datetime.now(UTC).isoformat(timespec="seconds"),
        )

    async def __call__(self, deadline: float | None = None) -> Research:
        """The whole run, within `deadline` seconds. Raises RunError; `research` is filled in."""
        emit = self._tools.emit
        emit(
            RunStarted(
                query=self._query.text,
                engine=self.research.engine,
                session=self._saving.name,
                path=self._saving.path,
                resumed=self._pages_there() if self._continues else 0,
            )
        )
        try:
            async with asyncio.timeout(deadline), self._whole_sites():
                await self._stages()
        except TimeoutError as error:
            message = f"the deadline of {deadline:g} s is over"
            hint = "give --timeout more seconds"
            raise self._end(Stopped(message, code="deadline", hint=hint)) from error
        except asyncio.CancelledError as error:
            ended = Interrupted("interrupted", code="interrupted")
            raise self._end(ended) from error
        except RunError as error:
            raise self._end(error) from None
        else:
            self._know(outcome="completed")
            self.research = self._saving.finish(self.research)
        finally:
            self._saving.close()
        self._say_end()
        return self.research

    def _pages_there(self) -> int:
        return sum(1 for s in self._resumed.sources if s.page) if self._resumed else 0

    async def _stages(self) -> None:
        suggesting = asyncio.create_task(self._suggest())
        try:
            answer = await self._search()
            sources = await self._read(answer)
            report = await self._collate(sources, answer)
            self._know(report=report, related=await self._suggestion(suggesting))
        finally:
            suggesting.cancel()

    def _whole_sites(self) -> AbstractAsyncContextManager[None]:
        sites = self._tools.whole_sites
        return sites.collecting(self._saving.llms_full) if sites else nullcontext()

    async def _search(self) -> Answer:
        if self._resumed and self._resumed.answer.links:
            return self._resumed.answer
        with self._clock.stage("search"):
            answer = await self._tools.search(self._query, self._tools.emit)
            answer = await self._judged(answer)
        self._clock.ended("search")
        self._saving.links(answer)
        if not answer.links:
            raise NoLinks(
                "no usable link: the judge withheld all results as unsafe",
                code="withheld",
                hint="ask in other words, or leave --judge out",
            )
        return answer

    async def _judged(self, found: Answer) -> Answer:
        """What is left of the search, if it is judged. What is withheld is quoted nowhere, also
        not by a warning from before."""
        if self._tools.judge is None:
            return found
        answer = await self._tools.judge(self._query, found)
        withheld = [link for link in found.links if link.url in answer.judgement.withheld]
        quotes = [words for link in withheld for words in (link.title, link.snippet) if words]
        self._warnings = [w for w in self._warnings if not any(words in w for words in quotes)]
        return answer

    async def _read(self, answer: Answer) -> tuple[Source, ...]:
        lanes = Lanes(self._query, self._tools, self._saving, self._clock)
        try:
            earlier = self._resumed.sources if self._resumed else ()
            sources = await lanes.read(answer.links, earlier, retry=self._continues)
        finally:
            self._know(sources=lanes.sources)
        self._clock.ended("fetch")
        self._clock.ended("extract")
        if not any(source.status == "ok" for source in sources):
            raise _nothing_left(sources)
        return sources

    async def _collate(self, sources: Iterable[Source], answer: Answer) -> Report:
        from intelli.collate.invented import checked

        good = [source for source in sources if source.status == "ok"]
        with self._clock.stage("collate"):
            report = await self._tools.engine.collator.collate(self._query, good, answer.text)
            report = checked(report, self._query, good, stored_texts(good))
        self._clock.ended("collate")
        self._warnings += report.warnings
        return report

    async def _suggest(self) -> tuple[Related, ...]:
        """A model judges the likeliest; without one, or when it fails, the words decide."""
        with self._clock.stage("suggest"):
            found, window = await in_thread(self._related)
            self._know(related=found)
            if not window or self._tools.models is None:
                return found
            try:
                return await judge(self._query, window, self._tools.models)
            except (ModelError, RunError) as error:
                self._tools.emit(Warned(message=f"related research: {error.message}"))
                return found

    async def _suggestion(self, task: asyncio.Task[tuple[Related, ...]]) -> tuple[Related, ...]:
        """What is there by now; the report does not wait for a judge that is slow."""
        await asyncio.sleep(0)
        if task.done() and not task.cancelled():
            return task.result()
        return self.research.related

    def _related(self) -> tuple[tuple[Related, ...], tuple[Related, ...]]:
        """Those close by their words, and those worth a judge's look."""
        earlier = self._tools.earlier(self._query)
        window = related(self._query, earlier, WINDOW, enough=PERHAPS)
        return related(self._query, earlier), window

    def _know(self, **facts: object) -> None:
        self.research = replace(
            self.research,
            usage=self._usage,
            timing=self._clock.timing(),
            warnings=tuple(dict.fromkeys(self._warnings)),
            **facts,  # type: ignore[arg-type]
        )

    @property
    def _usage(self) -> Usage:
        """What the question has cost, in the stopped run that this one finishes as well."""
        earlier = self._resumed.usage if self._resumed else Usage()
        return earlier + self._tools.ledger.usage

    def _end(self, error: RunError) -> RunError:
        self._know(outcome=error.outcome)
        self.research = self._saving.stop(self.research)
        if self.research.session:
            at = self._tools.settings.cache_option
            command = f"intelli resume{at} {self.research.session}"
            error.hint = f"{error.hint}; finish the run with {command}" if error.hint else command
        error.research = self.research
        self._say_end()
        return error

    def _say_end(self) -> None:
        research = self.research
        self._tools.emit(
            RunEnded(
                outcome=research.outcome,
                session=research.session,
                path=research.path,
                sources=sum(source.status == "ok" for source in research.sources),
                wall_s=research.timing.wall_s,
                usd=research.usage.total.usd,
            )
        )

    def _note(self, event: Event) -> None:
        """Warnings stand in the result as well, money spent is on disk at once, and the site of a
        page that came may have more."""
        if isinstance(event, PageFetched) and self._tools.whole_sites:
            self._tools.whole_sites.want(event.url)
        elif isinstance(event, Warned):
            self._warnings.append(event.message)
        elif isinstance(event, Spent):
            self._saving.usage(self._usage)


def stored_texts(sources: Iterable[Source]) -> Mapping[int, str]:
    """The whole file of each source as it is stored, which is what evidence points into."""
    return {source.n: render_source(source.page) for source in sources if source.page}


def _nothing_left(sources: Iterable[Source]) -> RunError:
    """Why no page is left: none came, or none gave anything."""
    lost = [source for source in sources if source.failure]
    budget = next((s.failure for s in lost if s.failure and s.failure.code == "budget"), None)
    if budget:
        return Stopped(budget.reason, code="budget", hint="raise --budget")
    if any(source.page for source in lost):
        irrelevant = all(source.status == "irrelevant" for source in lost if source.page)
        reason = "none has anything on the question" if irrelevant else _reasons(lost)
        return ExtractionFailed(
            f"nothing could be extracted from {len(lost)} pages: {reason}",
            code="irrelevant" if irrelevant else "extraction-failed",
            hint="ask in other words" if irrelevant else "`intelli doctor` shows the models in use",
        )
    return FetchFailed(
        f"none of {len(lost)} pages could be fetched: {_reasons(lost)}",
        code="fetch-failed",
        hint=_fetch_hint(lost),
    )


def _fetch_hint(lost: Iterable[Source]) -> str:
    if {source.failure.code for source in lost if source.failure} == {"private-address"}:
        return "`--allow-private` permits loopback and private addresses"
    return "try again, or name pages with --url"


def _reasons(lost: Iterable[Source]) -> str:
    reasons = Counter(source.failure.reason for source in lost if source.failure)
    return "; ".join(f"{reason} ({count} ×)" for reason, count in reasons.most_common(3))
