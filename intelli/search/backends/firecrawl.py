"""Firecrawl's search, which answers without a key too, so many times a day for an address."""

from __future__ import annotations

from collections.abc import Iterable

from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import inner, objection, rows
from intelli.search.rules import hosts
from intelli.search.service import Form, Service, links, words

_MOST = 100
_FORM = Form(snippet=("description",), published=("date",))


def make(equipment: Equipment) -> Service:
    """With the user's key, where there is one."""
    return Service(equipment, _ask, priced_as="firecrawl")


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    key = equipment.key
    body = {
        "query": words(query),
        "limit": min(_MOST, query.urls * 2),
        "sources": ["web"],
        **_domains(query),
    }
    access = {"authorization": f"Bearer {key}"} if key else {}
    data = await rest.post_json(equipment.network, equipment.url, body, headers=access)
    if data.get("success") is False:
        raise objection(data)
    is_flat = isinstance(data.get("data"), list)  # as servers of one's own answer
    return links(rows(data, "data") if is_flat else rows(inner(data, "data") or data, "web"), _FORM)


def _domains(query: Query) -> dict[str, list[str]]:
    """The service takes one of the two lists."""
    if query.only_domains:
        return {"includeDomains": hosts(query.only_domains)}
    return {"excludeDomains": hosts(query.exclude_domains)} if query.exclude_domains else {}
