"""arXiv: its query language and its Atom feeds."""

from __future__ import annotations

import pytest

from intelli.search.backends.arxiv import expression
from tests.unit.search.backends.asking import Canned, ask, asked, filled, links, refusal

HEAD = '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">'


def entry(number: str = "2602.01234v3", **fields: str) -> str:
    parts = {"title": "Pumps", "summary": "All about pumps.", "published": "2026-02-03T01:02:03Z"}
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in (parts | fields).items())
    return f"<entry><id>http://arxiv.org/abs/{number}</id>{inner}</entry>"


def feed(*entries: str) -> bytes:
    return (HEAD + "".join(entries) + "</feed>").encode()


@pytest.mark.parametrize(
    ("question", "sent"),
    [
        ("typed decision model", "all:typed AND all:decision AND all:model"),
        ("how does a typed decision work?", "all:typed AND all:decision AND all:work"),
        ('"typed decision" model', 'all:"typed decision" AND all:model'),
        ("ti:pumps au:voorbeeld", "ti:pumps AND au:voorbeeld"),
        ('ti:"hand pump" water', 'ti:"hand pump" AND all:water'),
        ("cat:cs.CL typed decision", "cat:cs.CL AND all:typed AND all:decision"),
        (
            "submittedDate:[202601010000 TO 202602010000] pump",
            "submittedDate:[202601010000 TO 202602010000] AND all:pump",
        ),
        ("ti:pump OR abs:well", "ti:pump OR abs:well"),
        ("self-attention C++", 'all:"self-attention" AND all:"C++"'),
        ("what is it", "all:what AND all:is AND all:it"),
        ("http://a.example/x pump", 'all:"http://a.example/x" AND all:pump'),
        ("std::vector (fast)", 'all:"std::vector" AND all:fast'),
    ],
)
def test_plain_words_are_anded_and_everything_meant_for_arxiv_is_kept(
    question: str, sent: str
) -> None:
    assert expression(question) == {"search_query": sent}


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("2602.01234", "2602.01234"),
        ("arXiv:2602.01234v2 math/0603029", "2602.01234,math/0603029"),
    ],
)
def test_numbers_of_papers_are_looked_up(question: str, numbers: str) -> None:
    assert expression(question) == {"id_list": numbers}


def test_the_newest_papers_come_first() -> None:
    service = filled("arxiv")
    ask("arxiv", service)
    sent = asked(service)[0].query
    assert (sent["sortBy"], sent["sortOrder"], sent["max_results"]) == (
        "submittedDate",
        "descending",
        "20",
    )


def test_numbers_become_addresses_without_version_and_text_is_one_line() -> None:
    old = entry("cond-mat/0603029v1", title="Old\n  style", author="<name>A. One</name>")
    first, second = links("arxiv", feed(entry(summary="  two\n lines "), old))
    assert first.url == "https://arxiv.org/abs/2602.01234"
    assert (first.snippet, first.published) == ("two lines", "2026-02-03")
    assert second.url == "https://arxiv.org/abs/cond-mat/0603029"
    assert (second.title, second.authors) == ("Old style", ("A. One",))


ERROR = entry(title="Error", summary="incorrect id format for 12").replace(
    "http://arxiv.org/abs/2602.01234v3", "https://arxiv.org/api/errors#incorrect_id_format_for_12"
)


@pytest.mark.parametrize("status", [200, 400])
def test_an_entry_that_is_an_error_is_an_error(status: int) -> None:
    error = refusal("arxiv", Canned(feed(ERROR), status=status))
    assert (error.code, error.retryable) == ("bad-query", False)
    assert "incorrect id format for 12" in error.message


def test_a_paper_that_is_called_error_is_a_paper() -> None:
    (link,) = links("arxiv", feed(entry(title="Error")))
    assert link.title == "Error"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "bad-answer"),
        (b"Rate exceeded.", "rate-limit"),
        (feed(entry())[:-20], "bad-answer"),
        (b"<feed/>", "bad-answer"),
        (b"\xff\xfe<\x00", "bad-answer"),
    ],
)
def test_a_body_that_is_no_whole_feed_is_told_from_an_empty_one(body: bytes, code: str) -> None:
    error = refusal("arxiv", Canned(body))
    assert (error.code, error.retryable) == (code, True)
    assert links("arxiv", feed()) == ()


def test_entities_are_never_expanded() -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE feed [<!ENTITY e0 "boom">{levels}<!ENTITY f SYSTEM "file:///etc/hosts">]>'
    body = feed(entry(title="&e9;&f;pump")).replace(b"?><feed", b"?>" + bomb.encode() + b"<feed")
    try:
        found = ask("arxiv", Canned(body)).links
    except Exception as error:  # noqa: BLE001 - either way, as long as nothing grows
        assert getattr(error, "code", "") == "bad-answer"
    else:
        assert all(len(link.title) < 100 and "localhost" not in link.title for link in found)


def test_entries_of_odd_shape_are_passed_over() -> None:
    odd = "<entry/><entry><id>javascript:alert(1)</id></entry><entry><id>12</id></entry>"
    (link,) = links("arxiv", feed(odd, entry()))
    assert link.rank == 1
