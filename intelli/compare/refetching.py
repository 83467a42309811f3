"""The pages of a session again: which are as they were, which changed, which are gone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from intelli.errors import FetchError
from intelli.events import Emit, PageFailed, PageFetched, PageStarted
from intelli.fetch.page import fetch_page
from intelli.records import Answer, Failure, Link, Page, Source, Verdict, record
from intelli.store import StoredSession
from intelli.store.layout import clean_text, source_filename
from intelli.toolbox import Toolbox

GONE = frozenset({"http-404", "http-410", "http-451", "soft-404", "empty", "not-in-docs"})
"""Codes after which a page is no longer there; after any other it may be tomorrow."""
_REACHABLE = ("http://", "https://", "file:")


@record
class Refetched:
    """The sources of a session by what became of their pages. `unchanged` are as they are stored,
    `unreachable` as well, `changed` have a new page and no extraction, `gone` a failure."""

    unchanged: tuple[Source, ...] = ()
    unreachable: tuple[Source, ...] = ()
    changed: tuple[Source, ...] = ()
    gone: tuple[Source, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the report could be another one now."""
        return bool(self.changed or self.gone)

    @property
    def groups(self) -> Mapping[str, tuple[Source, ...]]:
        """The sources by the name of their group."""
        return {
            "unchanged": self.unchanged,
            "changed": self.changed,
            "gone": self.gone,
            "unreachable": self.unreachable,
        }

    @property
    def counts(self) -> Mapping[str, int]:
        """How many pages each group has."""
        return {name: len(sources) for name, sources in self.groups.items()}


async def refetch(sources: Iterable[Source], tools: Toolbox) -> Refetched:
    """Ask for every page anew, each within the time that a page has. Raises no FetchError."""
    slots = asyncio.Semaphore(tools.settings.count("fetch.concurrency"))

    async def one(source: Source) -> tuple[str, Source]:
        if not source.link.url.startswith(_REACHABLE):
            return "unchanged", source
        async with slots:
            return await _again(source, tools)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(source)) for source in sources if source.page]
    found: dict[str, list[Source]] = {}
    for task in tasks:
        group_name, source = task.result()
        found.setdefault(group_name, []).append(source)
    return Refetched(**{name: tuple(group) for name, group in found.items()})


async def _again(source: Source, tools: Toolbox) -> tuple[str, Source]:
    tools.emit(PageStarted(n=source.n, url=source.link.url))
    try:  # a page that an earlier search found on disk is asked for where it came from
        page = await fetch_page(replace(source.link, backend=""), tools.fetching)
    except FetchError as error:
        return _lost(source, error, tools.emit)
    _say_fetched(source.n, page, tools.emit)
    if source.page and is_same(source.page, page):
        return "unchanged", source
    page = replace(page, link=source.link)
    return "changed", replace(source, status="late", page=page, extract=None, failure=None)


def is_same(old: Page, new: Page) -> bool:
    """Whether two readings of a page have the same text, as it is stored."""
    return clean_text(old.text).strip() == clean_text(new.text).strip()


def _lost(source: Source, error: FetchError, emit: Emit) -> tuple[str, Source]:
    verdict = cast("Verdict | None", error.verdict)
    failure = Failure(stage="fetch", code=error.code, reason=error.message, verdict=verdict)
    emit(
        PageFailed(
            n=source.n,
            url=source.link.url,
            stage="fetch",
            status="failed",
            code=error.code,
            reason=error.message,
        )
    )
    if error.code not in GONE or source.status not in ("ok", "late"):  # nothing rests on it
        return "unreachable", source
    return "gone", replace(source, status="failed", page=None, extract=None, failure=failure)


def _say_fetched(n: int, page: Page, emit: Emit) -> None:
    emit(
        PageFetched(
            n=n,
            url=page.final_url,
            title=page.title,
            via=page.via,
            verdict=page.verdict,
            chars=len(page.text),
            age_s=page.age_s,
        )
    )


def numbered(stored: StoredSession) -> tuple[Answer, tuple[Source, ...]]:
    """The links of a session and its sources, numbered by their places among them; what another
    program wrote without its links is numbered anew."""
    sources = tuple(source.record for source in stored.sources)
    links = stored.meta.answer.links
    sources = tuple(_settled(source) for source in sources)
    if all(s.n <= len(links) and links[s.n - 1].url == s.link.url for s in sources):
        return stored.meta.answer, sources
    renamed = tuple(
        replace(source, n=n, file=source_filename(n, source.link.url))
        for n, source in enumerate(sources, start=1)
    )
    again: tuple[Link, ...] = tuple(source.link for source in renamed)
    return Answer(links=again, backend=stored.meta.answer.backend), renamed


def _settled(source: Source) -> Source:
    """A source that a run can take over: other programs keep pages without an extraction, and lost
    ones without a reason."""
    if source.status == "ok" and source.page and not source.extract:
        return replace(source, status="late")
    if source.page or source.failure:
        return source
    failure = Failure(stage="fetch", code="not-stored", reason="its page is not stored")
    return replace(source, status="failed", failure=failure)
