"""GitHub: repositories and issues, with a token code and discussions too; only what is public."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from intelli.errors import BackendError
from intelli.net.client import Response
from intelli.records import Link, Query
from intelli.search import rest
from intelli.search.backend import Equipment
from intelli.search.fields import (
    SNIPPET,
    Row,
    address,
    date,
    inner,
    listed,
    number,
    rows,
    snippet,
    text,
)
from intelli.search.keywords import keywords, qualifier
from intelli.search.refusals import RefusedError, said
from intelli.search.rules import fuse
from intelli.search.service import Service
from intelli.text.snippets import cut

SECONDARY = 60.0
"""Seconds to wait at a secondary limit that names none (docs.github.com, rate limits)."""
_GRAPHQL = """
query($text: String!, $count: Int!) {
  search(query: $text, type: DISCUSSION, first: $count) {
    nodes {
      ... on Discussion {
        title
        html_url: url
        body: bodyText
        created_at: createdAt
        votes: upvoteCount
        replies: comments { count: totalCount }
        user: author { login }
        repository { private: isPrivate }
      }
    }
  }
}
"""
_MOST = 50
_LONGEST = 256
"""Characters of a query that GitHub takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """One of GitHub's searches: its path, the qualifiers that only it has, the values of `in:`
    that it knows, and what makes a link of an item."""

    path: str
    qualifiers: frozenset[str]
    places: frozenset[str]
    link: Callable[[Row], Link]
    suffix: str = ""


def make(equipment: Equipment) -> Service:
    """Searches what the qualifiers of the query belong to, everything without any."""
    return Service(equipment, _ask, free=True)


async def _ask(equipment: Equipment, query: Query) -> Iterable[Link]:
    """What one search refuses costs nothing while another has links."""
    words = _fitting(keywords(query.text))
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_items(equipment, kind, words, min(_MOST, query.urls * 2)))
            for kind in _kinds(words, has_token=bool(equipment.key))
        ]
    outcomes = [task.result() for task in tasks]
    found = [links for links in outcomes if not isinstance(links, BackendError)]
    errors = [error for error in outcomes if isinstance(error, BackendError)]
    if errors and not any(found):
        raise errors[0]
    return fuse(found)


async def _items(
    equipment: Equipment, kind: _Kind, words: str, limit: int
) -> list[Link] | BackendError:
    # Issues do not say whether they are public, so only public ones are asked for.
    text = words + (kind.suffix if equipment.key else "")
    asked = urlencode({"q": text, "per_page": str(limit)}, errors="replace")
    url = f"{equipment.url}/search/{kind.path}?{asked}"
    try:
        if kind is _DISCUSSIONS:
            items = await _discussions(equipment, text, limit)
        else:
            data = await rest.get_json(
                equipment.network, url, headers=_headers(equipment), refusal=_refusal
            )
            items = rows(data, "items")
    except BackendError as error:
        return error
    return [kind.link(item) for item in items if _may_pass(item, equipment)]


async def _discussions(equipment: Equipment, text: str, limit: int) -> list[Row]:
    """Only GraphQL searches them; the fields get the names that they have elsewhere."""
    body = {"query": _GRAPHQL, "variables": {"text": text, "count": limit}}
    url = f"{equipment.url}/graphql"
    data = await rest.post_json(
        equipment.network, url, body, headers=_headers(equipment), refusal=_refusal
    )
    found = inner(data, "data")
    return rows(inner(found, "search"), "nodes") if found else rows(data, "data")


def _headers(equipment: Equipment) -> Mapping[str, str]:
    token = {"authorization": f"Bearer {equipment.key}"} if equipment.key else {}
    return {
        "accept": "application/vnd.github.text-match+json",
        "x-github-api-version": "2022-11-28",
        **token,
    }


def _fitting(words: Iterable[str]) -> str:
    """As many words as the query has room for; qualifiers keep theirs."""
    ordered = sorted(words, key=lambda word: not qualifier(word)[0])
    kept: list[str] = []
    for word in ordered:
        if len(" ".join([*kept, word])) <= _LONGEST:
            kept.append(word)
    return " ".join(kept)


def _kinds(words: str, *, has_token: bool) -> list[_Kind]:
    """Those that know a qualifier of the query which not all know; some need a token."""
    named = [qualifier(word) for word in keywords(words)]
    kinds = [kind for kind in _KINDS if has_token or kind not in _WITH_TOKEN]
    wanted = [kind for kind in kinds if any(_is_of(kind, *pair) for pair in named)]
    return wanted or kinds


def _is_of(kind: _Kind, name: str, value: str) -> bool:
    return name in kind.qualifiers or (name == "in" and value in kind.places)


def _may_pass(item: Row, equipment: Equipment) -> bool:
    """Whether the item has an address and is public. Without a token all are; with one a
    repository has to say so, and issues, which do not, were asked for as public."""
    repository = inner(item, "repository") or item
    if "private" in repository:
        is_public = repository["private"] is False
    else:
        is_public = not equipment.key or "repository_url" in item
    return is_public and bool(address(item, "html_url"))


def _repository(item: Row) -> Link:
    owner = text(inner(item, "owner"), "login")
    return Link(
        url=address(item, "html_url"),
        title=text(item, "full_name"),
        snippet=snippet(item, "description"),
        published=date(item, "pushed_at"),
        authors=(owner,) if owner else (),
        points=number(item, "stargazers_count"),
    )


def _issue(item: Row) -> Link:
    author = text(inner(item, "user"), "login")
    kind = "pull request" if inner(item, "pull_request") else "issue"
    return Link(
        url=address(item, "html_url"),
        title=text(item, "title"),
        snippet=cut(f"[{text(item, 'state')} {kind}] {text(item, 'body')}", SNIPPET).strip(),
        published=date(item, "created_at"),
        authors=(author,) if author else (),
        comments=number(item, "comments"),
    )


def _discussion(item: Row) -> Link:
    author = text(inner(item, "user"), "login")
    return Link(
        url=address(item, "html_url"),
        title=text(item, "title"),
        snippet=cut(f"[discussion] {text(item, 'body')}", SNIPPET).strip(),
        published=date(item, "created_at"),
        authors=(author,) if author else (),
        points=number(item, "votes"),
        comments=number(inner(item, "replies"), "count"),
    )


def _code(item: Row) -> Link:
    repository = text(inner(item, "repository"), "full_name")
    fragments = [text(match, "fragment") for match in listed(item, "text_matches")]
    return Link(
        url=address(item, "html_url"),
        title=f"{repository}: {text(item, 'path')}",
        snippet=cut(" … ".join(filter(None, fragments)), SNIPPET),
    )


_REPOSITORIES = _Kind(
    path="repositories",
    qualifiers=frozenset(
        "stars forks topic topics license followers size pushed archived template mirror".split()
    ),
    places=frozenset({"name", "description", "readme", "topics"}),
    link=_repository,
)
_ISSUES = _Kind(
    path="issues",
    qualifiers=frozenset(
        "is type state label author assignee commenter mentions involves milestone comments linked"
        " reason no closed".split()
    ),
    places=frozenset({"title", "body", "comments"}),
    link=_issue,
    suffix=" is:public",
)
_CODE = _Kind(
    path="code",
    qualifiers=frozenset({"path", "filename", "extension"}),
    places=frozenset({"file", "path"}),
    link=_code,
)
_DISCUSSIONS = _Kind(
    path="discussions",
    qualifiers=frozenset({"category", "answered", "answered-by"}),
    places=frozenset({"title", "body", "comments"}),
    link=_discussion,
)
_KINDS = (_REPOSITORIES, _ISSUES, _CODE, _DISCUSSIONS)
_WITH_TOKEN = (_CODE, _DISCUSSIONS)


def _refusal(response: Response) -> BackendError:
    """Limits come with 403 as well as 429, and a bad query with 422."""
    headers, message = response.headers, said(_document(response))
    if response.status in (403, 429):
        wait = _wait(headers)
        if wait is not None or "rate limit" in message.lower() or "abuse" in message.lower():
            return RefusedError(
                message or f"HTTP {response.status}",
                code="rate-limit",
                retry_after=SECONDARY if wait is None else wait,
            )
    if response.status == 422:
        return BackendError(f"it cannot read the query: {message}", code="bad-query")
    return rest.refusal(response)


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds until GitHub answers again, None where it names no moment."""
    after, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    if after.isascii() and after.isdigit():
        return float(after)
    if headers.get("x-ratelimit-remaining") == "0" and reset.isascii() and reset.isdigit():
        return max(0.0, float(reset) - time.time())
    return None


def _document(response: Response) -> Row:
    try:
        return rest.json_object(response)
    except BackendError:
        return {}
