"""A page after its scripts ran in a browser that reaches no network but through our own checks."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from intelli.errors import FetchError
from intelli.net import urls
from intelli.net.messages import Response

LIBRARY = "playwright"
HINT = "pip install intelli[browser], and a Chromium"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome", "chromium-headless-shell")
KINDS = frozenset({"document", "script", "xhr", "fetch"})
"""What a page needs to write its text; pictures, styles, fonts and frames are not asked for."""
MOST = 80
"""Requests of one page that are answered."""
QUIET = 0.6
"""Seconds without a request after which a page is taken for done."""
PATIENCE = 8.0
"""Seconds after which a page that never is quiet is taken as it stands."""
_ARGUMENTS = (
    # Whatever does not pass through the routes below meets a name that does not exist and a proxy
    # where nothing listens: sockets of scripts, prefetching, the browser's own errands.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
)
_DROPPED = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "set-cookie", "link"}
)


class Fetch(Protocol):
    """As `Network.fetch`: a page under the rules for addresses of pages."""

    def __call__(
        self, url: str, *, accept: str, timeout: float
    ) -> Coroutine[Any, Any, Response]: ...


async def render(url: str, fetch: Fetch, timeout: float) -> Response:
    """The page's document as it stands once its scripts are quiet, within `timeout` seconds.

    Every request of the browser is made by `fetch`: the same checks of addresses, sizes and
    redirects hold as for any page. Raises FetchError: `no-browser` where none is installed,
    `timeout`, `unreadable`, and what `fetch` raises for the page itself."""
    start = _starter()
    end = time.monotonic() + timeout
    accept = "text/html, application/xhtml+xml, */*;q=0.5"
    first = await fetch(urls.clean(url), accept=accept, timeout=max(0.001, timeout))
    visit = _Visit(fetch, first, end)
    try:
        async with asyncio.timeout(max(0.001, end - time.monotonic())), AsyncExitStack() as stack:
            # Closing the browser is inside the deadline too: one that hangs may not be waited for.
            return await visit.read(await _opened(start, stack))
    except TimeoutError as error:
        raise FetchError("the browser took too long", code="timeout", retryable=True) from error
    except import_module(f"{LIBRARY}.async_api").Error as error:
        said = str(error).partition("\n")[0][:200]
        raise FetchError(f"the browser gave up: {said}", code="unreadable") from error


def _starter() -> Callable[[], Any]:
    if find_spec(LIBRARY) is None:
        raise FetchError("no browser is installed", code="no-browser", hint=HINT)
    start: Callable[[], Any] = import_module(f"{LIBRARY}.async_api").async_playwright
    return start


async def _opened(start: Callable[[], Any], stack: AsyncExitStack) -> Any:
    """An empty page of a fresh browser, closed with the stack."""
    library = await stack.enter_async_context(start())
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    browser = await library.chromium.launch(
        executable_path=program,
        args=list(_ARGUMENTS),
        chromium_sandbox=os.geteuid() != 0,  # Chromium refuses its sandbox to the superuser
        env={"PATH": os.defpath},
        handle_sigint=False,
    )
    stack.push_async_callback(browser.close)
    context = await browser.new_context(service_workers="block", accept_downloads=False)
    return await context.new_page()


class _Visit:
    """One page's requests; `shown` is the answer that the main frame shows."""

    def __init__(self, fetch: Fetch, first: Response, end: float) -> None:
        self._fetch = fetch
        self._first: Response | None = first
        self._shown = first
        self._end = end
        self._count = 0
        self._open = 0
        self._moved = asyncio.Event()

    async def read(self, page: Any) -> Response:
        await page.route("**/*", self._answered)
        await page.route_web_socket("**/*", lambda socket: socket.close())
        await page.goto(self._shown.url, wait_until="domcontentloaded", timeout=0)
        await self._until_quiet(min(time.monotonic() + PATIENCE, self._end - QUIET))
        html = await page.content()
        return Response(
            status=self._shown.status,
            url=self._shown.url,
            headers={"content-type": "text/html; charset=utf-8"},
            body=html.encode("utf-8", "replace"),
        )

    async def _until_quiet(self, end: float) -> None:
        while time.monotonic() < end:
            self._moved.clear()
            try:
                async with asyncio.timeout(QUIET):
                    await self._moved.wait()
            except TimeoutError:
                if not self._open:
                    return

    async def _answered(self, route: Any, request: Any) -> None:
        """Answers a request of the browser with what our own client gets."""
        is_page = request.is_navigation_request()
        is_framed = is_page and request.frame.parent_frame is not None
        is_needed = request.resource_type in KINDS and request.method == "GET" and not is_framed
        if not is_needed or self._count >= MOST:
            await route.abort()
            return
        self._count += 1
        self._open += 1
        self._moved.set()
        try:
            response = await self._response(request)
            if is_page:
                self._shown = response
            headers = {
                name: value for name, value in response.headers.items() if name not in _DROPPED
            }
            await route.fulfill(status=response.status, headers=headers, body=response.body)
        except FetchError:
            await route.abort()
        finally:
            self._open -= 1
            self._moved.set()

    async def _response(self, request: Any) -> Response:
        first, self._first = self._first, None
        if first is not None:
            return first
        left = max(0.001, self._end - time.monotonic())
        accept = request.headers.get("accept", "*/*")
        return await self._fetch(request.url, accept=accept, timeout=left)
