"""Web searches that need a key and answer one JSON document: what each is asked and answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import Row, inner, objection, rows
from intelli.search.rules import hosts, with_sites
from intelli.search.service import Form, Service, links, words

Body = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Api:
    """`header` carries the key behind `prefix`; the results are the list at `path`; `most` are
    returned at once; `priced_as` is the name in litellm's price list."""

    body: Callable[[Query, int], Body]
    form: Form
    header: str = "x-api-key"
    prefix: str = ""
    path: tuple[str, ...] = ("results",)
    method: str = "POST"
    most: int = 20
    priced_as: str = ""


def make(equipment: Equipment) -> Service:
    """The service of this name in `APIS`."""
    api = APIS[equipment.name]

    async def ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
        return links(_results(await _answer(api, equipment, query), api), api.form)

    return Service(equipment, ask, priced_as=api.priced_as, most=api.most)


async def _answer(api: _Api, equipment: Equipment, query: Query) -> Row:
    headers = {api.header: f"{api.prefix}{equipment.key}"}
    body = api.body(query, min(api.most, query.urls * 2))
    if api.method == "POST":
        return await rest.post_json(equipment.network, equipment.url, body, headers=headers)
    url = f"{equipment.url}?{urlencode(body, errors='replace')}"
    accept = {"accept": "application/json"}
    return await rest.get_json(equipment.network, url, headers=headers | accept)


def _results(data: Row, api: _Api) -> list[Row]:
    """An answer that lacks the part for web pages has none, unless it says something else."""
    *parts, last = api.path
    for part in parts:
        if part not in data and data.get("type") == "search":
            return []
        if not isinstance(data.get(part), dict):
            raise objection(data)
        data = inner(data, part)
    return rows(data, last)


def _brave(query: Query, count: int) -> Body:
    return {
        "q": with_sites(query, limit=400),
        "count": count,
        "result_filter": "web",
        "text_decorations": "false",
    }


def _serper(query: Query, count: int) -> Body:
    return {"q": with_sites(query), "num": count}


def _linkup(query: Query, count: int) -> Body:
    return {
        "q": words(query),
        "depth": "standard",
        "outputType": "searchResults",
        "maxResults": count,
        **_domains(query, "includeDomains", "excludeDomains"),
    }


def _exa(query: Query, count: int) -> Body:
    return {
        "query": words(query),
        "numResults": count,
        "contents": {"highlights": True},
        **_domains(query, "includeDomains", "excludeDomains"),
    }


def _parallel(query: Query, count: int) -> Body:
    policy = _domains(query, "include_domains", "exclude_domains")
    settings = {"max_results": count, **({"source_policy": policy} if policy else {})}
    return {
        "search_queries": [words(query)],
        "objective": f"{query.text}\n{query.focus}".strip(),
        "mode": "basic",
        "advanced_settings": settings,
    }


def _perplexity(query: Query, count: int) -> Body:
    """The service takes domains to keep to or, each behind a minus sign, domains to leave out."""
    wanted = hosts(query.only_domains)
    unwanted = [f"-{host}" for host in hosts(query.exclude_domains)]
    domains = (wanted or unwanted)[:20]
    limits = {"search_domain_filter": domains} if domains else {}
    return {"query": words(query), "max_results": count, **limits}


def _domains(query: Query, include: str, exclude: str) -> dict[str, list[str]]:
    named = {include: hosts(query.only_domains), exclude: hosts(query.exclude_domains)}
    return {name: domains for name, domains in named.items() if domains}


APIS: Mapping[str, _Api] = {
    "perplexity-search": _Api(
        body=_perplexity,
        form=Form(published=("date", "last_updated")),
        header="authorization",
        prefix="Bearer ",
        priced_as="perplexity",
    ),
    "brave": _Api(
        body=_brave,
        form=Form(snippet=("description",), published=("page_age", "age"), markup=True),
        header="x-subscription-token",
        path=("web", "results"),
        method="GET",
        priced_as="brave",
    ),
    "serper": _Api(
        body=_serper,
        form=Form(url="link", published=("date",)),
        path=("organic",),
        most=100,
        priced_as="serper",
    ),
    "linkup": _Api(
        body=_linkup,
        form=Form(title="name", snippet=("content",)),
        header="authorization",
        prefix="Bearer ",
        most=100,
        priced_as="linkup",
    ),
    "exa-api": _Api(
        body=_exa,
        form=Form(
            snippet=("highlights", "text", "summary"), published=("publishedDate",), author="author"
        ),
        most=25,
        priced_as="exa_ai",
    ),
    "parallel-api": _Api(
        body=_parallel,
        form=Form(snippet=("excerpts",), published=("publish_date",)),
        most=40,
        priced_as="parallel_ai",
    ),
}
