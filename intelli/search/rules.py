"""What of the links may stay: http(s) only, domain rules, one link a page; and their order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from intelli.errors import UsageError
from intelli.net import urls
from intelli.records import Link, Query
from intelli.search.folding import language, page_key

LOCAL = frozenset({"docs", "cache"})
"""The backends whose links may be local files: they read these themselves."""

_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|[0-9a-f:.]*:[0-9a-f:.]*")
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
            kept[key] = _joined(kept[key], link, query.text) if key in kept else link
    ordered = sorted(kept.values(), key=lambda link: not _matches(link.url, query.domains))
    return tuple(
        replace(link, rank=rank, url=urls.clean(link.url))
        for rank, link in enumerate(ordered[: query.urls * 2], 1)
    )


def _key(link: Link, query: Query) -> str:
    """What duplicates of a link share, "" when the link may not stay."""
    if link.backend in LOCAL and link.url.startswith("file://"):
        return link.url
    if urls.is_http(link.url) and is_allowed(link.url, query):
        return page_key(link.url)
    return ""


def fuse(lists: Sequence[Sequence[Link]]) -> tuple[Link, ...]:
    """Several rankings as one: a page that more of them name, and name earlier, comes first; each
    page once, with the names of all backends that know it."""
    scores: dict[str, float] = {}
    links: list[tuple[str, Link]] = []
    for ranking in lists:
        for rank, key in enumerate({page_key(link.url): None for link in ranking}, 1):
            scores[key] = scores.get(key, 0.0) + 1 / (_FUSION + rank)
        links += [(page_key(link.url), link) for link in ranking]
    pages: dict[str, Link] = {}
    for key, link in sorted(links, key=lambda pair: -scores[pair[0]]):
        pages[key] = _joined(pages[key], link) if key in pages else link
    return tuple(pages.values())


def is_allowed(url: str, query: Query) -> bool:
    """Whether the domain rules let `url` through; a domain includes its subdomains."""
    if _matches(url, query.exclude_domains):
        return False
    return not query.only_domains or _matches(url, query.only_domains)


def check_domains(query: Query) -> None:
    """Raises UsageError for a domain that is none, and for rules that let nothing through."""
    options = {
        "--domain": query.domains,
        "--only-domain": query.only_domains,
        "--exclude-domain": query.exclude_domains,
    }
    for option, domains in options.items():
        bad = next((domain for domain in domains if not _HOST.fullmatch(_bare(domain))), None)
        if bad is not None:
            raise UsageError(
                f"{option} {bad!r} is no domain",
                code="bad-domain",
                hint="write it as in addresses, such as docs.example.org",
            )
    for option in ("--only-domain", "--domain"):
        wanted = options[option]
        if wanted and all(_matches(f"https://{_bare(d)}/", query.exclude_domains) for d in wanted):
            raise UsageError(
                f"--exclude-domain shuts out all that {option} asks for",
                code="contradiction",
                hint="leave one of them out",
            )


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


def hosts(domains: Iterable[str]) -> list[str]:
    """Domains, however people write them, as services want them."""
    return [name for domain in domains if (name := _bare(domain))]


def _bare(domain: str) -> str:
    """A domain as people write it (`https://Docs.Python.org/`, `*.python.org`) as a host name."""
    name = domain.strip().removeprefix("*").lstrip(".")
    return urls.host(name if "//" in name else f"https://{name}").removeprefix("www.")


def _joined(first: Link, other: Link, question: str = "") -> Link:
    """Two links of one page as one. Of translations the English one is taken when the question is
    in Latin letters."""
    if question.isascii() and language(other.url) == "en" != (language(first.url) or "en"):
        first = replace(first, url=other.url, title=other.title, snippet=other.snippet)
    names = dict.fromkeys(f"{first.backend}, {other.backend}".split(", "))
    return replace(
        first,
        backend=", ".join(name for name in names if name),
        title=first.title or other.title,
        snippet=first.snippet or other.snippet,
        published=first.published or other.published,
        authors=first.authors or other.authors,
        points=other.points if first.points is None else first.points,
        comments=other.comments if first.comments is None else first.comments,
        ref=first.ref or other.ref,
    )
