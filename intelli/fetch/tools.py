"""What fetching a page needs, handed in by whoever owns it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from intelli.fetch.twin import TwinMemory
from intelli.net.client import Network
from intelli.text.document import Document


class Reads(Protocol):
    """Bytes to a Document, off the event loop; raises FetchError `unreadable`."""

    async def read(self, body: bytes, content_type: str, url: str) -> Document: ...


class LocalDocuments(Protocol):
    """The user's own files, by the `file://` links a search over them gave out."""

    async def read(self, url: str) -> Document:
        """Raises FetchError for what is not one of them."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchTools:
    """`timeout` is in seconds for a page, in all. Keep one object for a run: `twins` learns."""

    network: Network
    reader: Reads
    timeout: float
    docs: LocalDocuments | None = None
    twins: TwinMemory = field(default_factory=TwinMemory)
