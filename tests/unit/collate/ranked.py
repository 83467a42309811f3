"""Sources and reports for the tests of the embedded collator."""

from __future__ import annotations

import asyncio

from intelli.collate.by_ranking import RankingCollator
from intelli.records import Extract, Link, Page, Query, Report, Source, SourceType

LEASE = (
    "A lease gives one worker the exclusive right to run a job. It expires after 30 seconds unless"
    " the worker renews it in time."
)
CODE = '```python\nasync with queue.lease("mail") as job:\n    results[3] = await job.run()\n```'
TABLE = "| Setting | Default |\n| --- | --- |\n| `timeout` | 30 s |\n| `batch` | 1 |"
ROSES = "Roses want water twice a week, and more often when the wind is dry and the sun is high."


def source(
    n: int,
    text: str,
    kind: SourceType = "official-docs",
    *,
    title: str = "Guide to leases",
    published: str = "",
) -> Source:
    url = f"https://s{n}.example.com/"
    page = Page(link=Link(url=url), final_url=url, text=text, title=title)
    extract = Extract(page=page, text=text, source_type=kind, currency=published)
    return Source(n=n, link=page.link, status="ok", page=page, extract=extract)


def collate(question: str, *sources: Source, focus: str = "") -> Report:
    query = Query(text=question, focus=focus)
    return asyncio.run(RankingCollator().collate(query, sources, "an answer that is no source"))


def stored(*sources: Source) -> dict[int, str]:
    return {
        each.n: f"# {each.page.title}\n\n> Source: {each.page.final_url}\n\n---\n\n{each.page.text}"
        for each in sources
        if each.page
    }
