"""What a question asks for: the words that tell an answer from its surroundings, and how much."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from intelli.text.content import content_tokens
from intelli.text.ranking import tokens

_WEAK_WORDS = """
add allow allows available call called change changed changes check config configure configured
configuration create default defaults define enable enabled example find handle help know long look
make many mean means number option options possible provide run set sets setting settings setup
start support supported supports take tell affect apply decide decided explicitly include
involve keep kept obtain occur result results summarize try type types use uses using value
values want way
"""
_WEAK = 0.25
_NAMED = 0.5
_FEW = 3
"""Up to so many telling terms a name among them is the subject; in a long question it tells too."""

_NAME = re.compile(r"(?<=\w\s)[A-Z][a-z]{2,}\b")
_ENGLISH = re.compile(
    r"\W*(?:who|what|when|where|which|why|how|is|are|does|do|did|can|could|should|has|have)\b", re.I
)
"""Elsewhere a capital says nothing (German), and a word that is missing may only be inflected."""

_WORD = re.compile(r"[\w.+#-]*\w[+#]*")
_IDENTIFIER = re.compile(r"\d|\w_\w|\w\.\w")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


@cache
def _weak() -> frozenset[str]:
    return frozenset(tokens(_WEAK_WORDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The terms of a question, as `ranking.tokens` has them.

    `strong` tell an answer from other text, or are all there is; `weak` stand in every manual
    (set, use, default). `names` are capitalised: whose matter it is, rather than what is asked of
    it. `exact` are the figures, versions and identifiers among `strong`; `english` is whether the
    text is a question in English; `words` are those of the text, each with its terms.
    """

    strong: frozenset[str]
    weak: frozenset[str]
    names: frozenset[str]
    exact: frozenset[str]
    english: bool
    words: tuple[tuple[str, frozenset[str]], ...]

    def weight(self, term: str) -> float:
        """How much a term that is there says for a text: 1 for most, less for common ones."""
        if term in self.weak:
            return _WEAK
        return _NAMED if term in self.names else 1.0

    def covered(self, present: Iterable[str], subject: frozenset[str] = frozenset()) -> float:
        """The share of the question that the terms `present` speak of, 0 to 1; those of `subject`
        count as names do, a name that is missing counts whole. Weak terms count nothing."""
        there = self.strong.intersection(present)
        named = self.names | subject
        have = sum(_NAMED if term in named else 1.0 for term in there)
        return have / (have + len(self.strong - there)) if have else 0.0

    def missing(self, present: frozenset[str]) -> tuple[str, ...]:
        """The strong words as written of which `present` holds no term, in their order; none of
        writing without spaces, where a term is no word."""
        found = (
            word
            for word, terms in self.words
            if terms & self.strong and not terms & present and not _UNSPACED.search(word)
        )
        return tuple(dict.fromkeys(found))


def asked(text: str) -> Asked:
    """Reads a question of any length; a question of weak words only takes them for strong."""
    terms = frozenset(content_tokens(text))
    strong = terms - _weak() or terms
    words = tuple((word, frozenset(tokens(word))) for word in _WORD.findall(text))
    english = bool(_ENGLISH.match(text))
    named = _NAME.findall(text) if english and len(strong) <= _FEW else ()
    names = frozenset(tokens(" ".join(named))) & strong
    return Asked(
        strong=strong,
        weak=terms - strong,
        names=names,
        exact=frozenset(term for term in strong if _IDENTIFIER.search(term)),
        english=english,
        words=words,
    )
