"""URLs: the form that is fetched, the form that is compared, and what a host is."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

DEFAULT_PORTS = {"http": 80, "https": 443}
TRACKERS = re.compile(
    r"""utm_\w+ | (?:gcl|dcl|fbcl|msclk|twcl|ttcl|ycl|gcls)(?:id|rc) | [gw]braid | igshid
      | mc_[ce]id | _ga | _gl | _hsenc | _hsmi | mkt_tok | vero_id | oly_(?:anon|enc)_id
      | s_kwcid | ref_src | li_fat_id | wt_mc | cmpid | at_(?:medium|campaign) | __hs\w{1,3}
      | srsltid | PHPSESSID | JSESSIONID | ASPSESSIONID\w* | CFID | CFTOKEN""",
    re.VERBOSE | re.IGNORECASE,
)
"""Parameters that say who came from where; sessions are another visitor's."""

_SESSION = re.compile(r"(?:sid|s|sess|session_?id)=[0-9a-f]{24,}", re.IGNORECASE)
"""These names mean other things as well, but hardly with such a value."""

_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^;/?]*", re.IGNORECASE)
_SAFE = "!$%&'()*+,-./:;=?@[]_~|"
_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")


def is_http(url: str) -> bool:
    """Whether `url` is absolute, of scheme http or https, and names a host and a possible port."""
    try:
        parts = urlsplit(url.strip())
        return parts.scheme in DEFAULT_PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def host(url: str) -> str:
    """Host in ASCII and lower case without a trailing dot, "" when there is none."""
    try:
        return normal_host(urlsplit(url.strip()).hostname or "")
    except ValueError:
        return ""


def clean(url: str) -> str:
    """The form that is fetched and shown: `normal` without trackers and session ids."""
    url = normal(url)
    if not is_http(url):
        return url
    parts = urlsplit(url)
    path = _PATH_SESSION.sub("", parts.path)
    return urlunsplit(parts._replace(path=path, query=_without_trackers(parts.query)))


def normal(url: str) -> str:
    """The same address spelt one way: no userinfo, fragment or default port, host in ASCII and
    lower case, escapes of RFC 3986. What is no http(s) URL comes back as it was, stripped."""
    url = url.strip()
    name = host(url)
    if not is_http(url) or not name:
        return url
    parts = urlsplit(url)
    port = parts.port if parts.port != DEFAULT_PORTS[parts.scheme] else None
    netloc = (f"[{name}]" if ":" in name else name) + (f":{port}" if port else "")
    root = urlunsplit((parts.scheme, netloc, "/", "", ""))
    path = _escape(parts.path or "/")
    if "/." in path:
        path = urlsplit(urljoin(root, path.lstrip("/"))).path
    return urlunsplit((parts.scheme, netloc, path, _escape(parts.query), ""))


def joined(base: str, reference: str) -> str:
    """`reference` as seen from `base`, "" when it is no address."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return ""


def canonical(url: str) -> str:
    """`clean` without a trailing slash: two spellings of one address become equal."""
    return _without_slash(clean(url))


def key(url: str) -> str:
    """What duplicates are found by: `canonical` with http and https, and `www.` or not, folded.
    Never an address to fetch."""
    url = canonical(url)
    scheme, separator, rest = url.partition("://")
    return rest.removeprefix("www.") if separator and scheme in DEFAULT_PORTS else url


def same_site(one: str, other: str) -> bool:
    """Whether two URLs are of one host, `www.` aside, or of a host and its subdomain."""
    first, second = (host(url).removeprefix("www.") for url in (one, other))
    if not first or not second:
        return False
    return first == second or first.endswith(f".{second}") or second.endswith(f".{first}")


def normal_host(name: str) -> str:
    """A host name in lower-case ASCII, without its trailing dot or an IPv6 zone.

    Raises ValueError when it cannot be written in ASCII."""
    name = name.rstrip(".").lower()
    if ":" in name:
        return name.partition("%")[0]
    if name.isascii():
        return name
    return _to_ascii(name)


def _to_ascii(name: str) -> str:
    # Compatibility forms come first: full-width digits and dots spell IP addresses too.
    folded = unicodedata.normalize("NFKC", name).replace("。", ".").rstrip(".").lower()
    if folded.isascii():
        return folded
    import httpx2

    try:
        return httpx2.URL(f"http://{folded}/").raw_host.decode("ascii")
    except httpx2.InvalidURL as error:
        raise ValueError(f"no valid host name: {name}") from error


def _without_trackers(query: str) -> str:
    kept = [
        part
        for part in query.split("&")
        if part and not TRACKERS.fullmatch(part.partition("=")[0]) and not _SESSION.fullmatch(part)
    ]
    return "&".join(kept)


def _escape(text: str) -> str:
    """Percent-encode what must be and decode what need not be (RFC 3986, 6.2.2)."""
    quoted = quote(text, safe=_SAFE, errors="surrogatepass")
    return _ESCAPE.sub(_decode_unreserved, quoted)


def _decode_unreserved(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if _UNRESERVED.match(character) else match[0].upper()


def _without_slash(url: str) -> str:
    if not is_http(url):
        return url
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") or "/"))
