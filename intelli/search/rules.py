"""What of a backend's links may stay: http(s) only, domain rules, one link a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from intelli.net import urls
from intelli.records import Link, Query

LOCAL = "docs"
"""The backend whose links are local files; no other may name one."""

_FUSION = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""


def select(links: Iterable[Link], query: Query) -> tuple[Link, ...]:
    """The links to go on with, cleaned and ranked anew, at most twice the pages wanted.

    Duplicates are dropped before the cut; what the first of them lacks, the others fill in.
    """
    kept: dict[str, Link] = {}
    for link in links:
        key = _key(link, query)
        if key:
            kept[key] = _joined(kept[key], link) if key in kept else link
    ordered = sorted(kept.values(), key=lambda link: not _matches(link.url, query.domains))
    return tuple(
        replace(link, rank=rank, url=urls.clean(link.url))
        for rank, link in enumerate(ordered[: query.urls * 2], 1)
    )


def _key(link: Link, query: Query) -> str:
    """What duplicates of a link share, "" when the link may not stay."""
    if link.backend == LOCAL and link.url.startswith("file://"):
        return link.url
    if urls.is_http(link.url) and is_allowed(link.url, query):
        return urls.key(link.url)
    return ""


def fuse(lists: Sequence[Sequence[Link]]) -> tuple[Link, ...]:
    """Several rankings as one: a page that more backends name, and name earlier, comes first."""
    scores: dict[str, float] = {}
    links: list[Link] = [link for ranking in lists for link in ranking]
    for ranking in lists:
        for rank, link in enumerate(ranking, 1):
            key = urls.key(link.url)
            scores[key] = scores.get(key, 0.0) + 1 / (_FUSION + rank)
    return tuple(sorted(links, key=lambda link: -scores[urls.key(link.url)]))


def is_allowed(url: str, query: Query) -> bool:
    """Whether the domain rules let `url` through; a domain includes its subdomains."""
    if _matches(url, query.exclude_domains):
        return False
    return not query.only_domains or _matches(url, query.only_domains)


def with_sites(query: Query, *, limit: int | None = None) -> str:
    """The query's text with its domain rules as `site:` words, as many as `limit` has room for.

    The text itself is cut to `limit` characters too.
    """
    text = query.text if limit is None else query.text[:limit]
    wanted = [_bare(domain) for domain in query.only_domains or query.domains]
    words = [("OR " if n else "") + f"site:{domain}" for n, domain in enumerate(wanted)]
    words += [f"-site:{_bare(domain)}" for domain in query.exclude_domains]
    for word in words:
        if limit is not None and len(text) + 1 + len(word) > limit:
            break
        text = f"{text} {word}"
    return text


def _matches(url: str, domains: Iterable[str]) -> bool:
    host = urls.host(url)
    names = [_bare(domain) for domain in domains]
    return any(host == name or host.endswith(f".{name}") for name in names)


def _bare(domain: str) -> str:
    """A domain as people write it (`https://Docs.Python.org/`, `*.python.org`) as a host name."""
    name = domain.strip().removeprefix("*.")
    return urls.host(name if "//" in name else f"https://{name}").removeprefix("www.")


def _joined(first: Link, other: Link) -> Link:
    return replace(
        first,
        title=first.title or other.title,
        snippet=first.snippet or other.snippet,
        published=first.published or other.published,
        authors=first.authors or other.authors,
    )
