"""A web search service: asked once, its refusals explained, its answer read, its price noted."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass

from intelli.errors import BackendError, without_secret
from intelli.model.prices import price_of_search
from intelli.records import Answer, Link, Query
from intelli.search.backend import Equipment
from intelli.search.fields import Row, address, answer, date, snippet, text
from intelli.search.rules import hosts
from intelli.text.snippets import untagged

Ask = Callable[[Equipment, Query], Awaitable[Iterable[Link | None]]]
"""Asks a service once: its results in rank order, None for one without an address."""

_KEY_REFUSED = frozenset({"http-401", "http-402", "http-403"})
_ABOUT_KEY = re.compile(r"api.?key|token|unauthori[sz]ed|authenticat|credential", re.IGNORECASE)
_LONGEST = 5_000
"""Characters of a snippet that are looked at; services may send whole pages."""
_ODD = frozenset(
    {"bad-answer", "layout-changed", *(f"http-{n}" for n in (301, 302, 307, 308, 404, 405, 410))}
)
"""What is said where something else answers than the service."""


class Service:
    """A backend of the table; `priced_as` is its name in litellm's price list, `most` how many
    results it gives at once, and one that is `free` costs nothing with a key either."""

    def __init__(
        self,
        equipment: Equipment,
        ask: Ask,
        *,
        priced_as: str = "",
        most: int = 100,
        free: bool = False,
    ) -> None:
        self.name = equipment.name
        self._equipment = equipment
        self._ask = ask
        self._priced_as = priced_as
        self._most = most
        self._free = free

    async def search(self, query: Query) -> Answer:
        """Raises BackendError without the key in it; Stopped by the budget."""
        try:
            return answer(self.name, await self._paid(query))
        except BackendError as error:
            raise explained(error, self._equipment) from None

    async def _paid(self, query: Query) -> Iterable[Link | None]:
        models = self._equipment.models
        if models is None or self._free or not self._equipment.key:
            return await self._ask(self._equipment, query)
        what, price = f"a search with {self.name}", self.usd(query.urls * 2)
        return await models.paid(what, price, lambda: self._ask(self._equipment, query))

    def usd(self, results: int) -> float | None:
        """Dollars of one search, None when nobody lists a price."""
        if self._free or not self._equipment.key:
            return 0.0
        return price_of_search(self._priced_as, min(self._most, results))


def explained(error: BackendError, equipment: Equipment) -> BackendError:
    """The error without the key in it, and with what the user can do about it."""
    variable, key = equipment.key_name, equipment.key
    if variable and _is_about_key(error):
        error.hint = f"check {variable}" if key else f"set {variable}"
    elif variable and not key and error.code in ("rate-limit", "challenge"):
        error.hint = f"set {variable} for higher limits, or name another --backend"
    elif error.code in _ODD:
        error.hint = error.hint or f"check `backends.{equipment.name}.url`"
    return without_secret(error, key)


def _is_about_key(error: BackendError) -> bool:
    """Some services refuse a key with 400 or 422, and say so in words only."""
    in_words = error.code in ("http-400", "http-422") and _ABOUT_KEY.search(error.message)
    return error.code in _KEY_REFUSED or bool(in_words)


def words(query: Query) -> str:
    """The question with the domains that are preferred as words: they shut no other page out."""
    preferred = () if query.only_domains else hosts(query.domains)
    return " ".join((query.text, *preferred))


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The names of a result's fields; of several names the first that holds something counts.
    With `markup` snippets are HTML."""

    title: str = "title"
    url: str = "url"
    snippet: tuple[str, ...] = ("snippet",)
    published: tuple[str, ...] = ()
    author: str = ""
    markup: bool = False


def links(rows: Iterable[Row], form: Form) -> Iterator[Link | None]:
    """The results as links; None for one without a http(s) address."""
    for row in rows:
        yield _link(row, form) if address(row, form.url) else None


def _link(row: Row, form: Form) -> Link:
    author = text(row, form.author)
    return Link(
        url=address(row, form.url),
        title=_plain(text(row, form.title), form),
        snippet=_snippet(row, form),
        published=next(filter(None, (date(row, name) for name in form.published)), None),
        authors=(author,) if author else (),
    )


def _snippet(row: Row, form: Form) -> str:
    for name in form.snippet:
        found = row.get(name)
        parts = found if isinstance(found, list) else [found]
        joined = " … ".join(part for part in parts if isinstance(part, str) and part.strip())
        if joined:
            return snippet({name: _plain(joined[:_LONGEST], form)}, name)
    return ""


def _plain(words: str, form: Form) -> str:
    return untagged(words) if form.markup else words
