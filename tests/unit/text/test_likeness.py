"""Copies are told from versions: the same text in another frame, not with other figures."""

from __future__ import annotations

import re

import pytest

from intelli.text.likeness import is_copy, print_of

SUBJECTS = ("pump", "valve", "filter", "motor", "housing", "seal", "shaft", "sensor")
TEXT = "\n\n".join(
    f"## The {a} and the {b}\n\nThe {a} of model {n} is mounted before the {b} with "
    f"{n + 3} screws, and it lasts {100 + n} hours when the {b} is clean."
    f"\n\n```ini\n{a}.{b} = {n}\n```"
    for n, (a, b) in enumerate((a, b) for a in SUBJECTS for b in SUBJECTS if a != b)
)
FRAME = (
    "[Home](/) [Docs](/docs)\n\nMirror of useful pages, kept by people who like them a lot."
    "\n\n{}\n\nThanks to all who give."
)


def copies(one: str, other: str) -> bool:
    first, second = print_of(one), print_of(other)
    assert is_copy(first, second) == is_copy(second, first)
    return is_copy(first, second)


@pytest.mark.parametrize(
    "other",
    [
        TEXT,
        FRAME.format(TEXT),
        TEXT.replace("\n\n", "\n\n\n").replace("## ", "### "),
        TEXT.upper(),
        re.sub(r"\bpump\b", "[pump](https://mirror.example/pump)", TEXT),
    ],
)
def test_the_same_text_in_another_frame_is_a_copy(other: str) -> None:
    assert copies(TEXT, other)


@pytest.mark.parametrize(
    "other",
    [
        TEXT.replace("lasts 120 hours", "lasts 125 hours"),
        TEXT.replace("lasts 120 hours", "lasts 1200 hours"),
        TEXT.replace("valve.pump = 7\n", "valve.pump = 9\n"),
        TEXT.replace("model 12 is", "model 13 is"),
    ],
)
def test_one_other_figure_makes_another_version(other: str) -> None:
    assert other != TEXT
    assert not copies(TEXT, other)


def test_a_part_of_a_page_is_no_copy_of_it() -> None:
    assert not copies(TEXT, TEXT[: len(TEXT) // 2])


def test_pages_of_one_frame_are_no_copies() -> None:
    other = TEXT.replace("is mounted before", "has to be bought along with")
    assert not copies(FRAME.format(TEXT), FRAME.format(other))


def test_short_texts_are_never_called_copies() -> None:
    assert not copies("The pump moves twelve litres.", "The pump moves twelve litres.")


def test_writing_without_spaces_has_copies_too() -> None:
    signs = "水火土木金山河海天地"
    text = "\n\n".join(
        f"{a}泵的第{n}个型号每分钟输送{b}升，过滤器每二十天由{a}{b}清洗一次。"
        for n, (a, b) in enumerate((a, b) for a in signs for b in signs if a != b)
    )
    assert copies(text, f"首页\n\n{text}")
    assert not copies(text, text.replace("第7个", "第8个"))
