"""What fetching a page needs, handed in by whoever owns it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from intelli.fetch.services import Services
from intelli.fetch.twin import TwinMemory
from intelli.net.client import Response
from intelli.records import Page
from intelli.text.document import Document


class Fetches(Protocol):
    """Pages by their address, under the rules for addresses of pages."""

    async def fetch(self, url: str, *, accept: str, timeout: float) -> Response:
        """The page, whatever its HTTP status, within `timeout` seconds; raises FetchError."""
        ...


class Reads(Protocol):
    """Bytes to a Document, off the event loop; raises FetchError `unreadable`."""

    async def read(self, body: bytes, content_type: str, url: str) -> Document: ...


class LocalDocuments(Protocol):
    """The user's own files, by the `file://` links a search over them gave out."""

    async def read(self, url: str) -> Document:
        """Raises FetchError for what is not one of them."""
        ...


class StoredDocuments(Protocol):
    """Pages that earlier runs have stored."""

    async def read(self, url: str) -> Page:
        """The page as it was stored; raises FetchError for what is not there."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchTools:
    """`timeout` is in seconds for a page, in all. Keep one object for a run: `twins` learns.

    `forget` drops an address and its `Accept` from what is kept between runs. Without `services`
    no site adapter is used, and nobody else is asked for a page."""

    network: Fetches
    reader: Reads
    timeout: float
    docs: LocalDocuments | None = None
    stored: StoredDocuments | None = None
    services: Services | None = None
    forget: Callable[[str, str], None] | None = None
    twins: TwinMemory = field(default_factory=TwinMemory)
