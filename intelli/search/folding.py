"""Which addresses lead to one page, so that it is read once; never what is fetched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from intelli.net import urls

_LANGUAGES = frozenset(
    "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl no pl pt ro"
    " ru sk sl sr sv sw ta te th tr uk ur vi zh".split()
)
_REGIONAL = re.compile(r"([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}|419))?\Z", re.IGNORECASE)
_LANGUAGE_FIELDS = frozenset({"hl", "locale", "setlang", "ui_locale"})
_AMP_FIELDS = frozenset({"amp", "outputtype=amp"})
_MOBILE = re.compile(r"(?:m|mobile|amp|touch)\.(?=[^.]+\.[^.])|(?<=^[a-z]{2}\.)m\.(?=[^.]+\.[^.])")
_OTHER_HOSTS = {
    "old.reddit.com": "reddit.com",
    "np.reddit.com": "reddit.com",
    "new.reddit.com": "reddit.com",
    "i.reddit.com": "reddit.com",
    "twitter.com": "x.com",
    "dx.doi.org": "doi.org",
    "export.arxiv.org": "arxiv.org",
    "ar5iv.labs.arxiv.org": "arxiv.org",
    "ar5iv.org": "arxiv.org",
    "youtube-nocookie.com": "youtube.com",
}
"""Names under which a site answers with the same pages."""

_ONE_LANGUAGE = frozenset({"github.com", "gitlab.com", "reddit.com"})
"""Two letters in an address are a name of somebody's here."""

_ARXIV = re.compile(
    r"/(?:abs|pdf|html|ps|format)/([a-z-]+(?:\.[A-Z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?(?:\.pdf)?/?\Z"
)
_GITHUB_FILE = re.compile(r"/([^/]+)/([^/]+)/(?:blob|raw)/(?:refs/heads/)?(.+)\Z")
_GITHUB_RAW = re.compile(r"/([^/]+)/([^/]+)/(?:refs/heads/)?([^/]+/.+)\Z")
_GITHUB_HOME = re.compile(r"/([^/]+)/([^/]+?)(?:\.git)?/?\Z")
_STACK = re.compile(r"/(?:questions|q)/(\d+)(?:/[^/]*)*\Z")
_VIDEO = re.compile(r"/(?:shorts|embed|live|v)/([\w-]{6,20})\Z")
_AMP_CACHE = re.compile(r"/(?:amp|[acv])/(s/)?([^/]+\.[^/]+/.*)\Z")

Fold = Callable[[SplitResult], SplitResult | None]


def page_key(url: str) -> str:
    """What all addresses of one page share: `urls.key` with the mobile, AMP and mirrored hosts,
    the translations of a page and the forms of well-known sites folded."""
    clean = urls.clean(url)
    if not urls.is_http(clean):
        return url
    parts = _outside_of_caches(urlsplit(clean))
    parts = parts._replace(netloc=_host(parts.netloc))
    for ending, fold in _SITES:
        if parts.netloc == ending or parts.netloc.endswith(f".{ending}"):
            parts = fold(parts) or parts
    if parts.netloc not in _ONE_LANGUAGE:
        parts = parts._replace(path=_path(parts.path), query=_query(parts.query))
    return urls.key(urlunsplit(parts))


def language(url: str) -> str:
    """The language that an address names, as two letters, "" when it names none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    named = [value for name, value in parse_qsl(parts.query) if name.lower() in _LANGUAGE_FIELDS]
    texts = (*named, *_segments(parts.path)[:2])
    return next((code for text in texts if (code := _code(text))), "")


def _outside_of_caches(parts: SplitResult) -> SplitResult:
    """The page behind an address of Google's AMP cache."""
    host = parts.netloc.removeprefix("www.")
    if host == "google.com" and parts.path.startswith("/amp/"):
        inside = parts.path.removeprefix("/amp/").removeprefix("s/")
    elif host.endswith(".cdn.ampproject.org") and (match := _AMP_CACHE.match(parts.path)):
        inside = match[2]
    else:
        return parts
    page = f"https://{inside}" + (f"?{parts.query}" if parts.query else "")
    return urlsplit(urls.clean(page)) if urls.is_http(page) else parts


def _host(netloc: str) -> str:
    host = netloc.removeprefix("www.")
    host = _MOBILE.sub("", host, count=1)
    return _OTHER_HOSTS.get(host, host)


def _path(path: str) -> str:
    """Without the marks of AMP pages and of the translation."""
    for ending in ("/amp", "/amp/", ".amp", ".amp.html"):
        if path.endswith(ending) and len(path) > len(ending):
            path = path[: -len(ending)] + (".html" if ending == ".amp.html" else "")
            break
    segments = _segments(path)
    for n, segment in enumerate(segments[:2]):
        if _code(segment) and len(segments) > n + 1:
            segments[n] = "_"
            return "/" + "/".join(segments)
    return path


def _query(query: str) -> str:
    kept = [
        part
        for part in query.split("&")
        if part.lower() not in _AMP_FIELDS
        and part.partition("=")[0].lower() not in {*_LANGUAGE_FIELDS, "amp"}
    ]
    return "&".join(kept)


def _segments(path: str) -> list[str]:
    return path.strip("/").split("/")


def _code(text: str) -> str:
    match = _REGIONAL.match(text)
    return match[1].lower() if match and match[1].lower() in _LANGUAGES else ""


def _to(host: str, path: str, query: str = "") -> SplitResult:
    return SplitResult("https", host, path, query, "")


def _arxiv(parts: SplitResult) -> SplitResult | None:
    match = _ARXIV.match(parts.path)
    return _to("arxiv.org", f"/abs/{match[1]}") if match else None


def _github(parts: SplitResult) -> SplitResult | None:
    """Names of owners and repositories mean the same in capitals."""
    raw = parts.netloc == "raw.githubusercontent.com"
    file = (_GITHUB_RAW if raw else _GITHUB_FILE).match(parts.path)
    if file:
        return _to("github.com", f"/{file[1].lower()}/{file[2].lower()}/blob/{file[3]}")
    home = _GITHUB_HOME.match(parts.path)
    return _to("github.com", f"/{home[1]}/{home[2]}".lower(), parts.query) if home else None


def _stack(parts: SplitResult) -> SplitResult | None:
    match = _STACK.match(parts.path)
    return _to(parts.netloc, f"/questions/{match[1]}") if match else None


def _youtube(parts: SplitResult) -> SplitResult | None:
    short = parts.path.strip("/") if parts.netloc == "youtu.be" else ""
    match = _VIDEO.match(parts.path)
    named = dict(parse_qsl(parts.query)).get("v", "") if parts.path == "/watch" else ""
    video = short or (match[1] if match else named)
    return _to("youtube.com", "/watch", urlencode({"v": video})) if video else None


def _wikipedia(parts: SplitResult) -> SplitResult | None:
    title = dict(parse_qsl(parts.query)).get("title", "")
    if parts.path != "/w/index.php" or not title or "action=" in parts.query:
        return None
    return urlsplit(urls.clean(f"https://{parts.netloc}/wiki/{title.replace(' ', '_')}"))


def _doi(parts: SplitResult) -> SplitResult | None:
    return _to(parts.netloc, unquote(parts.path).lower())


def _read_the_docs(parts: SplitResult) -> SplitResult | None:
    """`stable` and `latest` are one page to a reader; numbered versions are not."""
    path = re.sub(r"(?<=/)(?:stable|latest)(?=/)", "_", parts.path, count=1)
    return parts._replace(path=path)


def _sites() -> Iterator[tuple[str, Fold]]:
    yield "arxiv.org", _arxiv
    yield from ((host, _github) for host in ("github.com", "raw.githubusercontent.com"))
    stacks = ("stackoverflow.com", "stackexchange.com", "serverfault.com", "superuser.com")
    yield from ((host, _stack) for host in (*stacks, "askubuntu.com"))
    yield from ((host, _youtube) for host in ("youtube.com", "youtu.be"))
    yield "wikipedia.org", _wikipedia
    yield "doi.org", _doi
    yield from ((host, _read_the_docs) for host in ("readthedocs.io", "readthedocs.org"))


_SITES: tuple[tuple[str, Fold], ...] = tuple(_sites())
