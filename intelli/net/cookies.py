"""Cookies of a run: each site gets back its own, nobody else's, and nothing is written down."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import httpx2

MAX_SITES = 200
MAX_COOKIES = 50
"""Of one site; a browser keeps at least as many (RFC 6265, 6.1)."""
MAX_LENGTH = 4096
"""Characters of one `Set-Cookie` line."""


class Cookies:
    """A jar for each site. A site is a host with its port, `www.` aside: whatever domain a cookie
    names, without the list of public suffixes a wider one could reach strangers."""

    def __init__(self) -> None:
        self._jars: OrderedDict[str, httpx2.Cookies] = OrderedDict()

    def header(self, url: str) -> str:
        """The `Cookie` header for a request to `url`, "" for none."""
        jar = self._jars.get(_site(url))
        if jar is None:
            return ""
        import httpx2

        request = httpx2.Request("GET", url)
        jar.set_cookie_header(request)
        return request.headers.get("cookie", "")

    def keep(self, url: str, lines: Sequence[str]) -> None:
        """Remember the `Set-Cookie` lines of an answer from `url`, as far as there is room."""
        fitting = [line for line in lines if _is_fit(line)][:MAX_COOKIES]
        if not fitting:
            return
        import httpx2

        jar = self._jars.pop(_site(url), None) or httpx2.Cookies()
        answer = httpx2.Response(
            200,
            headers=[("set-cookie", line) for line in fitting],
            request=httpx2.Request("GET", url),
        )
        jar.extract_cookies(answer)
        if len(jar.jar) <= MAX_COOKIES:  # who sets more than that starts anew
            self._jars[_site(url)] = jar
        if len(self._jars) > MAX_SITES:
            self._jars.popitem(last=False)


def _is_fit(line: str) -> bool:
    return len(line) <= MAX_LENGTH and line.isascii() and line.isprintable()


def _site(url: str) -> str:
    return urlsplit(url).netloc.removeprefix("www.")
