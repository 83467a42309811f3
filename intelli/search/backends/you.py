"""You.com, which answers a hundred questions a day for an address without a key."""

from __future__ import annotations

from collections.abc import Iterable

from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import inner, listed, objection
from intelli.search.rules import hosts
from intelli.search.service import Form, Service, links, words

KEYED = "https://ydc-index.io/v1/search"
"""Where a key is taken, unless the user set an address."""
_MOST = 100
_FORM = Form(snippet=("snippets", "description"), published=("page_age",))


def make(equipment: Equipment) -> Service:
    """With the user's key, where there is one."""
    return Service(equipment, _ask)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    key = equipment.key
    url = KEYED if key and equipment.is_own_address else equipment.url
    body = {
        "query": words(query),
        "count": min(_MOST, query.urls * 2),
        **({"include_domains": hosts(query.only_domains)} if query.only_domains else {}),
        **({"exclude_domains": hosts(query.exclude_domains)} if query.exclude_domains else {}),
    }
    access = {"x-api-key": key} if key else {}
    data = await rest.post_json(equipment.network, url, body, headers=access)
    found = inner(data, "results")
    if not isinstance(data.get("results"), dict):
        raise objection(data)
    return links([*listed(found, "web"), *listed(found, "news")], _FORM)
