"""Wikipedia, or another MediaWiki, through its search API, which needs no key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, urlencode, urlsplit

from intelli.errors import BackendError, UsageError
from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import Row, date, inner, markup, objection, rows, text
from intelli.search.keywords import keywords
from intelli.search.refusals import RefusedError, seconds
from intelli.search.rules import hosts
from intelli.search.service import Service
from intelli.text.snippets import cut

PLACE = "{language}"
"""Stands in the address where the language goes."""
_MOST = 50
_LONGEST = 300
"""Characters of a query that MediaWiki takes."""
_SNIPPET = 500
_LANGUAGE = re.compile(r"[a-z]{2,12}(?:-[a-z]{2,12}){0,2}")
_WAITING = frozenset({"ratelimited", "maxlag", "readonly"})


def make(equipment: Equipment) -> Service:
    """Articles in one language: that of a Wikipedia among the query's domains, else that of
    `backends.wikipedia.language`. Raises UsageError when the latter is none."""
    language = equipment.settings.text("backends.wikipedia.language")
    if not _LANGUAGE.fullmatch(language):
        raise UsageError(
            f"`backends.wikipedia.language` is no language: {language!r}",
            code="bad-setting",
            hint="write it as in the address of the encyclopedia, such as `de`",
        )
    return Service(equipment, _ask, free=True)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    language = _language(query) or equipment.settings.text("backends.wikipedia.language")
    api = equipment.url.replace(PLACE, language)
    asked = {
        "action": "query",
        "list": "search",
        "srsearch": cut(" ".join(keywords(query.text)), _LONGEST),
        "srlimit": str(min(_MOST, query.urls * 2)),
        "srprop": "snippet|timestamp",
        "format": "json",
        "formatversion": "2",
        "maxlag": "5",
    }
    url = f"{api}?{urlencode(asked, errors='replace')}"
    response = await rest.get(equipment.network, url)
    data = rest.json_object(response)
    if "query" not in data:
        raise _error(data, response.headers.get("retry-after", ""))
    return (_link(hit, api) for hit in rows(inner(data, "query"), "search"))


def _language(query: Query) -> str:
    """That of the first Wikipedia among the wanted domains."""
    for host in hosts((*query.only_domains, *query.domains)):
        name, _, site = host.partition(".")
        if site == "wikipedia.org" and _LANGUAGE.fullmatch(name):
            return name
    return ""


def _link(hit: Row, api: str) -> Link | None:
    title = text(hit, "title")
    if not title:
        return None
    parts = urlsplit(api)
    path = quote(title.replace(" ", "_"), safe="/:@!$&'()*,;=~")
    return Link(
        url=f"{parts.scheme}://{parts.netloc}/wiki/{path}",
        title=title,
        snippet=cut(markup(hit, "snippet"), _SNIPPET),
        published=date(hit, "timestamp"),
    )


def _error(data: Row, retry_after: str) -> BackendError:
    """Errors come with status 200."""
    problem = inner(data, "error")
    code = text(problem, "code")
    if code not in _WAITING:
        return objection(data)
    message = text(problem, "info") or code
    kind = "rate-limit" if code == "ratelimited" else code
    return RefusedError(message, code=kind, retry_after=seconds(retry_after))
