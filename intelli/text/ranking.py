"""Words as the ranker sees them, and BM25 over them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache

_MARKS = (
    r"\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
)
"""Vowel signs and tone marks that are no word characters to `re`, but part of their words."""

_WORD = re.compile(rf"[\w{_MARKS}]+(?:\.\w[\w{_MARKS}]*)*(?:\+\+|#(?!\w))?")
_ACCENTS = re.compile(r"[\u0300-\u036f\u0591-\u05bd\u064b-\u0652\u0670\u0640]+")
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    r"\U00020000-\U0003134f"
)
_RUN = re.compile(rf"([{_UNSPACED}]+)")
_PARTS = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[^\W\d_A-Z]+\d*|\d+")
_VOWEL = re.compile(r"[aeiouy]")

_CYRILLIC_ENDING = re.compile(
    "[иь]?(?:ами|ями|ого|его|ому|ему|ыми|ими|ах|ях|ов|ев|еи|ом|ем|ам|ям|ыи|ии|ои|ая|яя|ое|ее|ые"
    "|ие|ую|юю|ых|их|[аяоеыиуюь])$"
)
_FUNCTION_WORDS = """
    a about an and any are as at be been between by can could did do does for from had has have how
    i if in into is it its may me my of on or our shall should so some such than that the their them
    then there these they this those to was we were what when where whether which who whom whose why
    will with would you your
"""

_LONGEST = 64
"""Longer runs of word characters are data (hashes, base64): kept whole, never split."""


def tokens(text: str) -> list[str]:
    """The index terms of a text in order.

    Case and accents are folded and English endings cut. An identifier (`maxChars`, `os.path`,
    `max_chars`, `3.11`) is kept whole and followed by its parts. Writing without spaces between
    words (Chinese, Japanese, Korean, Thai, …) gives pairs of neighbouring characters.
    """
    found: list[str] = []
    for word in _WORD.findall(_fold(text)):
        found.extend(_terms(word) if len(word) <= _LONGEST else _expand(word))
    return found


def query_terms(text: str) -> list[str]:
    """`tokens` of a question without English function words, unless there is nothing else."""
    found = tokens(text)
    return [term for term in found if term not in _function_terms()] or found


@cache
def _function_terms() -> frozenset[str]:
    return frozenset(tokens(_FUNCTION_WORDS))


def _fold(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))


def _expand(word: str) -> tuple[str, ...]:
    if not word.isascii() and _RUN.search(word):
        return tuple(term for run in _RUN.split(word) if run for term in _of_run(run))
    whole = word.casefold()
    if len(word) > _LONGEST:
        return (whole,)
    parts = [part.casefold() for part in _PARTS.findall(word)]
    if parts in ([], [whole]):
        return (stem(whole),)
    return (whole, *(stem(part) for part in parts if len(part) > 1))


_terms = lru_cache(maxsize=200_000)(_expand)


def _of_run(run: str) -> tuple[str, ...]:
    if not _RUN.match(run):
        return _expand(run)
    return tuple(run[i : i + 2] for i in range(len(run) - 1)) or (run,)


_ENDINGS = (("ation", 5), ("ion", 5), ("ment", 5), ("ness", 4), ("ate", 5), ("ly", 4))
"""Endings and the shortest rest they may leave; the first that fits is cut."""


def stem(word: str) -> str:
    """`word` (folded) without its English or Russian ending; forms mostly meet in one stem."""
    if "а" <= word[-1:] <= "я" and len(word) > 4:
        cut = _CYRILLIC_ENDING.search(word, 3)
        return word[: cut.start()] if cut else word
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    word = _without_plural(word)
    word = _without_participle(word)
    for ending, shortest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == "e" else word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_participle(word: str) -> str:
    ending = next((e for e in ("ing", "ed") if word.endswith(e)), "")
    base = word[: -len(ending)] if ending else ""
    if len(base) < 2 or not _VOWEL.search(base) or base[-1] == "e":
        return word
    if len(base) == 2:
        return base + "e" if base[0] in "aeiou" else word
    doubled = base[-1] == base[-2] and base[-1] not in "lsz"
    return base[:-1] if doubled else base


class BM25:
    """Scores every document of a fixed collection against a query (Robertson and Zaragoza 2009).

    `documents` are lists of terms as `tokens` gives them.
    """

    def __init__(self, documents: Sequence[Sequence[str]], *, k1: float = 1.2, b: float = 0.75):
        self._size = len(documents)
        self._postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = [len(document) for document in documents]
        mean = sum(lengths) / self._size if any(lengths) else 1.0
        self._k1 = k1
        self._norms = [k1 * (1 - b + b * length / mean) for length in lengths]
        for n, document in enumerate(documents):
            for term, count in Counter(document).items():
                self._postings[term].append((n, count))

    def scores(self, query: Sequence[str]) -> list[float]:
        """One score per document, in their order; 0.0 where no term of the query occurs."""
        totals = [0.0] * self._size
        for term, wanted in Counter(query).items():
            postings = self._postings.get(term, ())
            idf = self._idf(term)
            for n, count in postings:
                totals[n] += wanted * idf * count * (self._k1 + 1) / (count + self._norms[n])
        return totals

    def ceiling(self, query: Sequence[str]) -> float:
        """What a document would score that says each term of the query without end."""
        return sum((self._k1 + 1) * self._idf(term) for term in query)

    def _idf(self, term: str) -> float:
        holding = len(self._postings.get(term, ()))
        return math.log(1 + (self._size - holding + 0.5) / (holding + 0.5))
