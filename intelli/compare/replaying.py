"""A session computed again from what it has stored: no network, no model, no clock."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import replace

from intelli.collate.by_ranking import RankingCollator
from intelli.collate.invented import checked
from intelli.errors import UsageError
from intelli.extract.by_ranking import RankingExtractor
from intelli.records import Report, Research, Source, record
from intelli.report_text import whole
from intelli.store import StoredSession, load_research
from intelli.store.layout import EVIDENCE, META, clean_text

_CONTEXT = 1


@record
class Replay:
    """What came of a replay; `difference` are the lines of a unified diff, stored to replayed."""

    research: Research
    text: str
    difference: tuple[str, ...] = ()

    @property
    def identical(self) -> bool:
        return not self.difference


async def replay(stored: StoredSession) -> Replay:
    """The report of a finished session again. The local engine extracts and collates anew from the
    stored pages; of a model the stored extractions and its stored reply are read again. The stored
    time, related sessions and fates of pages are taken over.

    Raises UsageError naming what a session lacks for that, CollationFailed.
    """
    check_replayable(stored)
    research = load_research(stored)
    by_model = stored.engine == "llm"
    found = research.sources
    sources = _read_again(found) if by_model else await _extracted(stored, found)
    good = [source for source in sources if source.status == "ok"]
    report = (
        _replied(stored)
        if by_model
        else await RankingCollator().collate(stored.query, good, stored.meta.answer.text)
    )
    report = checked(report, stored.query, good, stored.texts())
    again = replace(
        research,
        sources=sources,
        report=report,
        warnings=_warnings(research.warnings, stored.answer.warnings, report.warnings),
    )
    text = clean_text(whole(again))
    return Replay(research=again, text=text, difference=_difference(stored.report, text))


def check_replayable(stored: StoredSession) -> None:
    """Raises UsageError naming what is missing."""
    missing = _missing(stored)
    if missing:
        raise UsageError(
            f"{stored.name} cannot be replayed: {missing}",
            code="not-replayable",
            hint=f"`intelli refresh {stored.name}` reads its pages again",
        )


def _missing(stored: StoredSession) -> str:
    if not stored.report:
        return f"it has no report, its run ended as `{stored.outcome}`"
    if stored.engine is None or not stored.meta.entries:
        return f"{META} does not say which engine made it of which sources"
    if not (stored.path / EVIDENCE).is_file():
        return f"it has no {EVIDENCE}"
    for source in stored.sources:
        if source.status == "ok" and not source.text:
            return f"the page of source {source.n} is not stored"
        if source.status == "ok" and not source.extraction:
            return f"the extraction of source {source.n} is not stored"
    return ""


async def _extracted(stored: StoredSession, sources: Iterable[Source]) -> tuple[Source, ...]:
    extractor = RankingExtractor()

    async def again(source: Source) -> Source:
        if source.status not in ("ok", "irrelevant") or source.page is None:
            return source
        extract = await extractor.extract(source.page, stored.query)
        if not extract.text:
            return replace(source, status="irrelevant")
        return replace(source, status="ok", extract=extract)

    return tuple([await again(source) for source in sources])


def _read_again(sources: Iterable[Source]) -> tuple[Source, ...]:
    """What models wrote about the pages, read again; where it was kept as it is that is stored."""
    from intelli.extract.by_model import read_notes

    def again(source: Source) -> Source:
        extract = source.extract
        if source.status != "ok" or extract is None or not extract.reply:
            return source
        return replace(source, extract=read_notes(extract.reply, extract.page)[0])

    return tuple(map(again, sources))


def _replied(stored: StoredSession) -> Report:
    """What the model wrote, read again; of a session without that what was read out of it."""
    answer = stored.answer
    if not answer.reply:
        return answer
    from intelli.collate.by_model import read_report

    return read_report(answer.reply, cut_off=answer.cut_off)


def _warnings(
    known: tuple[str, ...], before: tuple[str, ...], after: tuple[str, ...]
) -> tuple[str, ...]:
    """The warnings of the run with those of its collation exchanged where they differ."""
    if before == after:
        return known
    return (*(warning for warning in known if warning not in before), *after)


def _difference(stored: str, replayed: str) -> tuple[str, ...]:
    if stored == replayed:
        return ()
    lines = difflib.unified_diff(
        stored.splitlines(), replayed.splitlines(), "stored", "replayed", lineterm="", n=_CONTEXT
    )
    return tuple(lines) or ("only line ends differ",)
