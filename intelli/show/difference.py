"""What differs between two sessions, for people and as a document."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from intelli.changes import (
    KINDS,
    Cause,
    ClaimChange,
    ConflictChange,
    Difference,
    PageChange,
    Said,
    Side,
    count,
)
from intelli.show.documents import conflict_body
from intelli.show.listing import pack
from intelli.show.text import clean, counted, line

WIDTH = 79
QUOTED = 300
"""Characters of a statement that are shown; `--json` has all of it."""
SIGNS = {"changed": "~", "new": "+", "gone": "-", "same": "="}
_TITLES = {"changed": "Changed", "new": "New", "gone": "Gone"}
_CONFLICTS = {"new": "appeared", "gone": "closed", "changed": "changed"}
_PAGES = {"new": "added", "gone": "removed", "changed": "changed"}
_CAUSES: dict[Cause, str] = {
    "": "",
    "page-changed": "the page changed",
    "page-new": "from a page that is new",
    "page-gone": "its page is gone",
    "wording": "the pages did not change",
    "unknown": "a page is not stored",
}


def difference_text(
    found: Difference, max_chars: int, again: Callable[[int], str], at: str = ""
) -> str:
    """Totals, then each change as one record; the last line is the command that goes on, with
    `at` among its options."""
    records = [_head(found), *_claims(found), *_conflicts(found), *_pages(found)]
    return pack(records, f"{_next(found, at)}\n", max_chars, again)


def changes_line(found: Difference) -> str:
    """One line: `since 2026-04-19: 2 statements changed (32 → 64), 1 new; 1 page changed`."""
    since = f"since {found.before.timestamp[:16].replace('T', ' ')}"
    if found.is_empty:
        return f"nothing changed {since}"
    values = next((c.values for c in found.claims if all(c.values)), None)
    example = f" ({line(values[0][0], 40)} → {line(values[1][0], 40)})" if values else ""
    parts: list[str] = []
    for kind in ("changed", "new", "gone"):
        if number := count(found.claims, kind):
            noun = "" if parts else (" statement" if number == 1 else " statements")
            parts.append(f"{number}{noun} {kind}{example if kind == 'changed' else ''}")
    return f"{since}: " + "; ".join(part for part in (", ".join(parts), *_counts(found)) if part)


def _counts(found: Difference) -> Iterator[str]:
    for noun, changes, words in (
        ("page", found.pages, _PAGES),
        ("conflict", found.conflicts, _CONFLICTS),
    ):
        parts = [
            f"{counted(number, noun)} {word}"
            for kind, word in words.items()
            if (number := count(changes, kind))  # type: ignore[arg-type]
        ]
        if parts:
            yield ", ".join(parts)


def _head(found: Difference) -> str:
    same = count(found.claims, "same")
    totals = f"{changes_line(found)}; {counted(same, 'statement')} the same."
    totals = totals[0].upper() + totals[1:]
    return "\n".join(
        [
            f"# {line(found.after.query, 200)}",
            "",
            _wrapped(f"{_named(found.before)} → {_named(found.after)}", "> "),
            "",
            _wrapped(totals, ""),
            "",
        ]
    )


def _named(side: Side) -> str:
    return f"{side.session} ({side.timestamp[:16].replace('T', ' ')})"


def _claims(found: Difference) -> Iterator[str]:
    for kind, title in _TITLES.items():
        changes = [change for change in found.claims if change.kind == kind]
        for n, change in enumerate(changes):
            yield (f"## {title}\n\n" if not n else "") + _claim(change)


def _claim(change: ClaimChange) -> str:
    reason = f" ({_CAUSES[change.cause]})" if change.cause else ""
    sign = f"{SIGNS[change.kind]} "
    said = change.after or change.before
    assert said is not None
    if change.kind != "changed" or change.before is None:
        return _wrapped(f"{line(said.text, QUOTED)}{reason}", sign, "  ") + "\n"
    before, after = (line(", ".join(values), 150) or "nothing" for values in change.values)
    head = _wrapped(f"{before} → {after}{reason}", sign, "  ")
    was = _wrapped(f"was: {line(change.before.text, QUOTED)}", "  ", "    ")
    return f"{head}\n{was}\n{_wrapped(f'now: {line(said.text, QUOTED)}', '  ', '    ')}\n"


def _conflicts(found: Difference) -> Iterator[str]:
    changes = [change for change in found.conflicts if change.kind != "same"]
    for n, change in enumerate(changes):
        yield ("## Conflicts\n\n" if not n else "") + _conflict(change)


def _conflict(change: ConflictChange) -> str:
    sides = "; ".join(line(p.statement, 120) for p in change.conflict.positions)
    topic = line(change.conflict.topic, 80)
    words = f"{_CONFLICTS[change.kind]}: {topic}: {sides}"
    return _wrapped(words, f"{SIGNS[change.kind]} ", "  ") + "\n"


def _pages(found: Difference) -> Iterator[str]:
    changes = [change for change in found.pages if change.kind != "same"]
    for n, change in enumerate(changes):
        yield ("## Pages\n\n" if not n else "") + _page(change, found)


def _page(change: PageChange, found: Difference) -> str:
    lines = f" (+{change.lines_added} -{change.lines_removed} lines)"
    size = lines if change.kind == "changed" else ""
    ref = _ref(found.after, change.after) or _ref(found.before, change.before)
    words = f"{_PAGES[change.kind]}{size}: {line(change.title, 80)} ({ref})"
    return f"{_wrapped(words, f'{SIGNS[change.kind]} ', '  ')}\n  {line(change.url)}\n"


def _ref(side: Side, n: int | None) -> str:
    return f"{side.short}:{n}" if n else ""


def _wrapped(text: str, first: str, following: str | None = None) -> str:
    return textwrap.fill(
        clean(text),
        WIDTH,
        initial_indent=first,
        subsequent_indent=first if following is None else following,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _command(found: Difference, at: str) -> str:
    names = (shlex.quote(line(side.short)) for side in (found.before, found.after))
    return f"intelli diff{at} {' '.join(names)}"


def _next(found: Difference, at: str) -> str:
    """Where the first change can be read, else the later report."""
    for change in found.claims:
        if change.kind in ("changed", "new") and change.after and change.after.sources:
            ref = shlex.quote(line(_ref(found.after, change.after.sources[0])))
            value = change.values[1][0] if change.values[1] and change.kind == "changed" else ""
            findable = value and value.isprintable() and value != "not"
            find = f" --find {shlex.quote(value)}" if findable else ""
            return f"intelli read{at} {ref}{find}"
    return f"intelli show{at} {shlex.quote(line(found.after.short))}"


def replay_text(session: str, difference: Sequence[str], max_chars: int) -> str:
    """That a replay gave the same report, or where it did not."""
    if not difference:
        return f"identical: the report of {session} comes out of its stored pages byte for byte\n"
    records = [f"the report of {session} comes out differently:\n"]
    records += [clean(each) for each in difference]
    return pack(records, f"\nintelli show {session}\n", max_chars)


# --- documents ----------------------------------------------------------------------------------


def difference_body(found: Difference, at: str = "") -> dict[str, Any]:
    """The document of `diff --json` without its envelope; nothing is cut."""
    return {
        "before": _side_body(found.before),
        "after": _side_body(found.after),
        "changed": not found.is_empty,
        "summary": changes_line(found),
        "totals": totals_body(found),
        "claims": [_claim_body(change, found) for change in found.claims],
        "sources": [_page_body(change, found) for change in found.pages],
        "conflicts": [
            {"change": change.kind, **conflict_body(change.conflict)} for change in found.conflicts
        ],
        "next": _next(found, at),
    }


def changes_body(found: Difference, at: str = "") -> dict[str, Any]:
    """What a run says of the earlier one of its question."""
    return {
        "since": found.before.timestamp,
        "session": found.before.session,
        "summary": changes_line(found),
        **totals_body(found),
        "next": _command(found, at),
    }


def totals_body(found: Difference) -> dict[str, Any]:
    """Numbers by kind, for statements, sources and conflicts."""
    return {
        "claims": {kind: count(found.claims, kind) for kind in KINDS},
        "sources": {kind: count(found.pages, kind) for kind in KINDS},
        "conflicts": {kind: count(found.conflicts, kind) for kind in KINDS},
    }


def _side_body(side: Side) -> dict[str, str]:
    return {"session": side.session, "timestamp": side.timestamp, "query": side.query}


def _claim_body(change: ClaimChange, found: Difference) -> dict[str, Any]:
    return {
        "change": change.kind,
        "cause": change.cause or None,
        "reworded": change.reworded,
        "before": _said_body(change.before, found.before),
        "after": _said_body(change.after, found.after),
        "values": {"before": list(change.values[0]), "after": list(change.values[1])},
    }


def _said_body(said: Said | None, side: Side) -> dict[str, Any] | None:
    if said is None:
        return None
    refs = [_ref(side, n) for n in said.sources]
    return {"text": said.text, "sources": list(said.sources), "refs": refs}


def _page_body(change: PageChange, found: Difference) -> dict[str, Any]:
    return {
        "change": change.kind,
        "known": change.known,
        "url": change.url,
        "title": change.title,
        "before": _ref(found.before, change.before) or None,
        "after": _ref(found.after, change.after) or None,
        "lines_added": change.lines_added,
        "lines_removed": change.lines_removed,
    }
