"""Tavily, which answers without a key too, within limits of its own."""

from __future__ import annotations

from collections.abc import Iterable

from intelli.errors import BackendError
from intelli.net.client import Response
from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import rows
from intelli.search.refusals import RefusedError
from intelli.search.rules import hosts
from intelli.search.service import Form, Service, links, words

_MOST = 20
_PLAN_USED_UP = (432, 433)
_FORM = Form(snippet=("content",), published=("published_date",))


def make(equipment: Equipment) -> Service:
    """With the user's key, where there is one."""
    return Service(equipment, _ask, priced_as="tavily", most=_MOST)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    key = equipment.key
    body = {
        "query": words(query),
        "max_results": min(_MOST, query.urls * 2),
        "include_domains": hosts(query.only_domains),
        "exclude_domains": hosts(query.exclude_domains),
    }
    access = {"authorization": f"Bearer {key}"} if key else {"x-tavily-access-mode": "keyless"}
    data = await rest.post_json(
        equipment.network, equipment.url, body, headers=access, refusal=_refusal
    )
    return links(rows(data, "results"), _FORM)


def _refusal(response: Response) -> BackendError:
    """The service has numbers of its own for a plan that is used up."""
    error = rest.refusal(response)
    if response.status in _PLAN_USED_UP:
        return RefusedError(error.message, code="rate-limit")
    return error
