"""A question as the words, phrases and qualifiers that keyword searches want."""

from __future__ import annotations

import re

from intelli.text.ranking import query_terms, tokens

_PART = re.compile(r'-?(?:\w+:)?"[^"]*"|-?\w+:\[[^\]]*\]|\S+')
_PHRASE = re.compile(r'"[^"]+"')
_QUALIFIER = re.compile(r"-?(\w+):(\S.*)", re.DOTALL)
_EDGES = "?!.,;:()[]{}'\"`“”‘’…"


def parts(text: str) -> list[str]:
    """Quoted phrases, `name:value` qualifiers and words, in their order, as they stand."""
    return _PART.findall(text)


def qualifier(part: str) -> tuple[str, str]:
    """Name and value of `name:value` or `name:"value"`, two empty strings for anything else."""
    match = _QUALIFIER.fullmatch(part)
    if match is None or match[2].startswith(("//", ":")):
        return "", ""
    return match[1], match[2].strip('"')


def keywords(text: str) -> list[str]:
    """The parts that say something: words lose the punctuation around them, and those without a
    meaning of their own are left out unless there are no others."""
    wanted = set(query_terms(text))
    kept = (_bare(part) for part in parts(text))
    return [part for part in kept if part and _says_something(part, wanted)]


def _bare(part: str) -> str:
    return part if _PHRASE.search(part) or qualifier(part)[0] else part.strip(_EDGES)


def _says_something(part: str, wanted: set[str]) -> bool:
    is_meant = bool(_PHRASE.search(part) or qualifier(part)[0])
    return is_meant or not wanted.isdisjoint(tokens(part))
