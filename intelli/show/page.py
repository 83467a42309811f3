"""A finished session as one HTML file: each citation opens the stored passage it rests on.

Nothing in it runs or loads: no script, no picture, no style from elsewhere, and a policy that says
so to the browser. What came from pages is escaped, whatever it holds.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from intelli.records import Claim, Conflict, Research, Source
from intelli.report_text import FLAG_WORDS, FLAGGED, totals_line
from intelli.show.page_markdown import Citations, is_http
from intelli.show.page_passages import anchor, passages
from intelli.show.text import clean, counted, line, moment, money

_STYLE = Path(__file__).with_name("page.css")


def page(research: Research, texts: Mapping[int, str]) -> str:
    """The whole document. `texts` are the stored files of the sources by number: evidence points
    into them, and they stand at the end in full."""
    style = _STYLE.read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    title = escape(line(research.query.text, 200))
    body = "\n".join(_sections(research, texts))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{title}</h1>\n{_facts(_of_the_run(research))}\n{_checked(research.report.claims)}"
        f"{body}\n</main>\n</body>\n</html>\n"
    )


def _of_the_run(research: Research) -> Iterator[str]:
    yield moment(research.timestamp)
    yield f"engine {research.engine}"
    if research.query.focus:
        yield f"focus: {line(research.query.focus)}"
    if research.engine == "llm":
        yield money(research.usage.total.usd)


def _checked(claims: Sequence[Claim]) -> str:
    """How far the report can be trusted, before it is read."""
    if not claims:
        return ""
    flagged = sum(claim.status in FLAGGED for claim in claims)
    verdict = f'<strong class="wrong">{flagged} flagged</strong>' if flagged else "none flagged"
    words = f"{counted(len(claims), 'statement')} checked, {verdict}"
    return f'<p class="facts"><a href="#verification">{words}</a></p>\n'


def _sections(research: Research, texts: Mapping[int, str]) -> Iterator[str]:
    report = research.report
    citations = Citations(report.claims, frozenset(texts))
    yield _section("Summary", citations.render(report.summary))
    yield _list("Conflicts", (_conflict(conflict, texts) for conflict in report.conflicts))
    yield _verification(report.claims)
    yield _list("Sources", (_source(s, texts) for s in research.sources if s.status == "ok"))
    yield _list("Not used", (_unused(s) for s in research.sources if s.status != "ok"))
    yield _list("Warnings", (escape(line(warning)) for warning in research.warnings))
    related = (f"{escape(line(r.query))} — {escape(line(r.why))}" for r in research.related)
    yield _list("Related research", related)
    if report.assessment:
        yield _section("Source assessment", citations.render(report.assessment, flags=False))
    yield _stored(research.sources, report.claims, texts)


def _section(title: str, body: str) -> str:
    name = title.lower().replace(" ", "-")
    return f'<section id="{name}">\n<h2>{title}</h2>\n{body}\n</section>' if body else ""


def _list(title: str, items: Iterable[str]) -> str:
    listed = "\n".join(f"<li>{item}</li>" for item in items)
    return _section(title, f"<ul>\n{listed}\n</ul>" if listed else "")


def _facts(facts: Iterable[str]) -> str:
    return f'<p class="facts">{" · ".join(escape(clean(fact)) for fact in facts if fact)}</p>'


def _conflict(conflict: Conflict, texts: Mapping[int, str]) -> str:
    reason = escape(line(conflict.reason or "higher authority"))
    sides = [
        f"{_marks(side.sources, texts)} {escape(line(side.statement))}"
        + (f" <em>({reason})</em>" if n == conflict.preferred else "")
        for n, side in enumerate(conflict.positions)
    ]
    return f"<strong>{escape(line(conflict.topic))}</strong>: {'; '.join(sides)}"


def _verification(claims: Sequence[Claim]) -> str:
    if not claims:
        return ""
    flagged = "\n".join(
        _flagged(n, claim) for n, claim in enumerate(claims) if claim.status in FLAGGED
    )
    body = f"<p>{escape(totals_line(claims))}</p>"
    return _section("Verification", body + (f"\n<ul>\n{flagged}\n</ul>" if flagged else ""))


def _flagged(number: int, claim: Claim) -> str:
    missing = ", ".join(f"<code>{escape(line(detail, 80))}</code>" for detail in claim.missing[:8])
    why = f" — {FLAG_WORDS[claim.status]}: {missing}" if missing else ""
    quote = escape(line(claim.text, 300))
    status = f'<a class="flag" href="#b{number}">! {claim.status}</a>'
    return f'<li id="f{number}">{status} “{quote}”{why}</li>'


def _source(source: Source, texts: Mapping[int, str]) -> str:
    read, extract = source.page, source.extract
    title = (read.title if read else "") or source.link.title or source.link.url
    facts = [extract.source_type if extract else "", (read.published if read else None) or ""]
    shown = " · ".join(escape(clean(fact)) for fact in facts if fact)
    url = read.final_url if read else source.link.url
    return f"{_marks((source.n,), texts)} {_link(url, title)}" + (f" — {shown}" if shown else "")


def _unused(source: Source) -> str:
    reason = source.failure.reason if source.failure else ""
    why = f": {escape(line(reason))}" if reason else ""
    return f"[{source.n}] {_link(source.link.url, source.link.url)} — {source.status}{why}"


def _marks(numbers: Iterable[int], texts: Mapping[int, str]) -> str:
    return "".join(
        f'<a class="mark" href="#s{n}">[{n}]</a>' if n in texts else f"[{n}]" for n in numbers
    )


def _link(url: str, title: str) -> str:
    shown = escape(line(title, 200))
    if not is_http(url):
        return f"{shown} <code>{escape(line(url))}</code>" if title != url else shown
    return f'<a href="{escape(clean(url))}" rel="noopener noreferrer nofollow">{shown}</a>'


def _stored(sources: Iterable[Source], claims: Sequence[Claim], texts: Mapping[int, str]) -> str:
    found = [
        _passage(source, passages(texts[source.n], _spans(source.n, claims)))
        for source in sources
        if source.n in texts
    ]
    return _section("Stored sources", "\n".join(found))


def _spans(n: int, claims: Sequence[Claim]) -> list[tuple[int, int, str]]:
    """(start, end, anchor) of everything in source `n` that a claim rests on."""
    return [
        (e.start, e.end, anchor(number, n))
        for number, claim in enumerate(claims)
        for e in claim.evidence
        if e.source == n
    ]


def _passage(source: Source, marked: str) -> str:
    title = (source.page.title if source.page else "") or source.link.url
    url = source.page.final_url if source.page else source.link.url
    fetched = f" · {escape(moment(source.page.fetched))}" if source.page else ""
    return (
        f'<details id="s{source.n}">\n<summary>[{source.n}] {escape(line(title, 200))}</summary>\n'
        f'<p class="facts">{_link(url, url)}{fetched}</p>\n'
        f"<pre>{marked}</pre>\n</details>"
    )
