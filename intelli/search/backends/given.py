"""Pages that the user named take the place of a search."""

from __future__ import annotations

from collections.abc import Sequence

from intelli.errors import UsageError
from intelli.net import urls as addresses
from intelli.records import Answer, Link, Query
from intelli.search.backend import Equipment
from intelli.search.docs import DocsIndex


def make(equipment: Equipment) -> Given:
    """Raises UsageError when no page was named."""
    if not equipment.urls:
        raise UsageError(
            "the urls backend needs addresses", code="no-urls", hint="name them with --url URL"
        )
    return Given(equipment.urls, equipment.docs)


class Given:
    """Answers every query with the same addresses, followed by local files where there are any."""

    name = "urls"

    def __init__(self, urls: Sequence[str], docs: DocsIndex | None = None) -> None:
        """An address may lack `https://`. Raises UsageError naming one that is no address."""
        self._urls = [_checked(url) for url in urls]
        self._docs = docs

    async def search(self, query: Query) -> Answer:
        """The addresses in the order they were given in."""
        links = [
            Link(url=url, rank=rank, backend=self.name) for rank, url in enumerate(self._urls, 1)
        ]
        if self._docs:
            links += (await self._docs.search(query)).links
        return Answer(links=tuple(links), backend=self.name)


def _checked(url: str) -> str:
    full = url.strip() if "://" in url else f"https://{url.strip()}"
    if not addresses.is_http(full) or any(character.isspace() for character in full):
        raise UsageError(
            f"not the address of a page: {url!r}",
            code="bad-url",
            hint="an address starts with http:// or https://; local files go to --docs",
        )
    return full
