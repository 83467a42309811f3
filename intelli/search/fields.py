"""Values out of the JSON of services, whose types are never to be trusted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from intelli.errors import BackendError
from intelli.net import urls
from intelli.records import Answer, Link
from intelli.search.refusals import RefusedError, is_refusal, patience, said, seconds
from intelli.text.snippets import cut, one_line, untagged

Row = Mapping[str, Any]

SNIPPET = 500
"""Characters of a snippet."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_SPELLED = re.compile(
    r"(?:[A-Za-z]{3,9}, )?(?:(\d{1,2}) ([A-Za-z]{3,9})|([A-Za-z]{3,9}) (\d{1,2}),?) (\d{4})\b"
)
_LARGEST = 10**15


def rows(data: Row, name: str) -> list[Row]:
    """The objects in the list `name`. Raises what the service says in place of a list:
    RefusedError `rate-limit` for a quota, else BackendError `refused` or `layout-changed`."""
    if not isinstance(data.get(name), list):
        raise objection(data)
    return listed(data, name)


def listed(row: Row, name: str) -> list[Row]:
    """The objects in the list `name`, none in place of anything else."""
    found = row.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def objection(data: object) -> BackendError:
    """The error inside an answer that came with status 200."""
    text = one_line(said(data))
    if is_refusal(text):
        return RefusedError(text, code="rate-limit", retry_after=seconds(patience(data)))
    if text:
        return BackendError(text, code="refused")
    return BackendError("the form of its answers has changed", code="layout-changed")


def inner(row: Row, name: str) -> Row:
    """The object `name`, an empty one in place of anything else."""
    found = row.get(name)
    return found if isinstance(found, dict) else {}


def text(row: Row, name: str) -> str:
    """The text `name` on one line, "" in place of anything else."""
    found = row.get(name)
    return one_line(found) if isinstance(found, str) else ""


def snippet(row: Row, name: str, *, limit: int = SNIPPET) -> str:
    """`text` cut to a snippet."""
    return cut(text(row, name), limit)


def markup(row: Row, name: str) -> str:
    """The words of the HTML in `name` on one line."""
    found = row.get(name)
    return untagged(found) if isinstance(found, str) else ""


def number(row: Row, name: str) -> int | None:
    """The whole number `name`, None in place of anything else."""
    found = row.get(name)
    if not isinstance(found, int | float) or isinstance(found, bool):
        return None
    return int(found) if -_LARGEST < found < _LARGEST else None


def address(row: Row, name: str) -> str:
    """The http(s) address `name`, "" in place of anything else."""
    found = row.get(name)
    return found.strip() if isinstance(found, str) and urls.is_http(found) else ""


def date(row: Row, name: str) -> str | None:
    """The ISO date that the text or the Unix time `name` begins with or means."""
    found = row.get(name)
    if isinstance(found, str):
        match = _DATE.match(found.strip())
        return match[0] if match else _spelled(found)
    seconds = number(row, name)
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return None


def _spelled(text: str) -> str | None:
    """`4 Mar 2026` and `March 4, 2026`, a day of the week before and a time behind them or not."""
    match = _SPELLED.match(text.strip())
    if match is None:
        return None
    day, month, year = match[1] or match[4], match[2] or match[3], match[5]
    try:
        return datetime.strptime(f"{day} {month[:3]} {year}", "%d %b %Y").date().isoformat()
    except ValueError:
        return None


def answer(backend: str, links: Iterable[Link | None]) -> Answer:
    """The links in their order, ranked from 1; None stands for a result without an address."""
    kept = [link for link in links if link is not None]
    ranked = (replace(link, rank=rank, backend=backend) for rank, link in enumerate(kept, 1))
    return Answer(links=tuple(ranked), backend=backend)
