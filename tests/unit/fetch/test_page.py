"""Link -> Page against real servers: which reading wins, what it costs, what is refused."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from intelli.errors import FetchError
from intelli.fetch.tools import FetchTools
from intelli.net.client import Network
from intelli.records import Page
from intelli.text.document import Document
from tests.world import World
from tests.world import pages as made

Fetch = Callable[..., Page]
TEXT = [
    "The pump moves 12 litres a minute at a pressure of 3 bar, measured at the outlet.",
    "Its valve opens at 4 bar and closes again at 3.5 bar, which the manual calls hysteresis.",
    "Replace the seal after 900 hours of work, or at the first sign of water under the housing.",
]
BROWSER_ONLY = made.Page(
    body=b"<!doctype html><title>Pumps</title><div id=root></div>"
    + b"<script>" + b"var state = 1;" * 300 + b"</script>"
)  # fmt: skip


def twin_of(*extra: str) -> made.Page:
    text = made.markdown("Pumps", [*TEXT, *extra])
    return made.plain(text, content_type=made.MARKDOWN)


def refusal(fetch: Fetch, url: str, **more: object) -> FetchError:
    with pytest.raises(FetchError) as caught:
        fetch(url, **more)
    return caught.value


def test_an_ordinary_page_takes_one_request(world: World, fetch: Fetch) -> None:
    url = world.site.add("/pumps", made.article("Pumps", TEXT))
    page = fetch(url)
    assert (page.via, page.verdict, page.title, page.final_url) == ("html", "ok", "Pumps", url)
    assert all(paragraph in page.text for paragraph in TEXT)
    assert "All rights reserved" not in page.text
    assert page.digest == hashlib.sha256(page.text.encode()).hexdigest()
    assert page.fetched.endswith("Z")
    assert [candidate.via for candidate in page.candidates] == ["html"]
    assert world.site.server.log.paths() == ["/pumps"]


def test_markdown_that_the_server_offers_is_taken_at_once(world: World, fetch: Fetch) -> None:
    article = made.article("Pumps", TEXT, twin=made.markdown("Pumps", TEXT))
    page = fetch(world.site.add("/pumps", article))
    assert (page.via, page.title) == ("markdown", "Pumps")
    assert page.text.startswith("The pump moves")
    assert world.site.server.log.paths() == ["/pumps"]


def test_markdown_that_is_only_a_stub_makes_us_ask_for_html(world: World, fetch: Fetch) -> None:
    stub = "# Pumps\n\nAll about pumps.\n\n<PumpTable />\n\n<PumpChart />\n\n<Seals />\n"
    offered = made.plain(stub, content_type=made.MARKDOWN)
    url = world.site.add("/pumps", offered, made.article("Pumps", TEXT))
    page = fetch(url)
    assert (page.via, len(page.candidates)) == ("html", 2)
    assert TEXT[0] in page.text


def test_a_declared_twin_of_the_same_site_is_asked_for(world: World, fetch: Fetch) -> None:
    link = '<link rel="alternate" type="text/markdown" href="/raw/pumps.md">'
    html = made.article("Pumps", TEXT[:2], head=link)
    world.site.add("/raw/pumps.md", twin_of())
    page = fetch(world.site.add("/pumps", html, port=0))
    assert page.via == "markdown"
    assert TEXT[2] in page.text
    assert {candidate.via for candidate in page.candidates} == {"html", "markdown"}
    assert page.candidates[0].score > page.candidates[1].score


def test_a_twin_named_in_a_header_is_asked_for(world: World, fetch: Fetch) -> None:
    header = {"Link": '</pumps.md>; rel="alternate"; type="text/markdown", </x>; rel=next'}
    world.site.add("/pumps.md", twin_of())
    page = fetch(world.site.add("/pumps", made.article("Pumps", TEXT[:1], headers=header), port=0))
    assert page.via == "markdown"


def test_a_twin_on_another_site_is_left_alone(world: World, fetch: Fetch) -> None:
    link = '<link rel="alternate" type="text/markdown" href="http://elsewhere.invalid/pumps.md">'
    page = fetch(world.site.add("/pumps", made.article("Pumps", TEXT, head=link)))
    assert page.via == "html"


def test_documentation_is_asked_for_its_twin_beside_the_page(world: World, fetch: Fetch) -> None:
    world.site.add("/docs/pumps.md", twin_of())
    page = fetch(world.site.add("/docs/pumps", made.article("Pumps", TEXT[:2], delay=0.2), port=0))
    assert page.via == "markdown"
    first, second = world.site.server.log.exchanges[:2]
    assert first.finished is not None and second.started < first.finished


def test_a_twin_that_lacks_half_of_the_page_loses(world: World, fetch: Fetch) -> None:
    short = made.plain(made.markdown("Pumps", TEXT[:1]), content_type=made.MARKDOWN)
    world.site.add("/docs/pumps.md", short)
    page = fetch(world.site.add("/docs/pumps", made.article("Pumps", TEXT, delay=0.1), port=0))
    assert page.via == "html"
    loser = page.candidates[1]
    assert loser.via == "markdown"
    assert loser.reasons["completeness"] < page.candidates[0].reasons["completeness"]


def test_a_page_without_a_twin_waits_for_none(world: World, fetch: Fetch) -> None:
    world.site.add("/docs/pumps.md", made.plain("late", fault="hang"))
    url = world.site.add("/docs/pumps", made.article("Pumps", TEXT), port=0)
    started = time.monotonic()
    assert fetch(url, timeout=30.0).via == "html"
    assert time.monotonic() - started < 5  # the twin would have been waited for to the deadline


@pytest.mark.parametrize("body", [made.soft_404(), made.challenge(200), made.plain("\0\1\2 no")])
def test_what_hides_behind_the_md_address_is_looked_at(
    world: World, fetch: Fetch, body: made.Page
) -> None:
    world.site.add("/docs/pumps.md", body)
    page = fetch(world.site.add("/docs/pumps", made.article("Pumps", TEXT, delay=0.1), port=0))
    assert page.via == "html"
    assert TEXT[0] in page.text


def test_a_site_without_twins_is_not_asked_for_ever(world: World) -> None:
    urls = [
        world.site.add(f"/docs/{n}", made.article(f"Pump {n}", TEXT, delay=0.05), port=0)
        for n in range(6)
    ]
    from intelli.fetch.page import fetch_page
    from intelli.records import Link
    from intelli.text import readers

    class Inline:
        async def read(self, body: bytes, content_type: str, url: str) -> Document:
            return readers.read(body, content_type, url)

    async def work() -> None:
        async with Network(allow_private=True, max_bytes=1_000_000) as network:
            tools = FetchTools(network=network, reader=Inline(), timeout=10.0)
            for url in urls:
                await fetch_page(Link(url=url), tools)

    asyncio.run(work())
    asked = [path for path in world.site.server.log.paths() if path.endswith(".md")]
    assert len(asked) == 2


def test_a_page_of_scripts_is_saved_by_its_twin(world: World, fetch: Fetch) -> None:
    world.site.add("/pumps.md", twin_of())
    page = fetch(world.site.add("/pumps", BROWSER_ONLY, port=0))
    assert (page.via, page.verdict) == ("markdown", "ok")
    assert all(paragraph in page.text for paragraph in TEXT)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (made.challenge(200), "challenge"),
        (made.login(), "login"),
        (made.soft_404(), "soft-404"),
        (BROWSER_ONLY, "js-shell"),
        (made.Page(body=b"\x89PNG\r\n\x1a\n" + b"\0" * 99, content_type="image/png"), "binary"),
    ],
)
def test_what_is_not_the_page_is_refused_by_name(
    world: World, fetch: Fetch, body: made.Page, code: str
) -> None:
    error = refusal(fetch, world.site.add("/pumps", body))
    assert (error.code, error.verdict) == (code, code)


def test_an_empty_page_is_no_page(world: World, fetch: Fetch) -> None:
    error = refusal(fetch, world.site.add("/pumps", made.plain("  \n")))
    assert (error.code, error.verdict) == ("empty", "thin")


@pytest.mark.parametrize(
    ("body", "code", "verdict"),
    [
        (made.challenge(403), "http-403", "challenge"),
        (made.missing(), "http-404", "soft-404"),
        (made.plain("broken", status=500), "http-500", None),
        (made.limited(), "http-429", "challenge"),
    ],
)
def test_an_error_of_the_server_keeps_what_the_body_was(
    world: World, fetch: Fetch, body: made.Page, code: str, verdict: str | None
) -> None:
    error = refusal(fetch, world.site.add("/pumps", body))
    assert error.code == code
    assert error.verdict == verdict
    assert error.retryable == (code in ("http-500", "http-429"))


def test_a_cut_page_is_kept_and_called_so(world: World, fetch: Fetch) -> None:
    page = fetch(world.site.add("/pumps", made.article("Pumps", TEXT * 40, fault="short")))
    assert page.verdict == "truncated"
    assert TEXT[0] in page.text


def test_plain_text_and_json_are_pages(world: World, fetch: Fetch) -> None:
    assert fetch(world.site.add("/notes.txt", made.plain(TEXT[0]))).via == "text"
    data = made.Page(body=b'{"flow": "12 l/min"}', content_type="application/json")
    assert "12 l/min" in fetch(world.site.add("/pump.json", data)).text


def test_a_markdown_file_is_cleaned(world: World, fetch: Fetch) -> None:
    source = "---\ntitle: Pumps\n---\n\nimport Table from './table'\n\n" + TEXT[0] + "\n"
    page = fetch(world.site.add("/pumps.md", made.plain(source, content_type=made.MARKDOWN)))
    assert (page.title, page.text, page.via) == ("Pumps", TEXT[0], "markdown")


def test_a_pdf_is_read(world: World, fetch: Fetch) -> None:
    page = fetch(world.site.add("/pump.pdf", made.pdf(["The pump moves 12 litres a minute."])))
    assert page.via == "pdf"
    assert "12 litres" in page.text
    assert page.title == "pump"


def test_a_stub_that_points_on_is_followed_once(world: World, fetch: Fetch) -> None:
    stub = b'<meta http-equiv="refresh" content="0; url=/new/pumps"><title>Redirecting</title>'
    by_header = made.Page(body=b"<title>Moved</title>", headers={"Refresh": "0;url=/new/pumps"})
    moved = world.site.add("/moved", by_header, port=0)
    url = world.site.add("/pumps", made.Page(body=stub + b"This page has moved."), port=0)
    world.site.add("/new/pumps", made.article("Pumps", TEXT))
    for page in (fetch(url), fetch(moved)):
        assert page.final_url.endswith("/new/pumps")
        assert TEXT[0] in page.text


def test_a_page_that_reloads_itself_is_asked_for_once(world: World, fetch: Fetch) -> None:
    head = '<meta http-equiv="refresh" content="5; url=/pumps">'
    assert fetch(world.site.add("/pumps", made.article("Pumps", TEXT[:2], head=head))).text
    assert world.site.server.log.paths() == ["/pumps"]


def test_stubs_that_point_at_each_other_end(world: World, fetch: Fetch) -> None:
    stub = (
        b'<meta http-equiv="refresh" content="0; url=%b"><title>Moved</title>This page has moved.'
    )
    url = world.site.add("/a", made.Page(body=stub % b"/b"), port=0)
    world.site.add("/b", made.Page(body=stub % b"/a"))
    assert refusal(fetch, url).verdict is not None
    assert world.site.server.log.paths() == ["/a", "/b"]


def test_a_title_is_found_somewhere(world: World, fetch: Fetch) -> None:
    assert fetch(world.site.add("/water-pumps.txt", made.plain(TEXT[0]))).title == "water pumps"
    url = world.site.add("/x.txt", made.plain(TEXT[0]))
    assert fetch(url, title="Pumps, explained").title == "Pumps, explained"


def test_the_deadline_is_for_the_page_in_all(world: World, fetch: Fetch) -> None:
    url = world.site.add("/pumps", made.article("Pumps", TEXT, fault="drip", step=0.2))
    assert refusal(fetch, url, timeout=0.5).code == "timeout"


class Files:
    """Local documents of a test: the files of one directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    async def read(self, url: str) -> Document:
        path = Path(url.removeprefix("file://"))
        if path.parent != self.directory:
            raise FetchError("not one of the files", code="not-in-docs")
        return Document(text=path.read_text(encoding="utf-8"), kind="text")


def test_files_are_read_by_the_index_that_found_them(tmp_path: Path, fetch: Fetch) -> None:
    (tmp_path / "pumps.txt").write_text(TEXT[0], encoding="utf-8")
    page = fetch((tmp_path / "pumps.txt").as_uri(), docs=Files(tmp_path))
    assert (page.via, page.text, page.title) == ("file", TEXT[0], "pumps")


def test_files_of_nobody_are_refused(tmp_path: Path, fetch: Fetch) -> None:
    assert refusal(fetch, "file:///etc/hostname").code == "bad-url"
    assert refusal(fetch, "file:///etc/hostname", docs=Files(tmp_path)).code == "not-in-docs"
