"""arXiv through its Atom API, which needs no key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlencode

from intelli.errors import BackendError
from intelli.net.client import Response
from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.keywords import keywords, qualifier
from intelli.search.refusals import RefusedError, is_refusal, short
from intelli.search.service import Service
from intelli.text.snippets import cut, one_line

ABSTRACT = 2000
"""Characters of an abstract that are kept; most are shorter."""
_MOST = 100
_MOST_WORDS = 30
_ENTRY = ("id", "title", "summary", "published")
_END = re.compile(rb"</(?:\w+:)?feed\s*>\s*\Z")
"""A feed that breaks off has no end; the parser would mend it."""
_FIELDS = frozenset(
    {"ti", "au", "abs", "co", "jr", "cat", "rn", "id", "all", "submittedDate", "lastUpdatedDate"}
)
_OPERATORS = frozenset({"AND", "OR", "ANDNOT"})
_NUMBER = re.compile(
    r"(?:arxiv:)?(\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.I
)
_PAPER = re.compile(r"https?://(?:export\.)?arxiv\.org/abs/(\S+?)(?:v\d+)?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def make(equipment: Equipment) -> Service:
    """Papers with all words of the query, the newest first, their abstracts as snippets."""
    return Service(equipment, _ask, free=True)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link]:
    asked = {
        **expression(query.text),
        "max_results": str(min(_MOST, query.urls * 2)),
        "sortBy": "submittedDate",
        "sortOrder": "descending",
    }
    url = f"{equipment.url}?{urlencode(asked, errors='replace')}"
    return parse(await rest.get(equipment.network, url, refusal=_refusal))


def expression(text: str) -> dict[str, str]:
    """The query in arXiv's syntax. Plain words, which arXiv would OR, are ANDed; fields, quoted
    phrases and whole expressions with operators stay as they are; numbers of papers are looked up.
    """
    if set(text.split()) & _OPERATORS:
        return {"search_query": text}
    words = keywords(text)[:_MOST_WORDS]
    numbers = [_NUMBER.fullmatch(word) for word in words]
    if words and all(numbers):
        return {"id_list": ",".join(match[1] for match in numbers if match)}
    return {"search_query": " AND ".join(_term(word) for word in words)}


def _term(word: str) -> str:
    if qualifier(word)[0] in _FIELDS:
        return word
    bare = word.replace('"', "").strip()
    return f"all:{bare}" if bare.isalnum() else f'all:"{bare}"'


def parse(response: Response) -> Iterator[Link]:
    """The papers of a feed. Raises BackendError for an entry that is an error, and RefusedError
    for a body that is no whole feed."""
    from intelli.text.xml_tree import child, children, parse_xml, text_of

    feed = parse_xml(response.body) if _END.search(response.body[-100:]) else None
    if feed is None:
        raise rest.unwanted(response, "feed")
    for entry in children(feed, "entry"):
        field = {name: text_of(child(entry, name)) for name in _ENTRY}
        if "/api/errors" in field["id"]:
            raise _error(field["summary"])
        paper = _PAPER.fullmatch(field["id"])
        if paper is None:
            continue
        published = _DATE.match(field["published"])
        authors = (text_of(child(author, "name")) for author in children(entry, "author"))
        yield Link(
            url=f"https://arxiv.org/abs/{paper[1]}",
            title=one_line(field["title"]),
            snippet=cut(one_line(field["summary"]), ABSTRACT),
            published=published[0] if published else None,
            authors=tuple(one_line(author) for author in authors if author),
        )


def _error(message: str) -> BackendError:
    if is_refusal(message):
        return RefusedError(short(message), code="rate-limit")
    return BackendError(short(message) or "arXiv refused the query", code="bad-query")


def _refusal(response: Response) -> BackendError:
    """arXiv puts what it says about a bad query into a feed, with status 400."""
    if response.status == 400:
        try:
            list(parse(response))
        except RefusedError:
            pass
        except BackendError as error:
            return error
    return rest.refusal(response)
