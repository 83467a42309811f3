"""Two stored sessions side by side: statements, pages and conflicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from intelli.changes import (
    Cause,
    ClaimChange,
    ConflictChange,
    Difference,
    Kind,
    PageChange,
    Said,
    Side,
)
from intelli.collate.words import keys_of
from intelli.compare.statements import Match, Print, matches, prints_of
from intelli.net import urls
from intelli.records import Conflict
from intelli.store import StoredSession, StoredSource
from intelli.text.folding import fold_plain

_SAME_CONFLICT = 0.5
_CAUSES: dict[str, Cause] = {"changed": "page-changed", "new": "page-new", "gone": "page-gone"}
_STRONGEST: tuple[Cause, ...] = ("page-changed", "page-new", "page-gone", "unknown")


def difference(
    before: StoredSession, after: StoredSession, short: Mapping[str, str] | None = None
) -> Difference:
    """What the later session has that the earlier one has not, and the other way round.

    Sources are matched by address and statements by their words, so neither the order nor the
    numbers matter. `short` says what refs call a session.
    """
    names = short or {}
    pages = _pages(before, after)
    causes = {urls.key(page.url): _cause(page) for page in pages}
    return Difference(
        before=_side(before, names),
        after=_side(after, names),
        claims=_claims(before, after, causes),
        pages=pages,
        conflicts=_conflicts(before.answer.conflicts, after.answer.conflicts),
    )


def _side(session: StoredSession, names: Mapping[str, str]) -> Side:
    name = session.name
    return Side(
        session=name,
        short=names.get(name, name),
        timestamp=session.timestamp,
        query=session.query.text,
    )


# --- pages --------------------------------------------------------------------------------------


def _used(session: StoredSession) -> dict[str, StoredSource]:
    """The sources of the report by address."""
    used = [source for source in session.sources if source.status == "ok"]
    return {urls.key(source.url): source for source in used}


def _pages(before: StoredSession, after: StoredSession) -> tuple[PageChange, ...]:
    """In the order of the later session, then what it no longer has."""
    old, new = _used(before), _used(after)
    both = [_page(key, old.get(key), source) for key, source in new.items()]
    return (*both, *(_page(key, old[key], None) for key in old if key not in new))


def _page(key: str, old: StoredSource | None, new: StoredSource | None) -> PageChange:
    shown = new or old
    assert shown is not None
    facts = PageChange(
        kind="same",
        url=shown.url,
        title=shown.title or shown.url,
        before=old.n if old else None,
        after=new.n if new else None,
    )
    if old is None or new is None:
        return _with(facts, "new" if old is None else "gone")
    before, after = text_of(old), text_of(new)
    if not before or not after:
        return _with(facts, "same", known=False)
    if before == after:
        return facts
    lines, now = Counter(before.splitlines()), Counter(after.splitlines())
    added, removed = now - lines, lines - now
    return _with(facts, "changed", added=added.total(), removed=removed.total())


def _with(
    page: PageChange, kind: Kind, *, known: bool = True, added: int = 0, removed: int = 0
) -> PageChange:
    return replace(page, kind=kind, known=known, lines_added=added, lines_removed=removed)


def text_of(source: StoredSource) -> str:
    """The text of the page without its header, which tells when it was fetched."""
    page = source.record.page
    return page.text.strip() if page else ""


# --- statements ---------------------------------------------------------------------------------


def _claims(
    before: StoredSession, after: StoredSession, causes: Mapping[str, Cause]
) -> tuple[ClaimChange, ...]:
    """In the order of the later report, then what it no longer says."""
    old = prints_of(before.answer.summary, _addresses(before))
    new = prints_of(after.answer.summary, _addresses(after))
    found = matches(old, new)
    of_new = {match.after: match for match in found}
    kept = {match.before for match in found}
    changes = [
        _both(old[of_new[j].before], each, of_new[j], causes)
        if j in of_new
        else ClaimChange(kind="new", after=_said(each), cause=_why(each.urls, causes))
        for j, each in enumerate(new)
    ]
    gone = [
        ClaimChange(kind="gone", before=_said(each), cause=_why(each.urls, causes))
        for i, each in enumerate(old)
        if i not in kept
    ]
    return (*changes, *gone)


def _addresses(session: StoredSession) -> dict[int, str]:
    return {source.n: urls.key(source.url) for source in session.sources}


def _both(old: Print, new: Print, match: Match, causes: Mapping[str, Cause]) -> ClaimChange:
    return ClaimChange(
        kind="changed" if match.changed else "same",
        before=_said(old),
        after=_said(new),
        cause=_why(old.urls | new.urls, causes) if match.changed else "",
        values=match.values,
        reworded=match.reworded,
    )


def _said(each: Print) -> Said:
    return Said(text=each.statement.text, sources=each.statement.marks)


def _cause(page: PageChange) -> Cause:
    return _CAUSES.get(page.kind, "" if page.known else "unknown")


def _why(cited: Iterable[str], causes: Mapping[str, Cause]) -> Cause:
    """The page that accounts for it, if one does; else only the wording of the report. Of what
    cites nothing nobody knows."""
    found = {causes.get(url, "") for url in cited}
    wording: Cause = "wording" if found else ""
    return next((cause for cause in _STRONGEST if cause in found), wording)


# --- conflicts ----------------------------------------------------------------------------------


def _conflicts(before: Sequence[Conflict], after: Sequence[Conflict]) -> tuple[ConflictChange, ...]:
    left = list(before)
    changes: list[ConflictChange] = []
    for conflict in after:
        best = max(left, key=lambda other: _alike(conflict, other), default=None)
        if best is None or _alike(conflict, best) < _SAME_CONFLICT:
            changes.append(ConflictChange(kind="new", conflict=conflict))
            continue
        left.remove(best)
        same = _positions(best) == _positions(conflict)
        changes.append(ConflictChange(kind="same" if same else "changed", conflict=conflict))
    return (*changes, *(ConflictChange(kind="gone", conflict=each) for each in left))


def _alike(one: Conflict, other: Conflict) -> float:
    a, b = _words(one), _words(other)
    return 2 * (a & b).total() / max(1, (a.total() + b.total()))


def _words(conflict: Conflict) -> Counter[str]:
    sides = sorted(position.statement for position in conflict.positions)
    text = " ".join((conflict.topic, conflict.topic, *sides))
    return Counter(key for key in keys_of(fold_plain(text[:4000]).lower()) if not key[0].isdigit())


def _positions(conflict: Conflict) -> frozenset[tuple[str, ...]]:
    return frozenset(
        tuple(keys_of(fold_plain(position.statement[:4000]).lower()))
        for position in conflict.positions
    )
