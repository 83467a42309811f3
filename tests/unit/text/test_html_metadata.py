"""What a page says about itself: title, date, language, addresses."""

from __future__ import annotations

import pytest

from intelli.text.document import Document
from intelli.text.readers import read


def document(head: str, body: str = "<p>Text.</p>", attributes: str = "") -> Document:
    page = f"<html {attributes}><head>{head}</head><body>{body}</body></html>"
    return read(page.encode(), "text/html", "https://site.test/docs/page")


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Locks – Water Site</title>", "<h1>Locks</h1>", "Locks"),
        ("<title>Locks | Site</title><meta property='og:title' content='Locks'>", "", "Locks"),
        ("<title>Locks - Site</title><meta property='og:site_name' content='Site'>", "", "Locks"),
        ("<title>Locks</title>", "<h1>Another</h1>", "Locks"),
        ("", "<h1>Only heading</h1>", "Only heading"),
        ("<title>A &amp; B\n  C</title>", "", "A & B C"),
        ("<meta property='og:title' content='undefined'><title>Real</title>", "", "Real"),
        ("<title>Locks - Water Book</title>", "<h1>Water Book</h1><h2>Locks</h2>", "Locks"),
        ("<title>Locks – Site</title>", "", "Locks"),
        ("<title>Locks – Part two</title>", "", "Locks – Part two"),
    ],
)
def test_title(head: str, body: str, title: str) -> None:
    assert document(head, body).title == title


@pytest.mark.parametrize(
    ("head", "published"),
    [
        ("<meta property='article:published_time' content='2024-02-03T10:00:00Z'>", "2024-02-03"),
        ("<meta name='date' content='2023/1/9'>", "2023-01-09"),
        (
            "<script type='application/ld+json'>{'@graph': [{'@type': 'TechArticle',"
            "'datePublished': '2022-11-30'}]}</script>".replace("'@", '"@')
            .replace("':", '":').replace(", '", ', "').replace(": '", ': "').replace("'}", '"}')
            .replace("',", '",').replace(",'", ',"'),
            "2022-11-30",
        ),
        ("<meta name='date' content='2023-13-45'>", None),
        ("", None),
    ],
)  # fmt: skip
def test_published(head: str, published: str | None) -> None:
    assert document(head).published == published


def test_one_dated_element_dates_the_page_and_several_do_not() -> None:
    one = "<time datetime='2021-05-06'>May</time>"
    assert document("", one).published == "2021-05-06"
    assert document("", one + "<time datetime='2020-01-01'>x</time>").published is None


def test_language() -> None:
    assert document("", attributes="lang='de_AT'").language == "de-AT"
    assert document("<meta http-equiv='content-language' content='fr, en'>").language == "fr"
    assert document("", attributes="lang='{{lang}}'").language is None


def test_addresses_are_absolute() -> None:
    found = document(
        "<link rel='canonical' href='/docs/main'>"
        "<link rel='alternate' type='text/markdown' href='page.md'>"
    )
    assert found.canonical == "https://site.test/docs/main"
    assert found.alternate == "https://site.test/docs/page.md"


@pytest.mark.parametrize("address", ["", "undefined", "http://[", "javascript:x"])
def test_a_useless_canonical_is_none(address: str) -> None:
    assert document(f"<link rel='canonical' href='{address}'>").canonical is None


LINKED = """<script type="application/ld+json">{"@type": "BlogPosting", "dateModified":
"2024-05-06T01:02:03Z", "author": [{"@type": "Person", "name": "Ada  Weir"}, "Bo Lock"]}</script>"""


@pytest.mark.parametrize(
    ("head", "body", "modified", "author"),
    [
        (LINKED, "", "2024-05-06", "Ada Weir, Bo Lock"),
        ("<meta property='article:modified_time' content='2023-01-02'>", "", "2023-01-02", None),
        ("<meta name='author' content='Ada Weir'>", "", None, "Ada Weir"),
        ("<meta name='author' content='https://a.test/ada'>", "", None, None),
        ("", "<p>By <a rel='author' href='/ada'>Ada</a></p>", None, "Ada"),
        ("", "<time itemprop='dateModified' datetime='2022-03-04'>x</time>", "2022-03-04", None),
        ("<meta name='last-modified' content='yesterday'>", "", None, None),
    ],
)
def test_modified_and_author(
    head: str, body: str, modified: str | None, author: str | None
) -> None:
    found = document(head, body)
    assert (found.modified, found.author) == (modified, author)


@pytest.mark.parametrize(
    "author", ["{}", "[[[]]]", "1", "null", '{"name": 5}', '"' + "x" * 999 + '"']
)
def test_an_odd_author_is_none(author: str) -> None:
    thing = f'{{"@type": "Article", "author": {author}}}'
    assert document(f"<script type='application/ld+json'>{thing}</script>").author is None
