"""Addresses in a model's prose."""

from __future__ import annotations

import pytest

from intelli.search.links import find_links, without_sources


def urls(text: str) -> list[str]:
    return [link.url for link in find_links(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[W](https://w.example.org/Foo_(bar)) and so on", "https://w.example.org/Foo_(bar)"),
        ("[M](https://m.example.com/x?view=net-8.0)", "https://m.example.com/x?view=net-8.0"),
        ("(see https://a.example.org/x_(y), p. 3)", "https://a.example.org/x_(y)"),
        ("is **https://a.example.org/bold** here", "https://a.example.org/bold"),
        ("`https://a.example.org/code`, then", "https://a.example.org/code"),
        ("at https://a.example.org/end.", "https://a.example.org/end"),
        ('"https://a.example.org/q"!', "https://a.example.org/q"),
        ("<https://a.example.org/angle>", "https://a.example.org/angle"),
        ("| https://a.example.org/cell|x |", "https://a.example.org/cell"),
        ("see github.com/owner/repo.", "https://github.com/owner/repo"),
        ("see docs.rs/tokio/latest", "https://docs.rs/tokio/latest"),
        ("at www.example.org", "https://www.example.org"),
        ("[r](github.com/owner/repo)", "https://github.com/owner/repo"),
        ("[e](https://a.example.org/a\\_b\\(c\\))", "https://a.example.org/a_b(c)"),
        ("https://a.example.org/?x=1&amp;y=2", "https://a.example.org/?x=1&y=2"),
        ("见https://a.example.org/中文。然后", "https://a.example.org/中文"),
        ("cut [off](https://a.example.org/pa", "https://a.example.org/pa"),
        ("https://a.example.org/opened(", "https://a.example.org/opened"),
        ("[s](<https://a.example.org/a b(c>)", "https://a.example.org/a b(c"),
        ("bei bücher.example/x steht", "https://bücher.example/x"),
        ("https://bücher.example/ä, denn", "https://bücher.example/ä"),
        ("https://a.example.org/x\u200b and", "https://a.example.org/x"),
        ('[ref]: https://a.example.org/r "T"', "https://a.example.org/r"),
        ("<a href='https://a.example.org/h'>h</a>", "https://a.example.org/h"),
        ("https://a.example.org/x[1][2]", "https://a.example.org/x"),
        ("at example.com:8080/x", "https://example.com:8080/x"),
    ],
)
def test_one_address(text: str, expected: str) -> None:
    assert urls(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "write to jo@corp.example.com/inbox or jo@corp.example.com",
        "Node.js/Express and ASP.NET/Core, and/or src/main.py/x",
        "http:// and https://[broken/x",
        "ftp://files.example.org/x",
        "versions 1.2/3.4",
        "[a](/relative) [b](javascript:alert(1)) [c](data:text/html,hi) [d](#top) [e](../up)",
        "//no.scheme.example alone, mailto:jo@corp.example.com, tel:+49 30/123",
        "z.B./usw., e.g./i.e. and u.s./x",
    ],
)
def test_no_address(text: str) -> None:
    assert urls(text) == []


def test_an_address_inside_an_address_is_no_second_one() -> None:
    text = "https://arch.example.org/web/2020/https://in.example.org/a?to=www.x.example.org/y"
    assert urls(text) == [text]


def test_order_of_the_text_is_kept_and_repeats_count_once() -> None:
    text = (
        "Use b.example.org/two, [One](https://a.example.org/one) [[3]](https://c.example.org/x.html)"
        " then https://b.example.org/two."
    )
    links = find_links(text)
    assert [(link.rank, link.title) for link in links] == [(1, "two"), (2, "One"), (3, "x")]


def test_a_label_names_a_page_that_was_bare_before() -> None:
    (link,) = find_links("https://a.example.org/one, that is [The One](https://a.example.org/one)")
    assert link.title == "The One"


@pytest.mark.parametrize(
    "tail",
    [
        "## Sources\n- [A](https://a.example.org/x)\n- https://b.example.org/y",
        "**Sources:**\n1. https://a.example.org/x",
        "Sources: [A](https://a.example.org/x)",
        "**References**: a.example.org/x",
    ],
)
def test_the_list_of_sources_at_the_end_is_cut(tail: str) -> None:
    assert without_sources(f"It works [1].\n\n{tail}\n") == "It works [1]."


@pytest.mark.parametrize(
    "text",
    [
        "It works.\n\n## Sources\n\nnone were found",
        "## Sources\n- https://a.example.org/x\n\n## Details\n\nIt works.",
        "The sources: none\nof them says so at https://a.example.org/x",
    ],
)
def test_text_that_is_no_list_of_sources_stays(text: str) -> None:
    assert without_sources(text) == text
