"""What earlier runs have stored as a search backend: no network is touched."""

from __future__ import annotations

from dataclasses import replace

from intelli.records import Answer, Query
from intelli.search.backend import Equipment
from intelli.search.fields import answer
from intelli.search.rules import is_allowed
from intelli.search.stored import StoredPages


def make(equipment: Equipment) -> Cache:
    """Over the pages of the settings' cache directory."""
    return Cache(equipment.stored or StoredPages(equipment.settings.cache_dir))


class Cache:
    """Links to the pages of all sessions; who fetches one reads it from there."""

    name = "cache"

    def __init__(self, stored: StoredPages) -> None:
        self._stored = stored

    async def search(self, query: Query) -> Answer:
        """The best first, at most twice the pages wanted. Raises BackendError `nothing-stored`."""
        found = await self._stored.search(query.text, query.urls * 2)
        links = (
            replace(
                match.page.link,
                title=match.page.title or match.page.link.title,
                snippet=match.snippet,
                published=match.page.published,
                ref=match.ref,
            )
            for match in found
        )
        return answer(self.name, (link for link in links if is_allowed(link.url, query)))
