"""What every collating engine offers: the extracts of a run in, one report out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from intelli.records import Query, Report, Source


class Collator(Protocol):
    """The second half of an engine; an extractor of the same engine is the first."""

    async def collate(self, query: Query, sources: Sequence[Source], answer: str) -> Report:
        """Write the report. Every source has a page and an extract with text; `answer` is what the
        search backend wrote by itself, often empty, and never a source.

        Raises CollationFailed when no report came of it; the extracts are kept.
        """
        ...
