"""Addresses in what is no claim (lists of sources, definitions of links) that are no source."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from intelli.collate.claims import Statement
from intelli.collate.details import Detail
from intelli.collate.locate import locate
from intelli.collate.sources import SourceText
from intelli.records import Claim
from intelli.text.folding import fold_plain

_ADDRESS = re.compile(r"https?://[^\s<>\"'|\])}]{3,2000}")
_MOST = 200


def unknown_addresses(
    text: str, statements: Sequence[Statement], texts: Mapping[int, SourceText]
) -> Iterator[Claim]:
    """An `unsupported` claim for each address of `text` that is in none of its statements and in no
    source, of the first 200; `statements` are in order. The item is -1 less the place."""
    starts = [each.start for each in statements]
    found = 0
    for match in _ADDRESS.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        if before >= 0 and match.start() < statements[before].end:
            continue
        address = match.group().rstrip(".,;:!?_*'")
        if not _is_known(address, texts):
            yield Claim(
                text=address, sources=(), status="unsupported", missing=(address,), evidence=(),
                start=match.start(), end=match.start() + len(address), item=-1 - match.start(),
            )  # fmt: skip
        found += 1
        if found == _MOST:
            return


def _is_known(address: str, texts: Mapping[int, SourceText]) -> bool:
    sought = Detail(kind="url", text=address, start=0, end=0, needle=fold_plain(address))
    return any(locate(sought, source) for source in texts.values())
