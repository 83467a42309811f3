"""Where a page's own Markdown may be, and whether what came is it."""

from __future__ import annotations

import pytest

from intelli.fetch import twin
from intelli.fetch.twin import TwinMemory
from intelli.net.client import Response

PAGE = "https://docs.pumps.test/guide/start"


def response(
    body: bytes = b"# Pumps\n\nThey pump.",
    kind: str = "text/markdown",
    *,
    url: str = f"{PAGE}.md",
    status: int = 200,
    **headers: str,
) -> Response:
    return Response(status=status, url=url, headers={"content-type": kind, **headers}, body=body)


@pytest.mark.parametrize(
    ("url", "addresses"),
    [
        ("https://a.test/guide", ["/guide.md"]),
        ("https://a.test/v1.2/guide?tab=2#x", ["/v1.2/guide.md"]),
        ("https://a.test/guide.html", ["/guide.html.md", "/guide.md"]),
        ("https://a.test/guide/", ["/guide.md", "/guide/index.md", "/guide/index.html.md"]),
        ("https://a.test/", ["/index.html.md"]),
        ("https://a.test/paper.pdf", []),
        ("https://a.test/README.md", []),
    ],
)
def test_twins_are_guessed_where_sites_put_them(url: str, addresses: list[str]) -> None:
    assert list(twin.guesses(url)) == [f"https://a.test{path}" for path in addresses]


@pytest.mark.parametrize(
    "url",
    [
        "https://docs.pumps.test/start", "https://developers.pumps.test/x", "https://pumps.dev/a",
        "https://pumps.readthedocs.io/en/latest/", "https://pumps.test/docs/start",
        "https://pumps.test/en/reference/valves", "https://pumps.test/api/v2",
    ],
)  # fmt: skip
def test_documentation_is_told_by_its_address(url: str) -> None:
    assert twin.is_documentation(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://news.test/2026/04/pump-scandal", "https://shop.test/doctor-pump",
        "https://pumps.test/docs/search?q=valve", "https://pumps.test/apiary",
    ],
)  # fmt: skip
def test_other_pages_are_not_asked_for_a_twin(url: str) -> None:
    assert not twin.is_documentation(url)


@pytest.mark.parametrize(
    "good",
    [
        response(),
        response(kind="text/plain; charset=utf-8"),
        response(kind="application/octet-stream"),
        response(b'<script type="application/ld+json">{"a": 1}</script>\n\n# Pumps'),
        response(b'{"@context": "https://schema.org"}\n# Pumps'),
        response(b"# 404 pages\n\nA page for what is not there:\n\n```\n404.html\n```"),
        response(b"# Not found and what to do\n\nLook at the log of the server."),
        response(b"<Note>\nComponents are Markdown here.\n</Note>"),
        response(url="https://www.docs.pumps.test/guide/start.md"),
    ],
)
def test_markdown_is_known_by_label_and_body(good: Response) -> None:
    assert twin.is_markdown(good, PAGE)


@pytest.mark.parametrize(
    "bad",
    [
        response(b"<!doctype html><title>Pumps</title>"),
        response(b"\n <html lang=en><body>", "text/plain"),
        response(b'{"error": "not found"}', "text/plain"),
        response(kind="text/html"),
        response(kind="application/pdf"),
        response(status=404),
        response(b"  \n"),
        response(b"ab\0cd"),
        response(url="https://login.test/"),
        response(b"# Page Not Found\n\nThe page does not exist. Try [the start](/)."),
        response(b"---\ntitle: x\n---\n# 404\n\nNothing here."),
        response(b"404 Not Found", "text/plain"),
    ],
)
def test_what_is_no_twin_is_left(bad: Response) -> None:
    assert not twin.is_markdown(bad, PAGE)


def test_a_page_names_its_twin_in_markup_or_header() -> None:
    link = '</llms.txt>; rel="llms-txt", <start.md>; rel=alternate; type="text/markdown"'
    assert twin.declared(response(link=link, url=PAGE), None) == f"{PAGE}.md"
    assert twin.declared(response(url=PAGE), f"{PAGE}.txt") == f"{PAGE}.txt"
    assert twin.declared(response(url=PAGE, link="</a.css>; rel=preload; as=style"), None) is None


@pytest.mark.parametrize(
    "link",
    [
        '<start.md>; rel="alternate nofollow"; type=text/markdown',
        '<start.md>; type=text/x-markdown; title="as text"; rel=alternate',
        '<start.md> ; rel = "alternate" ; type = "text/markdown"',
    ],
)
def test_a_header_names_the_twin_in_every_spelling(link: str) -> None:
    assert twin.declared(response(link=link, url=PAGE), None) == f"{PAGE}.md"


@pytest.mark.parametrize("name", ["/llms.txt", "/docs/llms-full.txt"])
def test_an_index_of_the_site_is_no_twin(name: str) -> None:
    assert twin.declared(response(url=PAGE), f"https://docs.pumps.test{name}") is None


@pytest.mark.parametrize("named", ["https://elsewhere.test/a.md", "file:///etc/passwd", "nonsense"])
def test_a_twin_elsewhere_is_not_believed(named: str) -> None:
    assert twin.declared(response(url=PAGE), named) is None


def test_hosts_without_twins_are_remembered_until_one_is_found() -> None:
    memory = TwinMemory()
    for _ in range(twin.MAX_MISSES):
        assert not memory.is_hopeless("a.test")
        memory.note("a.test", found=False)
    assert memory.is_hopeless("a.test")
    assert not memory.is_hopeless("b.test")
    memory.note("a.test", found=True)
    assert not memory.is_hopeless("a.test")
