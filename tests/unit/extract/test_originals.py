"""Of pages with one text the first that comes is read."""

from __future__ import annotations

import hashlib

from intelli.extract.originals import Originals
from intelli.records import Link, Page
from tests.unit.text.test_likeness import FRAME, TEXT


def page(text: str) -> Page:
    url = "https://a.example/"
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Page(link=Link(url=url), final_url=url, text=text, digest=digest)


def test_the_first_is_new_and_the_others_name_it() -> None:
    originals = Originals()
    assert originals.twin(3, page(TEXT)) is None
    same, alike = originals.twin(1, page(TEXT)), originals.twin(2, page(FRAME.format(TEXT)))
    assert same and (same.n, same.likeness) == (3, "the same text")
    assert alike and (alike.n, alike.likeness) == (3, "nearly the same text")
    assert originals.remarks() == ["sources 3, 1 and 2 have one text: 3 sources, 1 origin"]


def test_a_page_is_no_copy_of_itself() -> None:
    originals = Originals()
    assert originals.twin(1, page(TEXT)) is None
    assert originals.twin(1, page(TEXT)) is None
    assert originals.remarks() == []


def test_the_place_of_a_page_that_came_to_nothing_is_free_again() -> None:
    originals = Originals()
    originals.twin(1, page(TEXT))
    originals.forget(1)
    assert originals.twin(2, page(TEXT)) is None
    twin = originals.twin(3, page(FRAME.format(TEXT)))
    assert twin and twin.n == 2


def test_short_texts_are_one_only_when_they_are_the_same() -> None:
    originals = Originals()
    assert originals.twin(1, page("It moves 12 litres.")) is None
    assert originals.twin(2, page("It moves 12 litres!")) is None
    twin = originals.twin(3, page("It moves 12 litres."))
    assert twin and twin.n == 1


def test_pages_without_a_digest_are_compared_by_their_text() -> None:
    originals = Originals()
    url = "https://a.example/"
    bare = Page(link=Link(url=url), final_url=url, text="It moves 12 litres.")
    assert originals.twin(1, bare) is None
    assert originals.twin(2, bare) is None, "too short to tell"
