"""The JSON documents of the contract; every one has `schema`, `outcome` and `error`."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from intelli.errors import IntelliError, RunError
from intelli.records import (
    CLAIM_STATUSES,
    Answer,
    Candidate,
    Claim,
    Conflict,
    Extract,
    Link,
    Page,
    Related,
    Research,
    Source,
    Spend,
    Timing,
    Usage,
)

SCHEMA = 1
Document = dict[str, Any]


def dump(document: Mapping[str, Any], *, ascii_only: bool = False, indent: int | None = 2) -> str:
    """One document as text; lone surrogates of odd input never break the output."""
    text = json.dumps(_finite(document), ensure_ascii=ascii_only, indent=indent, allow_nan=False)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def _finite(value: Any) -> Any:
    """JSON has no infinity; a damaged file of ours may."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list | tuple) else value


def envelope(outcome: str, error: IntelliError | None = None, **body: object) -> Document:
    """The document around `body`, which is what is known even when there is an error."""
    return {"schema": SCHEMA, "outcome": outcome, **body, "error": error_body(error)}


def error_body(error: IntelliError | None) -> Document | None:
    if error is None:
        return None
    return {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "retryable": error.retryable,
    }


def outcome_of(error: IntelliError) -> str:
    return error.outcome if isinstance(error, RunError) else "error"


def research_document(
    research: Research, short: str, error: IntelliError | None = None
) -> Document:
    """`research --json` and `show --json`; refs name the session by `short`."""
    return envelope(
        research.outcome,
        error,
        query=research.query.text,
        focus=research.query.focus,
        engine=research.engine,
        session=research.session,
        path=research.path,
        summary=research.report.summary,
        sources=[source_body(source, short) for source in research.sources],
        claims=[claim_body(claim) for claim in research.report.claims],
        conflicts=[conflict_body(conflict) for conflict in research.report.conflicts],
        related=[related_body(related) for related in research.related],
        usage=usage_body(research.usage),
        timing=timing_body(research.timing),
        warnings=list(research.warnings),
    )


def batch_document(
    line: int, query: str, research: Research | None, error: IntelliError | None
) -> Document:
    """A line of `batch`: the document of the run, as far as there was one, and its line number."""
    if research is None:
        outcome = outcome_of(error) if error else "error"
        return {**envelope(outcome, error, query=query), "line": line}
    return {**research_document(research, research.session, error), "line": line}


def source_body(source: Source, short: str) -> Document:
    """One source; without a stored session there are no refs and no paths."""
    page, extract, failure = source.page, source.extract, source.failure
    name = source.file if short else None
    return {
        "n": source.n,
        "ref": f"{short}:{source.n}" if short else "",
        "url": page.final_url if page else source.link.url,
        "title": (page.title if page else "") or source.link.title,
        "type": extract.source_type if extract else None,
        "published": (page.published if page else None) or source.link.published,
        "fetched": page.fetched if page else None,
        "status": source.status,
        "verdict": page.verdict if page else (failure.verdict if failure else None),
        "error": failure.code if failure else None,
        "via": page.via if page else None,
        "score": page.score if page else None,
        "chars": len(page.text) if page else 0,
        "extraction_chars": len(extract.text) if extract else 0,
        "source_path": f"sources/{name}" if name and page else None,
        "extraction_path": f"extractions/{name}" if name and extract else None,
    }


def claim_body(claim: Claim, *, places: bool = False) -> Document:
    body: Document = {
        "text": claim.text,
        "sources": list(claim.sources),
        "status": claim.status,
        "missing": list(claim.missing),
        "evidence": [{"source": e.source, "start": e.start, "end": e.end} for e in claim.evidence],
    }
    if places:
        body |= {"start": claim.start, "end": claim.end, "item": claim.item}
    return body


def conflict_body(conflict: Conflict) -> Document:
    return {
        "topic": conflict.topic,
        "kind": conflict.kind,
        "positions": [
            {"statement": p.statement, "sources": list(p.sources)} for p in conflict.positions
        ],
        "preferred": conflict.preferred,
        "reason": conflict.reason,
    }


def related_body(related: Related) -> Document:
    return {
        "session": related.session,
        "query": related.query,
        "timestamp": related.timestamp,
        "why": related.why,
    }


def spend_body(spend: Spend) -> Document:
    usd = None if spend.usd is None else round(spend.usd, 6)
    tokens = {"input_tokens": spend.input_tokens, "output_tokens": spend.output_tokens}
    return {"usd": usd, **tokens}


def usage_body(usage: Usage) -> Document:
    roles = {
        role: {"calls": spend.calls, **spend_body(spend)} for role, spend in usage.by_role.items()
    }
    saved = {"usd": spend_body(usage.saved)["usd"], "calls": usage.saved.calls}
    return {**spend_body(usage.total), "by_role": roles, "saved": saved}


def timing_body(timing: Timing) -> Document:
    return {"wall_s": timing.wall_s, "stages": dict(timing.stages)}


def search_document(
    groups: Sequence[tuple[str, Answer | None, Sequence[str]]],
    ranked: Sequence[Link],
    error: IntelliError | None = None,
) -> Document:
    """`search --json`: (query, answer, warnings) for each query in the order asked, and the pages
    to read, the best of all queries first."""
    bodies = [
        {
            "query": query,
            "answer": (answer.text or None) if answer else None,
            "results": [link_body(link) for link in answer.links] if answer else [],
            "warnings": list(warnings),
        }
        for query, answer, warnings in groups
    ]
    outcome = outcome_of(error) if error else "completed"
    return envelope(outcome, error, groups=bodies, urls=[link.url for link in ranked])


def link_body(link: Link) -> Document:
    body: Document = {
        "rank": link.rank,
        "url": link.url,
        "title": link.title,
        "snippet": link.snippet,
        "backend": link.backend,
    }
    known = {
        "published": link.published,
        "authors": list(link.authors) or None,
        "points": link.points,
        "comments": link.comments,
        "ref": link.ref or None,
    }
    return body | {key: value for key, value in known.items() if value is not None}


def page_body(url: str, page: Page | None, error: IntelliError | None) -> Document:
    """One entry of `fetch --json`."""
    verdict = page.verdict if page else getattr(error, "verdict", None)
    return {
        "url": url,
        "final_url": page.final_url if page else None,
        "title": page.title if page else None,
        "markdown": f"# {page.title}\n\n{page.text}" if page else _notice(error),
        "via": page.via if page else None,
        "verdict": verdict,
        "status": "ok" if page else ("blocked" if verdict in ("challenge", "login") else "failed"),
        "score": page.score if page else None,
        "candidates": [candidate_body(c) for c in page.candidates] if page else [],
        "tried": list(page.tried if page else getattr(error, "tried", ())),
        "published": page.published if page else None,
        "modified": page.modified if page else None,
        "author": page.author or None if page else None,
        "fetched": page.fetched if page else None,
        "error": error.code if error else None,
        "message": error.message if error else None,
    }


def _notice(error: IntelliError | None) -> str | None:
    """A PDF that cannot be read says why in place of its text."""
    return error.message if error and error.code.startswith("pdf-") else None


def candidate_body(candidate: Candidate) -> Document:
    return {
        "via": candidate.via,
        "score": candidate.score,
        "chars": len(candidate.text),
        "reasons": dict(candidate.reasons),
    }


def extraction_body(source: str, extract: Extract | None, error: IntelliError | None) -> Document:
    """One entry of `extract --json`."""
    return {
        "source": source,
        "title": extract.page.title if extract else None,
        "type": extract.source_type if extract else None,
        "text": extract.text if extract else None,
        "spans": [list(span) for span in extract.spans] if extract else [],
        "error": error.code if error else None,
        "message": error.message if error else None,
    }


def claims_document(claims: Iterable[Claim], error: IntelliError | None = None) -> Document:
    """`verify --json` and `check --json`."""
    claims = tuple(claims)
    counts = Counter(claim.status for claim in claims)
    return envelope(
        outcome_of(error) if error else "completed",
        error,
        claims=[claim_body(claim, places=True) for claim in claims],
        totals={status: counts[status] for status in CLAIM_STATUSES},
    )


def session_body(name: str, query: str, timestamp: str, **facts: object) -> Document:
    """One entry of `list --json`."""
    return {"session": name, "query": query, "timestamp": timestamp, **facts}
