"""Papers of arXiv: the HTML version, else the PDF, and what the abstract page says of both."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.adapters.threads import one_line

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route
    from intelli.text.document import Document

FORMS = ("html", "pdf")
_META = re.compile(rb"<meta\s+name=\"citation_(author|title|date)\"\s+content=\"([^\"<>]*)\"", re.I)


async def read(route: Route, asking: Asking) -> Article:
    """The whole paper. Raises FetchError when neither form of it is there: then the abstract page
    is what there is."""
    name = route.parts["id"] + route.parts["version"]
    site = f"{route.url.scheme}://arxiv.org"
    about = await _about(f"{site}/abs/{name}", asking)
    paper = await _paper(site, name, asking)
    authors = ", ".join(about.get("author", []))
    title = next(iter(about.get("title", [])), "") or paper.title
    date = next(iter(about.get("date", [])), "").replace("/", "-")
    return Article(
        text=f"By {authors}\n\n{paper.text}" if authors else paper.text,
        title=title,
        published=date if re.fullmatch(r"\d{4}-\d\d-\d\d", date) else paper.published,
        url=f"{site}/abs/{name}",
    )


async def _paper(site: str, name: str, asking: Asking) -> Document:
    failure: FetchError | None = None
    for form in FORMS:
        try:
            document = await asking.document(f"{site}/{form}/{name}")
        except FetchError as error:
            failure = error
            continue
        if len(document.text) > 2000:  # less is a notice that this form does not exist
            return document
    raise failure or FetchError("the paper has no readable form", code="empty")


async def _about(url: str, asking: Asking) -> dict[str, list[str]]:
    """Title, authors and date as the abstract page declares them for citations."""
    try:
        response = await asking.page(url, "text/html")
    except FetchError:
        return {}
    found: dict[str, list[str]] = {}
    for name, value in _META.findall(response.body[:100_000]):
        text = one_line(html.unescape(value.decode("utf-8", "replace")))
        found.setdefault(name.decode().lower(), []).append(text)
    return found
