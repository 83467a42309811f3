"""Jina's search, which needs a key."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from intelli.errors import BackendError
from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import rows
from intelli.search.rules import with_sites
from intelli.search.service import Form, Service, links

_MOST = 20
_FORM = Form(snippet=("description", "content"), published=("date", "publishedTime"))


def make(equipment: Equipment) -> Service:
    """With the user's key."""
    return Service(equipment, _ask)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    fields = {"q": with_sites(query), "num": str(min(_MOST, query.urls * 2))}
    url = f"{equipment.url}?{urlencode(fields, errors='replace')}"
    headers = {
        "accept": "application/json",
        "authorization": f"Bearer {equipment.key}",
        "x-respond-with": "no-content",
    }
    try:
        data = await rest.get_json(equipment.network, url, headers=headers)
    except BackendError as error:
        if error.code == "http-422":  # its way to say that nothing was found
            return ()
        raise
    return links(rows(data, "data"), _FORM)
