"""What goes out over the network and what comes back: plain records."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer read to its end: `headers` have lower-case names, `body` is decoded and capped.

    `truncated` is True when a text body was cut, by our cap or by the server. An answer that was
    kept has `fetched`, when its server gave or confirmed it (ISO 8601, UTC), and `age_s`, the
    seconds since then; one that just came has neither."""

    status: int
    url: str
    headers: Mapping[str, str]
    body: bytes
    truncated: bool = False
    fetched: str | None = None
    age_s: float = 0.0

    @property
    def content_type(self) -> str:
        """The header as sent, "" when there is none."""
        return self.headers.get("content-type", "")

    @property
    def media_type(self) -> str:
        """`type/subtype` in lower case, without parameters."""
        return self.content_type.partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What we have of a page already: the server may answer 304 to a request for `url` that shows
    it `headers` (`if-none-match`, `if-modified-since`)."""

    url: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRequest:
    """A call to a service the user configured. `timeout` is in seconds and covers the whole call,
    body included; `max_bytes` is the size of the decoded body it may answer with."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""
    timeout: float = 60.0
    max_bytes: int = 8_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedResponse:
    """An answer whose decoded body arrives in pieces while the stream is open."""

    status: int
    url: str
    headers: Mapping[str, str]
    chunks: AsyncIterator[bytes]
