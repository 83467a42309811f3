"""Semantic Scholar: where a paper is read, and what is known of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.search.backends.asking import ask, asked, filled, links


def paper(**fields: Any) -> bytes:
    page = "https://www.semanticscholar.org/paper/0"
    return json.dumps({"total": 1, "data": [{"url": page, "title": "Pumps"} | fields]}).encode()


PDF = {"openAccessPdf": {"url": "https://papers.example.org/1.pdf"}}


@pytest.mark.parametrize(
    ("fields", "url"),
    [
        ({"externalIds": {"ArXiv": "2602.01234"}, **PDF}, "https://arxiv.org/abs/2602.01234"),
        ({"externalIds": {"ArXiv": "math/0603029"}}, "https://arxiv.org/abs/math/0603029"),
        ({"externalIds": {"ArXiv": "../x"}, **PDF}, "https://papers.example.org/1.pdf"),
        ({"externalIds": {"DOI": "10.1/a b"}, **PDF}, "https://papers.example.org/1.pdf"),
        ({"externalIds": {"DOI": "10.1/a b"}}, "https://doi.org/10.1/a%20b"),
        ({"openAccessPdf": {"url": ""}}, "https://www.semanticscholar.org/paper/0"),
        ({"openAccessPdf": None, "externalIds": None}, "https://www.semanticscholar.org/paper/0"),
    ],
)
def test_a_paper_leads_to_where_most_of_it_is_read(fields: dict[str, Any], url: str) -> None:
    (link,) = links("semanticscholar", paper(**fields))
    assert link.url == url


def test_a_paper_without_any_address_has_that_of_its_number() -> None:
    (link,) = links("semanticscholar", paper(url=None, paperId="0a" * 20))
    assert link.url == "https://www.semanticscholar.org/paper/" + "0a" * 20
    assert links("semanticscholar", paper(url=None, paperId="../x")) == ()


def test_authors_date_and_abstract_are_told() -> None:
    (link,) = ask("semanticscholar", filled("semanticscholar")).links
    assert (link.published, link.authors) == ("2026-03-04", ("Wim Voorbeeld",))
    (other,) = links(
        "semanticscholar", paper(year=2024, abstract=None, tldr={"text": "Short."}, authors=[None])
    )
    assert (other.published, other.snippet, other.authors) == ("2024", "Short.", ())


def test_hyphens_which_find_nothing_are_left_out() -> None:
    service = filled("semanticscholar")
    ask("semanticscholar", service, "self-attention pumps")
    assert asked(service)[0].query["query"] == "self attention pumps"


def test_no_paper_is_no_error() -> None:
    assert links("semanticscholar", b'{"total": 0, "offset": 0}') == ()
    assert links("semanticscholar", b'{"total": 0, "offset": 0, "data": []}') == ()
