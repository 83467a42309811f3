"""What a page says about itself: title, date, language, addresses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from intelli.text.html_tree import text_of

_DATE = re.compile(r"\b((?:19|20)\d\d)-(\d\d?)-(\d\d?)")
_COMPACT = re.compile(r"^((?:19|20)\d\d)(\d\d)(\d\d)(?:\D|T|$)")
_DATE_METAS = (
    "article:published_time", "datepublished", "date", "dc.date.issued", "dc.date",
    "dcterms.created", "dcterms.date", "citation_publication_date", "citation_date",
    "publish-date", "publish_date", "pubdate", "parsely-pub-date", "sailthru.date",
    "article.published", "og:published_time", "og:article:published_time", "publication_date",
)  # fmt: skip
_MODIFIED_METAS = (
    "article:modified_time", "og:updated_time", "datemodified", "dcterms.modified",
    "dc.date.modified", "last-modified", "revised", "docsearch:last_modified",
)  # fmt: skip
_AUTHOR_METAS = ("author", "article:author", "dc.creator", "citation_author", "parsely-author")
_NAME_LENGTH = 80
_AUTHOR_LENGTH = 200
_MARKDOWN = frozenset({"text/markdown", "text/x-markdown"})
_PARTING = re.compile(r"\s+(?:[|·»«•–—-]|::|\\|/|&mdash;)\s+")
_JSON_DEPTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """`published` and `modified` are ISO dates, `author` is the name or the names; both addresses
    are absolute and http(s)."""

    title: str
    published: str | None
    modified: str | None
    author: str | None
    language: str | None
    canonical: str | None
    alternate: str | None
    base: str


def metadata_of(root: HtmlElement, url: str) -> Metadata:
    """Read before scripts are dropped: JSON-LD is one of them."""
    metas = _metas(root)
    base = _base(root, url)
    things = list(_linked_data(root))
    return Metadata(
        title=_title(root, metas, things, base),
        published=_published(root, metas, things),
        modified=_modified(root, metas, things),
        author=_author(root, metas, things),
        language=_language(root, metas),
        canonical=_address(root, base, lambda link: "canonical" in _relations(link))
        or _http(metas.get("og:url", ""), base),
        alternate=_address(root, base, _is_markdown_twin),
        base=base,
    )


def _metas(root: HtmlElement) -> dict[str, str]:
    found: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or ""
        content = (meta.get("content") or "").strip()
        if not content and meta.get("http-equiv", "").lower() == "content-language":
            continue
        if name and content and content.lower() not in {"undefined", "null", "none"}:
            found.setdefault(name.strip().lower(), " ".join(content.split()))
        elif meta.get("http-equiv", "").lower() == "content-language" and content:
            found.setdefault("content-language", content)
    return found


def _base(root: HtmlElement, url: str) -> str:
    tag = root.find(".//base[@href]")
    if tag is None:
        return url
    return _http(tag.get("href") or "", url) or url


def _title(
    root: HtmlElement, metas: dict[str, str], things: list[dict[str, object]], base: str
) -> str:
    element = root.find(".//head/title")
    if element is None:
        element = root.find(".//title")
    declared = text_of(element) if element is not None else ""
    named = metas.get("og:title") or metas.get("twitter:title") or metas.get("citation_title") or ""
    headings = [text_of(h).rstrip("¶§# ") for h in root.iter("h1")]
    headings = [heading for heading in headings if heading]
    sites = {_squeezed(metas.get(name, "")) for name in ("og:site_name", "application-name")}
    sites.add(_squeezed(urlsplit(base).netloc.removeprefix("www.").rpartition(".")[0]))
    for heading in headings:
        if _squeezed(heading) in _squeezed(declared or named) and len(heading) > 3:
            if not _ends(heading, declared):
                return heading
            sites.add(_squeezed(heading))
    if len(headings) == 1 and not declared and not named:
        return headings[0]
    if named and _squeezed(named) in _squeezed(declared):
        return named
    return _without_site(declared, sites) or named or _headline(things)


def _ends(heading: str, title: str) -> bool:
    """Whether a heading is only the last part of the title, where sites put their own name."""
    parts = _PARTING.split(title)
    return len(parts) > 1 and _squeezed(heading) == _squeezed(parts[-1])


def _without_site(title: str, sites: set[str]) -> str:
    parts = _PARTING.split(title)
    if len(parts) > 1 and _squeezed(parts[-1]) in sites:
        return title[: title.rindex(parts[-1])].rstrip(" |·»«•–—-:\\/")
    return title


def _headline(things: list[dict[str, object]]) -> str:
    for thing in things:
        for key in ("headline", "name"):
            if isinstance(value := thing.get(key), str) and value.strip():
                return " ".join(value.split())
    return ""


def _published(
    root: HtmlElement, metas: dict[str, str], things: list[dict[str, object]]
) -> str | None:
    values = [str(thing["datePublished"]) for thing in things if "datePublished" in thing]
    values += [metas[name] for name in _DATE_METAS if name in metas]
    for element in root.iter("time", "span", "abbr"):
        if element.get("itemprop") == "datePublished" or element.get("pubdate") is not None:
            values.append(element.get("datetime") or element.get("content") or text_of(element))
    for value in values:
        if (found := iso_date(value)) is not None:
            return found
    return _only_time(root)


def _modified(
    root: HtmlElement, metas: dict[str, str], things: list[dict[str, object]]
) -> str | None:
    values = [str(thing["dateModified"]) for thing in things if "dateModified" in thing]
    values += [metas[name] for name in _MODIFIED_METAS if name in metas]
    for element in root.iter("time", "span", "relative-time"):
        if element.get("itemprop") == "dateModified":
            values.append(element.get("datetime") or element.get("content") or text_of(element))
    return next((found for value in values if (found := iso_date(value)) is not None), None)


def _author(
    root: HtmlElement, metas: dict[str, str], things: list[dict[str, object]]
) -> str | None:
    named = [name for thing in things for name in _names(thing.get("author"), 0)]
    if not named:
        named = [metas[name] for name in _AUTHOR_METAS if name in metas][:1]
    if not named:
        links = (a for a in root.iter("a") if "author" in (a.get("rel") or "").lower().split())
        named = [text_of(link) for link in links][:1]
    named = [" ".join(name.split()) for name in named if not name.startswith(("http:", "https:"))]
    found = ", ".join(dict.fromkeys(name for name in named if 0 < len(name) <= _NAME_LENGTH))
    return found[:_AUTHOR_LENGTH] or None


def _names(author: object, depth: int) -> list[str]:
    """The names in a JSON-LD author: a text, a thing with a name, or a list of such."""
    if isinstance(author, list) and depth < 2:
        return [name for one in author for name in _names(one, depth + 1)]
    if isinstance(author, dict):
        author = author.get("name")
    return [author] if isinstance(author, str) else []


def _only_time(root: HtmlElement) -> str | None:
    # A page with one dated element is dated by it; several may be comments or related posts.
    times = {iso_date(element.get("datetime") or "") for element in root.iter("time")} - {None}
    return times.pop() if len(times) == 1 else None


def iso_date(text: str) -> str | None:
    """The first ISO-like date in a string as YYYY-MM-DD, None when there is no possible one."""
    match = _DATE.search(text.replace("/", "-")) or _COMPACT.match(text.strip())
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[2]), int(match[3])).isoformat()
    except ValueError:
        return None


def _language(root: HtmlElement, metas: dict[str, str]) -> str | None:
    value = (
        root.get("lang")
        or root.get("{http://www.w3.org/XML/1998/namespace}lang")
        or root.get("xml:lang")
        or metas.get("content-language")
        or metas.get("og:locale")
        or ""
    )
    value = value.split(",")[0].strip().replace("_", "-")
    return value if re.fullmatch(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*", value) else None


def _address(root: HtmlElement, base: str, wanted: object) -> str | None:
    assert callable(wanted)
    for link in root.iter("link"):
        if wanted(link) and (found := _http(link.get("href") or "", base)):
            return found
    return None


def _relations(link: HtmlElement) -> list[str]:
    return (link.get("rel") or "").lower().split()


def _is_markdown_twin(link: HtmlElement) -> bool:
    media = (link.get("type") or "").partition(";")[0].strip().lower()
    return "alternate" in _relations(link) and media in _MARKDOWN


def _http(address: str, base: str) -> str | None:
    address = address.strip()
    if not address or address.lower() in {"undefined", "null"}:
        return None
    try:
        url = urljoin(base, address)
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.netloc else None


def _linked_data(root: HtmlElement) -> Iterator[dict[str, object]]:
    for script in root.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower():
            continue
        try:
            data = json.loads(script.text or "", strict=False)
        except (ValueError, RecursionError):
            continue
        yield from _articles(data, 0)


def _articles(data: object, depth: int) -> Iterator[dict[str, object]]:
    """The things of a JSON-LD document that may be the page itself."""
    if depth > _JSON_DEPTH:
        return
    if isinstance(data, list):
        for item in data:
            yield from _articles(item, depth + 1)
    elif isinstance(data, dict):
        if re.search(
            r"Article|Posting|NewsStory|Question|WebPage|Report|HowTo", str(data.get("@type"))
        ):
            yield data
        for key in ("@graph", "mainEntity", "mainEntityOfPage"):
            if key in data:
                yield from _articles(data[key], depth + 1)


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())
