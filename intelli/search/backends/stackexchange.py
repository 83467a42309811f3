"""Questions of one site of Stack Exchange; a key raises the limits of the anonymous use."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from urllib.parse import urlencode

from intelli.errors import BackendError
from intelli.net.client import Response
from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import (
    SNIPPET,
    Row,
    address,
    date,
    inner,
    markup,
    number,
    rows,
    text,
)
from intelli.search.keywords import keywords, qualifier
from intelli.search.refusals import RefusedError, short
from intelli.search.rules import hosts
from intelli.search.service import Service
from intelli.text.snippets import cut, one_line

_MOST = 100
_DAY = 86400.0
_THROTTLE = 502
"""The `error_id` of a client that asks too much."""
_WAIT = re.compile(r"available in (\d{1,7}) second")
_HOST = re.compile(
    r"(?:[a-z0-9-]+\.)?(?:stackexchange|stackoverflow|superuser|serverfault|askubuntu|stackapps"
    r"|mathoverflow)\.(?:com|net)"
)


def make(equipment: Equipment) -> Service:
    """Questions with their score and the number of answers, most relevant first."""
    return Service(equipment, _ask, free=True)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    """The service says in good answers too for how long it is to be left alone."""
    data = await rest.get_json(equipment.network, _address(equipment, query), refusal=_refusal)
    if "error_id" in data:
        raise _error(data)
    if pause := _pause(data):
        equipment.leave_alone(pause)
    return map(_link, rows(data, "items"))


def _address(equipment: Equipment, query: Query) -> str:
    words = keywords(query.text)
    sites = [value for name, value in map(qualifier, words) if name == "site"]
    sites += hosts((*query.only_domains, *query.domains))
    usual = equipment.settings.text("backends.stackexchange.site")
    asked = {
        "site": next((site for site in sites if _HOST.fullmatch(site)), usual),
        "q": " ".join(word for word in words if qualifier(word)[0] != "site"),
        "sort": "relevance",
        "order": "desc",
        "pagesize": str(min(_MOST, query.urls * 2)),
        "filter": "withbody",
        **({"key": equipment.key} if equipment.key else {}),
    }
    return f"{equipment.url}/search/advanced?{urlencode(asked, errors='replace')}"


def _pause(data: Row) -> float:
    """Seconds until the next call may be made, after an answer that is good."""
    if number(data, "quota_remaining") == 0:
        return _DAY
    return float(number(data, "backoff") or 0)


def _link(item: Row) -> Link | None:
    url = address(item, "link")
    if not url:
        return None
    author = html.unescape(text(inner(item, "owner"), "display_name"))
    accepted = "[accepted answer] " if number(item, "accepted_answer_id") is not None else ""
    return Link(
        url=url,
        title=one_line(html.unescape(text(item, "title"))),
        snippet=cut(accepted + markup(item, "body"), SNIPPET).strip(),
        published=date(item, "creation_date"),
        authors=(author,) if author else (),
        points=number(item, "score"),
        comments=number(item, "answer_count"),
    )


def _refusal(response: Response) -> BackendError:
    """The service says everything, limits too, with status 400 and a number of its own; what
    stands before it says things in other ways."""
    try:
        data = rest.json_object(response)
    except BackendError:
        data = {}
    return _error(data) if "error_id" in data else rest.refusal(response)


def _error(data: Row) -> BackendError:
    message = short(text(data, "error_message"))
    if number(data, "error_id") == _THROTTLE:
        wait = _WAIT.search(message)
        return RefusedError(
            message or "asked too often",
            code="rate-limit",
            retry_after=float(wait[1]) if wait else None,
        )
    code = number(data, "error_id")
    return BackendError(message or f"error {code}", code=text(data, "error_name") or "refused")
