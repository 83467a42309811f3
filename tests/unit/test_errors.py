"""A key never leaves in a message, however it is written there."""

from __future__ import annotations

import pytest

from intelli.errors import ModelError, masked, without_secret

KEY = "sk-world-4711-abcdefgh"


@pytest.mark.parametrize(
    "text",
    [
        f"no such key: {KEY}",
        f"no such key: {KEY[:12]}\n{KEY[12:]} given",
        f"no such key: {KEY[:3]} {KEY[3:]} given",
        f"no such key: {KEY[:15]}\\n{KEY[15:]} given",
        f"no such key: {KEY[:9]}\u200b{KEY[9:]} given",
        f"no such key: {KEY[:14]}… given",
        f"no such key: {KEY[:6]}",
        f"{KEY}{KEY}, {KEY}",
        f"twice {KEY[:-1]} and {KEY}",
    ],
)
def test_neither_the_key_nor_a_telling_part_of_it_is_left(text: str) -> None:
    left = masked(text, KEY)
    assert "[key]" in left
    flat = "".join(left.split()).replace("\\n", "").replace("\u200b", "")
    assert KEY[:6] not in flat and KEY[8:16] not in flat


@pytest.mark.parametrize("text", ["", "skating is fun", "sk", "[sk-"])
def test_other_words_stay(text: str) -> None:
    assert masked(text, KEY) == text
    assert masked(text, None) == text


def test_a_short_key_is_masked_whole() -> None:
    assert masked("the key abc12 is wrong", "abc12") == "the key [key] is wrong"


def test_the_error_itself_changes() -> None:
    error = without_secret(ModelError(f"bad {KEY}"), KEY)
    assert (error.message, str(error)) == ("bad [key]", "bad [key]")


def test_hostile_text_takes_no_time() -> None:
    text = (KEY[:7] + " \n\t" * 20) * 3000
    assert len(masked(text, KEY)) > 0
