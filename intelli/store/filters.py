"""Which sessions a list shows: by date, by words of the question, by the site of a source."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from intelli.records import record
from intelli.store import layout
from intelli.store.catalog import terms_of
from intelli.store.listing import sites_of
from intelli.store.meta import instant
from intelli.store.summary import Summary


@record
class Filter:
    """A session must fulfil all that is set. `words` all stand in the question, in any form;
    `site` is a host, which includes its subdomains."""

    since: datetime | None = None
    before: datetime | None = None
    words: str = ""
    site: str = ""

    def admits(self, session: Summary, cache_dir: Path) -> bool:
        """Looks at the directory only for `site`."""
        moment = instant(session.timestamp)
        if self.since is not None and moment < self.since:
            return False
        if self.before is not None and moment >= self.before:
            return False
        if not terms_of(self.words) <= terms_of(session.query):
            return False
        label = layout.site_label(self.site)
        return not label or any(
            site == label or site.endswith(f"-{label}")
            for site in sites_of(cache_dir / session.name)
        )

    def condition(self) -> tuple[str, list[object]]:
        """The same for the catalog: a condition of SQL and its values."""
        parts = list(self._parts())
        words = " AND ".join(part for part, _ in parts) or "1"
        return words, [value for _, values in parts for value in values]

    def _parts(self) -> Iterator[tuple[str, list[object]]]:
        if self.since is not None:
            yield "moment >= ?", [self.since.timestamp()]
        if self.before is not None:
            yield "moment < ?", [self.before.timestamp()]
        for term in sorted(terms_of(self.words)):
            yield "id IN (SELECT session FROM terms WHERE term = ?)", [term]
        if label := layout.site_label(self.site):
            matching = "SELECT session FROM sites WHERE site = ? OR site LIKE ?"
            yield f"id IN ({matching})", [label, f"%-{label}"]
