"""What differs between two sessions: statements, pages and conflicts, one record each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from intelli.records import Conflict, record

Kind = Literal["changed", "new", "gone", "same"]
Cause = Literal["", "page-changed", "page-new", "page-gone", "wording", "unknown"]
"""Why a statement is not as it was: a page that it cites differs, came or went; or the report only
says it now, or no longer, over the same pages. `unknown` where the text of a page is missing."""

KINDS: tuple[Kind, ...] = ("changed", "new", "gone", "same")


@record
class Said:
    """A statement of one report, with the numbers of the sources that it cites there."""

    text: str
    sources: tuple[int, ...] = ()


@record
class ClaimChange:
    """`changed` has another value for the same subject: `values` are those of before and after as
    written. `same` may be worded anew."""

    kind: Kind
    before: Said | None = None
    after: Said | None = None
    cause: Cause = ""
    values: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    reworded: bool = False


@record
class PageChange:
    """A source by its address; `before` and `after` are its numbers. `known` is False where a text
    is missing, so that nothing can be said."""

    kind: Kind
    url: str
    title: str
    before: int | None = None
    after: int | None = None
    lines_added: int = 0
    lines_removed: int = 0
    known: bool = True


@record
class ConflictChange:
    """`new` appeared, `gone` is closed, `changed` has other positions."""

    kind: Kind
    conflict: Conflict


@record
class Side:
    """One of the two sessions; refs name it by `short`."""

    session: str
    short: str
    timestamp: str
    query: str


@record
class Difference:
    """All of it; unchanged things are listed as well."""

    before: Side
    after: Side
    claims: tuple[ClaimChange, ...] = ()
    pages: tuple[PageChange, ...] = ()
    conflicts: tuple[ConflictChange, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing but wording differs."""
        kinds = {each.kind for part in (self.claims, self.pages, self.conflicts) for each in part}
        return kinds <= {"same"}


def count(changes: Sequence[ClaimChange | PageChange | ConflictChange], kind: Kind) -> int:
    """How many of them are of this kind."""
    return sum(change.kind == kind for change in changes)
