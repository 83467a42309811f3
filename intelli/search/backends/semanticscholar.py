"""Semantic Scholar: papers of every field; a key of one's own ends the usual refusals."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, urlencode

from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import Row, address, date, inner, listed, number, rows, text
from intelli.search.service import Service
from intelli.text.snippets import cut

ABSTRACT = 2000
"""Characters of an abstract that are kept; most are shorter."""
_MOST = 100
_FIELDS = "title,abstract,year,url,externalIds,authors,openAccessPdf,tldr,publicationDate"
_PAGE = "https://www.semanticscholar.org/paper/"
_NUMBER = re.compile(r"[0-9a-f]{40}")
_ARXIV = re.compile(r"[\w.-]+(?:/\d+)?", re.ASCII)


def make(equipment: Equipment) -> Service:
    """Papers by relevance, each by the address where most of it can be read."""
    return Service(equipment, _ask, free=True)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link | None]:
    asked = {
        "query": query.text.replace("-", " "),  # a hyphen finds nothing, says its documentation
        "fields": _FIELDS,
        "limit": str(min(_MOST, query.urls * 2)),
    }
    url = f"{equipment.url}/paper/search?{urlencode(asked, errors='replace')}"
    headers = {"x-api-key": equipment.key} if equipment.key else {}
    data = await rest.get_json(equipment.network, url, headers=headers)
    # Without a paper there is no list either.
    return map(_link, [] if number(data, "total") == 0 else rows(data, "data"))


def _link(paper: Row) -> Link | None:
    url = _where(paper)
    if not url:
        return None
    year = number(paper, "year")
    summary = text(paper, "abstract") or text(inner(paper, "tldr"), "text")
    return Link(
        url=url,
        title=text(paper, "title"),
        snippet=cut(summary, ABSTRACT),
        published=date(paper, "publicationDate") or (f"{year:04}" if year else None),
        authors=tuple(
            name for person in listed(paper, "authors") if (name := text(person, "name"))
        ),
    )


def _where(paper: Row) -> str:
    """arXiv, an open PDF, the publisher, and last the service's own page, which has little."""
    known = inner(paper, "externalIds")
    arxiv, doi = text(known, "ArXiv"), text(known, "DOI")
    if _ARXIV.fullmatch(arxiv):
        return f"https://arxiv.org/abs/{arxiv}"
    pdf = address(inner(paper, "openAccessPdf"), "url")
    if pdf:
        return pdf
    if doi:
        return f"https://doi.org/{quote(doi, safe='/:;()')}"
    number = text(paper, "paperId")
    return address(paper, "url") or (_PAGE + number if _NUMBER.fullmatch(number) else "")
