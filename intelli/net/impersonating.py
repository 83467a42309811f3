"""The second client: asks as a browser asks, through curl_cffi, within the bounds of the first."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from intelli.errors import FetchError
from intelli.net import guard
from intelli.net.body import ACCEPT_ENCODING, Meter
from intelli.net.wires import MAX_HEADERS, REDIRECTS, Answer, Collector, Hop

if TYPE_CHECKING:
    from curl_cffi import AsyncCurl, Curl

TARGET = "chrome146"
MAX_HEAD = 100_000
"""Bytes of an answer's head, as with the plain client."""
_ABORT = 0xFFFFFFFF
_HTTP_1_1 = 2
_TLS = frozenset({35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91})
"""What libcurl calls trouble with certificates and handshakes."""
_REASONS = {
    1: "the answer is no HTTP", 7: "nobody listens", 8: "the answer is no HTTP",
    18: "it broke off", 35: "no agreement on TLS", 52: "it ended without an answer",
    56: "it broke off", 60: "the certificate is not to be trusted", 92: "it broke off",
    100: "the head is too long",
}  # fmt: skip
"""Errors of libcurl in words; the others keep their number."""


def is_installed() -> bool:
    """Whether the extra `impersonate` is there; nothing is imported to find out."""
    return find_spec("curl_cffi") is not None


class Browser:
    """A PageClient. Connects to addresses that were checked and to no others, follows nothing, and
    takes the body as it is on the wire into our own decoder: every limit is that of the plain
    client. The caller's deadline cancels `get`, which closes the connection."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._multi: AsyncCurl | None = None

    async def aclose(self) -> None:
        multi, self._multi = self._multi, None
        if multi is not None:
            await multi.close()  # type: ignore[no-untyped-call]

    async def get(self, hop: Hop) -> Answer:
        """A page, as PageClient says."""
        from curl_cffi import AsyncCurl, Curl, CurlError

        self._multi = self._multi or AsyncCurl()
        curl = Curl()
        transfer = _Transfer(hop.url, self._max_bytes)
        try:
            _prepare(curl, hop, transfer)
            finished = self._multi.add_handle(curl)
            try:
                await finished
            except asyncio.CancelledError:
                self._multi.remove_handle(curl)
                raise
        except CurlError as error:
            transfer.fail(_named(int(error.code), hop.host))
        finally:
            curl.close()
        return transfer.answer()


class _Transfer:
    """What arrives of one answer; libcurl hands it over in pieces and ends when told to."""

    def __init__(self, url: str, max_bytes: int) -> None:
        self._url = url
        self._max_bytes = max_bytes
        self._head: list[bytes] = []
        self._head_bytes = 0
        self._collector: Collector | None = None
        self._meter: Meter | None = None
        self._error: FetchError | None = None

    def take_header(self, line: bytes) -> int:
        if line.startswith(b"HTTP/"):  # an interim answer came before
            self._head.clear()
        self._head.append(line)
        self._head_bytes += len(line)
        if self._head_bytes > MAX_HEAD or len(self._head) > MAX_HEADERS + 2:
            self._error = FetchError("the answer's head does not end", code="too-large")
            return _ABORT
        return len(line)

    def take_body(self, data: bytes) -> int:
        try:
            collector, meter = self._begin()
            if self._is_redirect:
                return _ABORT
            for piece in meter.feed(data):
                collector.body += piece
        except FetchError as error:
            self._error = error
            return _ABORT
        return len(data)

    def fail(self, error: FetchError) -> None:
        """The transfer ended early: by us, which is no failure for a redirect, or with `error`."""
        if self._is_redirect:
            return
        error = self._error or error
        if self._collector is None:
            raise error
        self._collector.cut(error)

    def answer(self) -> Answer:
        collector, _ = self._begin()
        lines = self._pairs()
        cookies = tuple(value for name, value in lines if name == "set-cookie")
        return Answer(response=collector.response(self._status, self._url), cookies=cookies)

    def _begin(self) -> tuple[Collector, Meter]:
        if self._collector is None or self._meter is None:
            headers: dict[str, str] = {}
            for name, value in self._pairs():
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
            self._collector = Collector(headers, self._max_bytes)
            self._meter = Meter(self._collector.decoder, self._max_bytes)
        return self._collector, self._meter

    @property
    def _status(self) -> int:
        words = self._head[0].split() if self._head else []
        return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0

    @property
    def _is_redirect(self) -> bool:
        return self._status in REDIRECTS and any(name == "location" for name, _ in self._pairs())

    def _pairs(self) -> list[tuple[str, str]]:
        parted = (line.decode("latin-1").partition(":") for line in self._head[1:])
        return [(name.strip().lower(), value.strip()) for name, colon, value in parted if colon]


def _prepare(curl: Curl, hop: Hop, transfer: _Transfer) -> None:
    from curl_cffi import CurlOpt

    parts = urlsplit(hop.url)
    url = hop.url
    if guard.literal(hop.host) is not None:  # no spelling of a number is left for curl to read
        number = _spelt(str(hop.addresses[0]))
        url = parts._replace(netloc=f"{number}:{hop.port}").geturl()
    if curl.impersonate(TARGET) != 0:
        raise FetchError(f"curl_cffi knows no {TARGET}", code="connection")
    ours = {name: value for name, value in hop.headers.items() if name != "accept"}
    lines = [f"{name}: {value}" for name, value in ours.items()]
    pinned = ",".join(_spelt(str(address)) for address in hop.addresses)
    options: list[tuple[CurlOpt, object]] = [
        (CurlOpt.URL, url.encode("ascii")),
        (CurlOpt.RESOLVE, [f"{hop.host}:{hop.port}:{pinned}".encode("ascii")]),
        (
            CurlOpt.HTTPHEADER,
            [line.encode() for line in (f"Accept-Encoding: {ACCEPT_ENCODING}", *lines)],
        ),
        (CurlOpt.HTTP_CONTENT_DECODING, 0),
        (CurlOpt.FOLLOWLOCATION, 0),
        (CurlOpt.PROTOCOLS_STR, b"http,https"),
        (CurlOpt.PROXY, b""),
        (CurlOpt.HEADERFUNCTION, transfer.take_header),
        (CurlOpt.WRITEFUNCTION, transfer.take_body),
    ]
    if parts.scheme == "http":  # an offer to speak HTTP/2 in the clear is not what browsers send
        options.append((CurlOpt.HTTP_VERSION, _HTTP_1_1))
    for option, value in options:
        curl.setopt(option, value)


def _spelt(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _named(code: int, host: str) -> FetchError:
    reason = _REASONS.get(code, f"error {code} of curl")
    if code in _TLS:
        return FetchError(f"no secure connection to {host}: {reason}", code="tls")
    message = f"the connection to {host} failed: {reason}"
    return FetchError(message, code="connection", retryable=True)
