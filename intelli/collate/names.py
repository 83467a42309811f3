"""Names in a claim: runs of capitalised words, without those that only open a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from intelli.collate.lexicon import MONTHS, NUMBER_WORDS, ORDINAL_WORDS, SCALE_WORDS, STOP_WORDS

_WORD = re.compile(r"[^\W\d_][\w']*(?:[.-](?=\w)[^\W_][\w']*)*")
_OPENS = re.compile(r"(?:^|[.!?:;|]\s|[\n(]|(?:^|\s)[-*+]\s)\s*$")
_BETWEEN = re.compile(r"(?:\s|\s?&\s?|\.\s)$")
_COMMON_ENDINGS = ("ly", "ing", "ed", "tion", "ment", "ness", "able", "ible", "ful", "less", "ive")
_NEVER = STOP_WORDS | frozenset(MONTHS) - {"may", "march", "august", "april", "june"} | frozenset(
    [*NUMBER_WORDS, *ORDINAL_WORDS, *SCALE_WORDS]
) | frozenset(
    "i i'm i've i'd i'll ok yes additionally also although because since whereas therefore thus "
    "hence moreover furthermore meanwhile otherwise instead overall finally currently recently "
    "today tomorrow yesterday according based despite unlike like among within without upon "
    "toward towards across along around behind beside besides beyond inside outside near next "
    "now never always often sometimes usually generally typically many much several another "
    "every either neither none one two note please see use using let make get set add run "
    "mr mrs ms dr q a.m p.m am pm api apis url urls id ids ui faq tv vs etc ad bc bce ce".split()
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A run of capitalised words; `parts` are spans of its words in the folded claim."""

    start: int
    end: int
    parts: tuple[tuple[int, int], ...]


def names(text: str, taken: Sequence[tuple[int, int]], skip_until: int = 0) -> list[Name]:
    """Names of a folded claim (case kept) outside the spans `taken`; words before `skip_until`, a
    label at the head of a list item, are no names. None where capitals carry no meaning."""
    words = [match for match in _WORD.finditer(text) if not _is_taken(match, taken)]
    capitals = [match for match in words if match.group()[0].isupper()]
    if len(words) > 8 and len(capitals) > 0.9 * len(words):
        return []
    runs: list[list[re.Match[str]]] = []
    for match in capitals:
        if match.start() < skip_until or not _is_name(text, match):
            continue
        if runs and _BETWEEN.fullmatch(text, runs[-1][-1].end(), match.start()):
            runs[-1].append(match)
        else:
            runs.append([match])
    return [
        Name(start=run[0].start(), end=run[-1].end(), parts=tuple(each.span() for each in run))
        for run in runs
    ]


def _is_taken(match: re.Match[str], taken: Sequence[tuple[int, int]]) -> bool:
    return any(low < match.end() and match.start() < high for low, high in taken)


def _is_name(text: str, match: re.Match[str]) -> bool:
    word = match.group()
    bare = word.removesuffix("'s")
    if bare.isupper() and len(bare) > 1 and bare.lower() in STOP_WORDS:
        return bare in ("US", "IT", "WHO")
    if bare.lower() in _NEVER or (len(bare) == 1 and bare != "X"):
        return False
    if not _OPENS.search(text, max(0, match.start() - 6), match.start()):
        return True
    return _opens_with_name(text, match, word)


def _opens_with_name(text: str, match: re.Match[str], word: str) -> bool:
    """Whether a word that opens a sentence is a name all the same."""
    if len(word) > 1 and word.isupper():
        return True
    if word.lower().endswith(_COMMON_ENDINGS):
        return False
    following = _WORD.match(text, match.end() + 1)
    return bool(
        following
        and text[match.end()] in " -&"
        and following.group()[0].isupper()
        and not following.group()[1:].isupper()
        and following.group().lower() not in _NEVER
    )
