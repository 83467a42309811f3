"""Parallel through its hosted MCP server, which needs no key."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from intelli.records import Link, Query
from intelli.search.backend import Equipment
from intelli.search.fields import rows
from intelli.search.rpc import Server, call_tool_json
from intelli.search.rules import with_sites
from intelli.search.service import Form, Service, links

TIMEOUT = 30.0
_SESSION = uuid.uuid4().hex
"""One for the life of the process, as the service asks for."""
_FORM = Form(snippet=("excerpts",), published=("publish_date",))


def make(equipment: Equipment) -> Service:
    """With the user's key, where there is one."""
    return Service(equipment, _ask, priced_as="parallel_ai")


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    key = equipment.key
    access = {"authorization": f"Bearer {key}"} if key else {}
    arguments = {
        "objective": f"{query.text}\n{query.focus}".strip(),
        "search_queries": [with_sites(query)],
        "session_id": _SESSION,
    }
    server = Server(url=equipment.url, headers=access, timeout=TIMEOUT)
    data = await call_tool_json(equipment.network, server, "web_search", arguments)
    return links(rows(data, "results"), _FORM)
