"""What a command is pointed at, as pages and extractions: addresses, files, refs, sessions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from intelli import standard_input
from intelli.errors import NothingFound, UsageError
from intelli.extract.source_type import source_type
from intelli.fetch.page import fetch_page
from intelli.records import Extract, Link, Page, Source
from intelli.store import parse_ref
from intelli.store.layout import parse, source_filename
from intelli.text.document import Document
from intelli.text.reading import Reader
from intelli.toolbox import Toolbox

STDIN = "-"


async def page_of(source: str, tools: Toolbox) -> Page:
    """The page that `source` names: an address, a file, a ref, or `-` for standard input.

    Raises FetchError for an address, UsageError for what cannot be read, NothingFound for a ref.
    """
    if source.startswith(("http://", "https://")):
        return await fetch_page(Link(url=source), tools.fetching)
    if source == STDIN:
        return _page_of_text(standard_input.read(), "stdin:", "standard input")
    if Path(source).is_file():
        return await _page_of_file(Path(source), tools.reader)
    if _is_ref(source):
        return _stored(source, tools).page
    raise _unknown(source)


async def extractions_of(names: Sequence[str], tools: Toolbox) -> tuple[Source, ...]:
    """The extractions that refs, sessions or files name, numbered from 1 in their order."""
    found: list[Extract] = []
    for name in names:
        found += await _extractions(name, tools)
    return tuple(
        Source(
            n=n,
            link=extract.page.link,
            status="ok",
            page=extract.page,
            extract=extract,
            file=source_filename(n, extract.page.link.url),
        )
        for n, extract in enumerate(found, start=1)
    )


async def _extractions(name: str, tools: Toolbox) -> list[Extract]:
    if name == STDIN or Path(name).is_file():
        page = await page_of(name, tools)
        return [Extract(page=page, text=page.text, source_type=source_type(page))]
    if _is_ref(name):
        extract = _stored(name, tools)
        return [extract if extract.text else _whole(extract.page)]
    if name.startswith(("http://", "https://")):
        raise UsageError(
            f"{name} is an address, and collate takes what is extracted already",
            code="not-extracted",
            hint="run `intelli extract` on it, or `intelli research --url`",
        )
    if Path(name).suffix or "/" in name:
        raise _unknown(name)
    records = [stored.record for stored in tools.store.open(name).sources]
    return [record.extract for record in records if record.extract and record.extract.text]


def _stored(ref: str, tools: Toolbox) -> Extract:
    """The stored extraction of a source, one without text where there is none."""
    name, number = parse_ref(ref)
    source = tools.store.open(name).source(number or 1).record
    if source.page is None:
        raise NothingFound(f"{ref} has no stored page", code="no-page", hint=f"intelli read {name}")
    return source.extract or Extract(page=source.page, text="")


def _whole(page: Page) -> Extract:
    return Extract(page=page, text=page.text, source_type=source_type(page))


def _is_ref(name: str) -> bool:
    session, _, number = name.rpartition(":")
    return bool(session) and number.isdigit()


def _unknown(name: str) -> UsageError:
    if Path(name).is_dir():
        return UsageError(
            f"{name} is a directory", code="unknown-source", hint="name the files in it"
        )
    return UsageError(
        f"{name!r} is no address, no file and no ref",
        code="unknown-source",
        hint="give https://…, a file, SESSION:N, or - for standard input",
    )


async def _page_of_file(path: Path, reader: Reader) -> Page:
    url = path.resolve().as_uri()
    try:
        body = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", code="unreadable-file") from error
    document = await reader.read(body, "", url)
    if document.error or not document.text.strip():
        reason = document.error or "nothing to read in it"
        raise UsageError(f"cannot read {path}: {reason}", code="unreadable-file")
    return _restored(document, body, url) or _page(document.text, url, document.title or path.stem)


def _restored(document: Document, body: bytes, url: str) -> Page | None:
    """A source or extraction file of ours names the page that it comes from."""
    if document.kind != "markdown":
        return None
    parsed = parse(body.decode("utf-8", errors="replace"))
    source = parsed.fields.get("source")
    if not source:
        return None
    return _page(parsed.text, source, parsed.title or url)


def _page_of_text(text: str, url: str, title: str) -> Page:
    if not text.strip():
        raise UsageError(f"{title} is empty", code="empty-input")
    return _page(text, url, title)


def _page(text: str, url: str, title: str) -> Page:
    return Page(
        link=Link(url=url, title=title),
        final_url=url,
        text=text,
        title=title,
        via="file",
        fetched=datetime.now(UTC).isoformat(timespec="seconds"),
        digest=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(),
    )
