"""Which adapter a page has, told by host and path alone; nothing is imported for it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from intelli.net import urls
from intelli.records import record

if TYPE_CHECKING:
    from intelli.fetch.adapters.asking import Article, Asking

_PAPER = r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?P<version>v\d{1,3})?"
_REGISTRY = "crates" + ".io"
_OWN_PAGES = (
    "about|apps|collections|contact|customer-stories|enterprise|events|explore|features|login|"
    "marketplace|new|notifications|orgs|organizations|pricing|readme|search|security|settings|"
    "site|solutions|sponsors|stars|team|topics|trending|users"
)
"""First parts of GitHub's paths that are no accounts."""
_NAMED = r"/(?P<owner>[\w.-]+)/(?P<repo>[\w.-]+)"
_REPOSITORY = rf"(?!/(?:{_OWN_PAGES})/){_NAMED}"

Read = Callable[["Route", "Asking"], Awaitable["Article"]]


@record
class Entry:
    """A line of the table: `via` names the adapter in results, `module` holds its `read`. Both
    patterns are matched whole, against the host and the path without its closing slash."""

    via: str
    module: str
    host: str
    path: str


@record
class Route:
    """A page and its adapter; `parts` are the named groups of the path's pattern, "" for none."""

    via: str
    module: str
    url: SplitResult
    parts: dict[str, str]

    @property
    def host(self) -> str:
        return urls.host(self.url.geturl())

    @property
    def site(self) -> str:
        """Scheme, host and port of the page."""
        return f"{self.url.scheme}://{self.url.netloc}"

    def reader(self) -> Read:
        """The adapter's `read`, which raises FetchError when it has nothing."""
        read: Read = import_module(f"intelli.fetch.adapters.{self.module}").read
        return read


ENTRIES = (
    Entry(
        via="github",
        module="github_threads",
        host=r"(?:www\.|m\.)?github\.com",
        path=_REPOSITORY + r"/(?P<kind>issues|pull|discussions)/(?P<number>\d{1,9})(?:/.*)?",
    ),
    Entry(
        via="github",
        module="github_releases",
        host=r"(?:www\.|m\.)?github\.com",
        path=_REPOSITORY + r"/releases(?:/(?:tag/(?P<tag>.+)|(?P<latest>latest)))?",
    ),
    Entry(
        via="github",
        module="github_files",
        host=r"(?:www\.|m\.)?github\.com",
        path=_REPOSITORY + r"/(?:blob|raw|blame)/(?P<ref>[^/]+)/(?P<path>.+)",
    ),
    Entry(
        via="github",
        module="github_files",
        host=r"raw\.githubusercontent\.com",
        path=_NAMED + r"/(?:refs/(?:heads|tags)/)?(?P<ref>[^/]+)/(?P<path>.+)",
    ),
    Entry(
        via="github",
        module="github_files",
        host=r"(?:www\.|m\.)?github\.com",
        path=_REPOSITORY + r"(?:/tree/(?P<ref>[^/]+)(?:/(?P<folder>.+))?)?",
    ),
    Entry(
        via="github",
        module="github_gists",
        host=r"gist\.github\.com",
        path=r"(?:/[\w-]+)?/(?P<id>[0-9a-f]{5,40})(?:/[0-9a-f]{40})?",
    ),
    Entry(
        via="crates",
        module="crates",
        host=rf"(?:www\.)?{re.escape(_REGISTRY)}",
        path=r"/crates/(?P<name>[\w-]+)(?:/(?P<version>\d[\w.+-]*))?",
    ),
    Entry(
        via="stackexchange",
        module="stackexchange",
        host=r"(?:(?:meta|[a-z]{2})\.)?stackoverflow\.com|(?!api\.|chat\.|data\.|area51\.)[a-z.-]+"
        r"\.stackexchange\.com|(?:meta\.)?(?:serverfault|superuser|askubuntu|stackapps)\.com"
        r"|(?:meta\.)?mathoverflow\.net",
        path=r"/(?P<kind>questions|q|a)/(?P<id>\d{1,12})(?:/.*)?",
    ),
    Entry(
        via="arxiv",
        module="arxiv",
        host=r"(?:(?:www|export)\.)?arxiv\.org|(?:www\.)?ar5iv(?:\.labs\.arxiv)?\.org",
        path=rf"/(?:abs|pdf|html|format)/{_PAPER}(?:\.pdf)?",
    ),
    Entry(
        via="wikipedia",
        module="wikipedia",
        host=r"(?P<language>[a-z-]{2,12})(?:\.m)?\.wikipedia\.org",
        path=r"/wiki/(?P<title>(?!Special:)[^/].*)",
    ),
    Entry(
        via="mdn",
        module="mdn",
        host=r"developer\.mozilla\.org",
        path=r"/[A-Za-z-]{2,8}/docs/[^/].*",
    ),
    Entry(
        via="rustdoc",
        module="rustdoc",
        host=r"docs\.rs",
        path=r"/(?!crate/|releases|about)[\w-]+(?:/.*)?",
    ),
    Entry(
        via="rustdoc",
        module="rustdoc",
        host=r"doc\.rust-lang\.org",
        path=r"/(?:(?:stable|beta|nightly|\d[\d.]*)/)?(?:std|core|alloc|proc_macro|test)(?:/.*)?",
    ),
    Entry(
        via="hackernews",
        module="hackernews",
        host=r"news\.ycombinator\.com",
        path=r"/item",
    ),
    Entry(
        via="reddit",
        module="reddit",
        host=r"(?:(?:www|old|new|np|m|i|amp|sh)\.)?reddit\.com",
        path=r"/(?:(?:r|user)/(?P<board>[\w-]+)/)?comments/(?P<id>[0-9a-z]{2,12})(?:/.*)?",
    ),
    Entry(
        via="reddit",
        module="reddit",
        host=r"redd\.it",
        path=r"/(?P<board>)(?P<id>[0-9a-z]{2,12})",
    ),
    Entry(
        via="x",
        module="fxtwitter",
        host=r"(?:(?:www|mobile|m)\.)?(?:x|twitter|fxtwitter|vxtwitter|fixupx|fixvx)\.com",
        path=r"/(?:i/web|i|\w{1,20})/status(?:es)?/(?P<id>\d{1,20})(?:/.*)?",
    ),
)


def route(url: str) -> Route | None:
    """The page's adapter, None when it has none."""
    url = urls.normal(url)
    if not urls.is_http(url):
        return None
    parts, host = urlsplit(url), urls.host(url)
    path = parts.path.rstrip("/")
    for entry in ENTRIES:
        if re.fullmatch(entry.host, host) and (match := re.fullmatch(entry.path, path)):
            found = {name: value or "" for name, value in match.groupdict().items()}
            return Route(via=entry.via, module=entry.module, url=parts, parts=found)
    return None


def plain(part: str) -> str:
    """A part of a path without its escapes."""
    return unquote(part)
