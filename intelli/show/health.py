"""What `intelli doctor` found, for a terminal, a pipe or a script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Literal

from intelli.records import record
from intelli.show.text import line

Group = Literal["works", "adds", "problem"]
HEADINGS: dict[Group, str] = {
    "works": "Works now",
    "adds": "Would add something",
    "problem": "Needs a look",
}

LEAST_ROOM = 24
"""Characters; with less beside the names, what is said of them goes below."""


@record
class Check:
    """One thing that was looked at; `fix` is what to do where something is wrong or missing."""

    group: Group
    name: str
    message: str
    fix: str = ""


def health_text(checks: Iterable[Check], width: int = 0) -> str:
    """A heading and a line each; lines are folded under themselves at `width`, never where it is 0,
    so that a pipe has one line for one thing."""
    checks = list(checks)
    groups = [group for group in HEADINGS if any(check.group == group for check in checks)]
    return "\n".join(
        f"{HEADINGS[group]}\n" + "".join(_lines([c for c in checks if c.group == group], width))
        for group in groups
    )


def _lines(checks: list[Check], width: int) -> Iterator[str]:
    indent = max(len(check.name) for check in checks) + 4
    is_narrow = 0 < width < indent + LEAST_ROOM
    for check in checks:
        mark = "!" if check.group == "problem" else " "
        said = f"{line(check.message)} — {line(check.fix)}" if check.fix else line(check.message)
        start = 4 if is_narrow else indent
        room = width - start
        folded = (
            wrap(said, room, break_long_words=False, break_on_hyphens=False) if room > 0 else [said]
        )
        name = f"{mark} {check.name}\n    " if is_narrow else f"{mark} {check.name:<{indent - 2}}"
        yield name + f"\n{' ' * start}".join(folded) + "\n"


def health_body(checks: Iterable[Check]) -> list[dict[str, object]]:
    """The same for a document; `ok` is false for what needs a look."""
    return [
        {
            "name": check.name,
            "ok": check.group != "problem",
            "group": check.group,
            "message": check.message,
            "hint": check.fix,
        }
        for check in checks
    ]
