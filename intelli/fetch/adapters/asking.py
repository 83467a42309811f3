"""What an adapter may do for one page: ask its service or its site, and have a body read."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urljoin

from intelli.errors import FetchError, without_secret
from intelli.net import urls
from intelli.net.client import Response, ServiceRequest
from intelli.records import record

if TYPE_CHECKING:
    from intelli.fetch.services import Services
    from intelli.fetch.tools import FetchTools
    from intelli.text.document import Document

JSON = "application/json"
MAX_BYTES = 8_000_000
_REDIRECTS = frozenset({301, 302, 307, 308})
_REFUSALS = frozenset({403, 429})


@record
class Article:
    """What an adapter made of its site's answer: Markdown without the title. `published` is an
    ISO date, `url` the address of the thing for people where it is not the one asked for."""

    text: str
    title: str = ""
    published: str | None = None
    url: str = ""


class Asking:
    """One page's requests; `deadline` is on the monotonic clock and covers all of them."""

    def __init__(self, tools: FetchTools, services: Services, deadline: float) -> None:
        self._tools = tools
        self._services = services
        self._deadline = deadline

    async def page(self, url: str, accept: str = "*/*") -> Response:
        """The answer with status 200 at an address of a page. Raises FetchError."""
        return _good(await self._fetch(url, accept))

    async def document(self, url: str) -> Document:
        """What stands at an address of a page. Raises FetchError, `empty` without any text."""
        response = await self.page(url)
        return await self.read(response.body, response.content_type, response.url)

    async def read(self, body: bytes, content_type: str, url: str) -> Document:
        """What a body says. Raises FetchError, `empty` without any text."""
        document = await self._tools.reader.read(body, content_type, url)
        if document.error is not None or not document.text.strip():
            raise FetchError("there is no text in it", code=document.error or "empty")
        return document

    async def read_html(self, html: str, url: str) -> Document:
        """What a composed page says. Raises as `read`."""
        return await self.read(html.encode("utf-8", "replace"), "text/html; charset=utf-8", url)

    async def json(self, service: str, path: str, query: Mapping[str, object] | None = None) -> Any:
        """The JSON that a service answers with at a path below its address. Raises FetchError."""
        return parsed(await self.get(service, path, query))

    async def get(
        self,
        service: str,
        path: str,
        query: Mapping[str, object] | None = None,
        *,
        accept: str = JSON,
    ) -> Response:
        """The answer with status 200 of a service. Raises FetchError.

        A service at its public address is asked under the rules for pages, unless it is shown a
        key: then it is called, as one at an address of the user's is."""
        url = self._services.urls[service] + path + (f"?{urlencode(query)}" if query else "")
        self._services.check(service)
        with self._minding(service):
            if service in self._services.chosen or service in self._services.keys:
                return _good(await self._called(service, url, accept))
            return _good(await self._fetch(url, accept))

    async def _fetch(self, url: str, accept: str) -> Response:
        return await self._tools.network.fetch(url, accept=accept, timeout=self._left())

    async def _called(self, service: str, url: str, accept: str) -> Response:
        """The service's answer; a redirect is followed once, and only on the same host."""
        key = self._services.keys.get(service)
        shown = {"authorization": f"Bearer {key}"} if key else {}
        for _ in range(2):
            request = ServiceRequest(
                method="GET",
                url=url,
                headers={"accept": accept, **shown},
                timeout=self._left(),
                max_bytes=MAX_BYTES,
            )
            try:
                response = await self._services.calls.call(request)
            except FetchError as error:
                raise without_secret(error, key) from None
            target = urljoin(url, response.headers.get("location", ""))
            if response.status not in _REDIRECTS or _origin(target) != _origin(url):
                break
            url = target
        return response

    @contextmanager
    def _minding(self, service: str) -> Iterator[None]:
        """Remembers a refusal, so that the service is not asked again for every page."""
        try:
            yield
        except RefusedError as error:
            self._services.rest(service, error.seconds)
            raise

    def _left(self) -> float:
        return max(0.001, self._deadline - time.monotonic())


class RefusedError(FetchError):
    """The service refuses for now; `seconds` is how long, where it says so."""

    def __init__(self, message: str, *, code: str, seconds: float | None = None) -> None:
        super().__init__(message, code=code, retryable=True)
        self.seconds = seconds


def parsed(response: Response) -> Any:
    """The body as JSON. Raises FetchError `bad-answer` for anything else."""
    try:
        return json.loads(response.body)
    except (ValueError, RecursionError) as error:
        raise FetchError("the answer is no JSON", code="bad-answer") from error


def _good(response: Response) -> Response:
    status = response.status
    if status == 200:
        return response
    message = f"{urls.host(response.url)} answered {status}"
    if status in _REFUSALS:
        raise RefusedError(message, code=f"http-{status}", seconds=_seconds(response.headers))
    raise FetchError(message, code=f"http-{status}", retryable=status >= 500)


def _seconds(headers: Mapping[str, str]) -> float | None:
    """Seconds until a refusal ends: `Retry-After`, or GitHub's epoch in `X-RateLimit-Reset`."""
    later = headers.get("retry-after", "").strip()
    if later.isascii() and later.isdigit():
        return float(later)
    reset = headers.get("x-ratelimit-reset", "").strip()
    if headers.get("x-ratelimit-remaining") == "0" and reset.isascii() and reset.isdigit():
        return max(0.0, float(reset) - time.time())
    return None


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])
