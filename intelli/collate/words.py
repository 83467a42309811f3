"""Words of a folded text as keys that ignore plural, possessive and contraction."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from intelli.collate.lexicon import expand_negation
from intelli.text.folding import Folded

_WORD = re.compile(
    r"[a-z][a-z\d]*(?:_[a-z\d]+)+|\b(?:[a-z]\.){1,6}[a-z]\b"
    r"|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]"
    r"|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]+(?:'[^\W\d_]+)?"
    r"|(?<![\w.,'])(?<!\d )\d{1,3}([ '_])\d{3}(?:\1\d{3})*(?![ '_]?\d)|\d+(?:[.,]\d+)*"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$")
_SEPARATOR = re.compile(r"[ '_]")
MAX_WORD = 60


def singular(word: str) -> str:
    """The word without possessive and regular plural: `countries'` -> `country`."""
    if "'" in word:
        word = word.split("'", 1)[0] or word
    if len(word) < 4 or word[-1] != "s" or word[-2] in "su" or word.endswith("is"):
        return word
    if word == "does":
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


class _Keys(dict[str, tuple[str, ...]]):
    """Keys of a word, computed once; the table is bounded because pages are not trusted."""

    def __missing__(self, word: str) -> tuple[str, ...]:
        if word[0].isdigit():
            keys: tuple[str, ...] = (number_key(word),)
        elif word[1:2] == ".":
            keys = (word.replace(".", ""),)
        else:
            keys = tuple(singular(part) for part in expand_negation(word[:MAX_WORD]))
        if len(self) < 100_000:
            self[word] = keys
        return keys


_KEYS = _Keys()


def number_key(text: str) -> str:
    """Digits without thousands separators: `4,500` and `4 500` -> `4500`; a version stays as it
    is."""
    text = _SEPARATOR.sub("", text)
    return text.replace(",", "") if "," in text and _THOUSANDS.match(text) else text


@dataclass(slots=True, kw_only=True)
class Words:
    """The words of a folded text; `starts`, `ends` are offsets into it, `keys` what is compared.

    `places[key]` holds the positions (indices into `keys`) in rising order.
    """

    folded: Folded
    keys: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    places: dict[str, list[int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.keys)

    def at(self, offset: int) -> int:
        """Index of the first word that ends behind `offset`."""
        return bisect_left(self.ends, offset + 1)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Folded offsets of the words `first` to `last`, both included."""
        return self.starts[first], self.ends[last]

    def capital(self, index: int) -> bool:
        """Whether the word begins with a capital letter as written."""
        return self.folded.text[self.starts[index]].isupper()


def words_of(folded: Folded) -> Words:
    """Index the words of a folded text. Linear."""
    found = Words(folded=folded)
    keys, starts, ends = found.keys, found.starts, found.ends
    for match in _WORD.finditer(folded.lower):
        for key in _KEYS[match.group()]:
            keys.append(key)
            starts.append(match.start())
            ends.append(match.end())
    places = found.places
    for position, key in enumerate(keys):
        at = places.get(key)
        if at is None:
            places[key] = [position]
        else:
            at.append(position)
    return found


def keys_of(text: str) -> Iterator[str]:
    """The keys of a text that is folded and in lower case already."""
    for match in _WORD.finditer(text):
        yield from _KEYS[match.group()]
