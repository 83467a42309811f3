"""What every extracting engine offers: one page in, what the question asks for out."""

from __future__ import annotations

from typing import Protocol

from intelli.records import Extract, Page, Query


class Extractor(Protocol):
    """The first half of an engine; a collator of the same engine is the second."""

    async def extract(self, page: Page, query: Query) -> Extract:
        """Keep what answers `query`. An empty `text` means that nothing on the page does.

        Raises ExtractError when the page could not be read; that costs this page alone.
        """
        ...
