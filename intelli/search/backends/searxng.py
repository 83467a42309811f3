"""A SearXNG server of the user's choice; it has to offer JSON, which is off by default."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode, urlsplit, urlunsplit

from intelli.errors import BackendError
from intelli.net import urls
from intelli.net.client import Response
from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import Row, rows
from intelli.search.refusals import RefusedError
from intelli.search.rules import with_sites
from intelli.search.service import Form, Service, links
from intelli.text.snippets import one_line

_FORM = Form(snippet=("content",), published=("publishedDate",))
_JSON_IS_OFF = "add `json` to `search.formats` in the settings.yml of the server"
_SHOWN = 5


def make(equipment: Equipment) -> Service:
    """The server at `backends.searxng.url`: its root or its `/search`."""
    return Service(equipment, _ask)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    fields = {"q": with_sites(query), "format": "json"}
    url = f"{_endpoint(equipment.url)}?{urlencode(fields, errors='replace')}"
    try:
        data = await rest.get_json(equipment.network, url, refusal=_refusal)
    except BackendError as error:
        if error.code == "bad-answer":
            error.hint = _JSON_IS_OFF
        raise
    found = rows(data, "results")
    if not found:
        _check_engines(data)
    return links(found, _FORM)


def _endpoint(url: str) -> str:
    if not urls.is_http(url):
        return url  # the network says what is wrong with it
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    return urlunsplit(parts._replace(path=path.removesuffix("/search") + "/search", query=""))


def _refusal(response: Response) -> BackendError:
    error = rest.refusal(response)
    if response.status == 403 and error.code != "challenge":
        message = "it does not answer in JSON (HTTP 403)"
        return BackendError(message, code="http-403", hint=_JSON_IS_OFF)
    return error


def _check_engines(data: Row) -> None:
    """No result while its own engines were refused is a failure. Raises RefusedError."""
    silent = data.get("unresponsive_engines")
    if isinstance(silent, list) and silent:
        named = ", ".join(_named(engine) for engine in silent[:_SHOWN])
        raise RefusedError(f"its engines did not answer: {named}", code="engines-refused")


def _named(engine: object) -> str:
    """An engine and its reason, which come as a pair."""
    parts = engine if isinstance(engine, list) else [engine]
    return one_line(": ".join(str(part) for part in parts[:2]))[:80]
