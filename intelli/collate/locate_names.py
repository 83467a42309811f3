"""Where a name stands in a source: its parts anywhere, its short form, or a close spelling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from intelli.collate.details import Detail
from intelli.collate.lexicon import STOP_WORDS, SYNONYMS
from intelli.collate.sources import SourceText
from intelli.collate.words import Words, keys_of

Span = tuple[int, int]

_DERIVED = (
    "", "n", "an", "ian", "ean", "ese", "ish", "i", "ic", "al", "er", "ist", "ism", "ity", "ite",
    "ed", "ing", "ial", "y", "e", "a", "o", "na", "or",
)  # fmt: skip


def find_name(detail: Detail, source: SourceText, near: int) -> tuple[Span, ...]:
    """Every part of the name, or one span for its short form; () when a part is missing."""
    parts = name_parts(detail)
    found = [find_part(part, source, near) for part in parts]
    for k in range(len(parts) - 1):
        if found[k] is None or found[k + 1] is None:
            joined = sequence(list(keys_of((parts[k] + parts[k + 1]).lower())), source, near)
            if joined:
                found[k] = found[k + 1] = joined
    if None not in found:
        return tuple(dict.fromkeys(span for span in found if span))
    whole = _short_form(parts, source, near)
    return (whole,) if whole else ()


def name_parts(detail: Detail) -> list[str]:
    """The words of a name as written."""
    assert detail.name is not None
    base = detail.name.start
    return [detail.needle[low - base : high - base] for low, high in detail.name.parts]


def missing_parts(detail: Detail, sources: Sequence[SourceText]) -> list[tuple[int, int]]:
    """Spans (relative to the name) of the parts that stand in none of the sources."""
    assert detail.name is not None
    base = detail.name.start
    return [
        (low - base, high - base)
        for (low, high), part in zip(detail.name.parts, name_parts(detail), strict=True)
        if all(find_part(part, source, 0) is None for source in sources)
    ]


def is_spelled_out(detail: Detail, claim: Words) -> bool:
    """Whether a detail is a short form that the claim itself explains: `Read the Docs (RTD)`."""
    letters = detail.needle.removesuffix("s")
    if detail.kind not in ("name", "identifier") or not (letters.isupper() and letters.isalpha()):
        return False
    start = claim.at(claim.folded.text.find(detail.needle))
    if len(letters) < 3:
        return False
    first = "".join(key[0] for key in claim.keys)
    position = first.find(letters.lower())
    while position >= 0:
        if not position <= start < position + len(letters):
            return sum(claim.capital(k) for k in range(position, position + len(letters))) > 1
        position = first.find(letters.lower(), position + 1)
    return False


def find_part(part: str, source: SourceText, near: int) -> Span | None:
    """One word of a name: as it stands (plural and possessive aside), by a known short form, a
    derived form, in one word or two, or with one letter wrong in a long word."""
    keys = list(keys_of(part.lower()))
    if not keys:
        return None
    if part.isupper() and keys[0] in STOP_WORDS:
        return _capitals(part, source, near)
    whole = sequence(keys, source, near)
    if whole:
        return whole
    for variant in _variants(part, keys):
        found = sequence(variant, source, near)
        if found:
            return found
    if "-" in part and part.lower() not in SYNONYMS:
        pieces = [piece for piece in part.split("-") if piece[:1].isupper()]
        spans = [find_part(piece, source, near) for piece in pieces]
        return spans[0] if spans and None not in spans else None
    acronym = _acronym(part, source) if part.removesuffix("s").isupper() else None
    return acronym or _derived(keys, source, near) or _misspelt(keys, source)


def sequence(keys: Sequence[str], source: SourceText, near: int) -> Span | None:
    """The words next to each other, the occurrence closest to `near`."""
    words = source.words
    places = words.places.get(keys[0], ())
    at = [k for k in places if words.keys[k : k + len(keys)] == list(keys)]
    if not at:
        return None
    best = min(at, key=lambda k: abs(words.starts[k] - near))
    return words.span(best, best + len(keys) - 1)


def _capitals(part: str, source: SourceText, near: int) -> Span | None:
    """`US`, which in small letters is another word, or what it stands for."""
    words, text = source.words, source.folded.text
    bare = part.replace(".", "").lower()
    for k in words.places.get(bare, ()):
        start, end = words.span(k, k)
        if text[start:end].isupper():
            return start, end
    for other in SYNONYMS.get(bare, ()):
        found = sequence(list(keys_of(other.lower())), source, near)
        if found:
            return found
    return None


def _variants(part: str, keys: Sequence[str]) -> Iterator[list[str]]:
    lower = part.lower()
    bare = lower.replace(".", "").removesuffix("'s")
    for known in (lower, bare, keys[0] if len(keys) == 1 else bare):
        for other in SYNONYMS.get(known, ()):
            yield list(keys_of(other))
    if bare != lower:
        yield [bare]
    joined = "".join(keys)
    if len(keys) > 1:
        yield [joined]
    for cut in range(3, min(len(joined) - 2, 20)):
        yield [joined[:cut], joined[cut:]]


def _acronym(part: str, source: SourceText) -> Span | None:
    """`IEA` by the initials of `International Energy Agency`."""
    letters = part.replace(".", "").removesuffix("'s").lower()
    letters = letters[:-1] if len(letters) > 3 and letters.endswith("s") else letters
    if not 2 <= len(letters) <= 7 or not letters.isalpha():
        return None
    initials, indices = source.initials
    position = initials.find(letters)
    for _ in range(50):
        if position < 0:
            return None
        chosen = indices[position : position + len(letters)]
        capital = sum(source.words.capital(k) for k in chosen)
        tight = chosen[-1] - chosen[0] <= 2 * len(letters)
        if tight and capital >= max(2, len(letters) - 1):
            return source.words.span(chosen[0], chosen[-1])
        position = initials.find(letters, position + 1)
    return None


def _short_form(parts: Sequence[str], source: SourceText, near: int) -> Span | None:
    """`International Energy Agency` by `IEA`; `World War II` by a known short form."""
    spoken = [lower for part in parts if (lower := part.lower()) not in STOP_WORDS]
    for other in SYNONYMS.get(" ".join(spoken), ()):
        found = sequence(list(keys_of(other)), source, near)
        if found:
            return found
    if len(spoken) < 2:
        return None
    letters = "".join(part[0] for part in spoken)
    for k in source.words.places.get(letters, ())[:20]:
        start, end = source.words.span(k, k)
        if source.folded.text[start:end].isupper():
            return start, end
    return None


def _derived(keys: Sequence[str], source: SourceText, near: int) -> Span | None:
    """`American` by `America`, `Norwegian` by `Norway`: the stem and a usual ending."""
    word = keys[0]
    if len(keys) > 1 or len(word) < 5:
        return None
    for ending in _DERIVED:
        if not word.endswith(ending) or len(word) - len(ending) < 4:
            continue
        stem = word[: len(word) - len(ending)]
        for other in _DERIVED:
            found = sequence([stem + other], source, near) if other != ending else None
            if found:
                return found
    return None


def _misspelt(keys: Sequence[str], source: SourceText) -> Span | None:
    word = keys[0]
    if len(keys) > 1 or len(word) < 5:
        return None
    for other, places in source.words.places.items():
        if other[0] != word[0] or abs(len(other) - len(word)) > 1:
            continue
        if (len(word) > 5 or len(word) != len(other)) and _one_apart(word, other):
            return source.words.span(places[0], places[0])
    return None


def _one_apart(a: str, b: str) -> bool:
    """One letter changed, dropped or added, or two neighbours swapped."""
    k = 0
    while k < min(len(a), len(b)) and a[k] == b[k]:
        k += 1
    tail_a, tail_b = a[k:], b[k:]
    if tail_a[1:] == tail_b[1:] or tail_a == tail_b[1:] or tail_a[1:] == tail_b:
        return True
    return tail_a[:2] == tail_b[:2][::-1] and tail_a[2:] == tail_b[2:]
