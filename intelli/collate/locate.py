"""Where a detail stands in a source: one finder for each kind, each with its folding rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import quote, unquote

from intelli.collate.details import Detail
from intelli.collate.lexicon import NEGATIONS, STOP_WORDS, SYNONYMS
from intelli.collate.locate_figures import find_date, find_figure
from intelli.collate.locate_names import find_name, sequence
from intelli.collate.sources import SourceText
from intelli.collate.words import keys_of

Span = tuple[int, int]
Finder = Callable[[Detail, SourceText, int], tuple[Span, ...]]

MAX_OCCURRENCES = 200
_PIECES = re.compile(r"\w+|[^\w\s]")
_ARGUMENTS = re.compile(r"\([^()]*\)$")
_PROMPT = re.compile(r"^(?:[$>#%]|>>>|\.\.\.|PS>)\s+")
_COMMENT = re.compile(r"\s+(?://|#|--)\s.*$")
_URL_HEAD = re.compile(r"^(?:https?://)?(?:www\.)?|^doi:\s?")
_URL_SIGNS = "/:?=&%#+,;@!$'()*~"
_ELLIPSIS = re.compile(r"\s*(?:\[\.\.\.\]|\.\.\.)\s*")


def locate(detail: Detail, source: SourceText, near: int = 0) -> tuple[Span, ...]:
    """The places of `detail` in `source` as spans of its folded text, () when it does not stand
    there; of several occurrences the one closest to the folded offset `near`."""
    return _FINDERS[detail.kind](detail, source, near)


def _closest(spans: Sequence[Span], near: int) -> tuple[Span, ...]:
    return (min(spans, key=lambda span: abs(span[0] - near)),) if spans else ()


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _bounded(text: str, start: int, end: int) -> bool:
    """Whether the match is a whole word: `iPad` is not in `iPads`, nor `--all` in `--all-files`."""
    before = start
    while before > 0 and text[before - 1] == "_" and text[start] != "_":
        before -= 1
    if _is_word(text[start]) and before > 0 and text[before - 1].isalnum():
        return False
    if text[start] == "-" and start > 0 and (text[start - 1] == "-" or text[start - 1].isalnum()):
        return False
    after = end
    while after < len(text) and text[after] == "_" and text[end - 1] != "_":
        after += 1
    if _is_word(text[end - 1]) and after < len(text) and text[after].isalnum():
        return False
    flag = text[start] == "-" and after + 1 < len(text) and text[after] == "-"
    return not (flag and text[after + 1].isalnum())


def occurrences(needle: str, text: str) -> Iterator[Span]:
    """Spans of `needle` in `text` as a whole word, at most 200."""
    position = text.find(needle)
    for _ in range(MAX_OCCURRENCES * 5):
        if position < 0:
            return
        if _bounded(text, position, position + len(needle)):
            yield position, position + len(needle)
        position = text.find(needle, position + 1)


def _literal(needle: str, source: SourceText, near: int, *, cased: bool) -> tuple[Span, ...]:
    if not needle:
        return ()
    if cased:
        return _closest(list(occurrences(needle, source.folded.text)), near)
    return _closest(list(occurrences(needle.lower(), source.folded.lower)), near)


def _spaced(needle: str, source: SourceText, near: int) -> tuple[Span, ...]:
    """Code whose white space differs: `f(a, b)` and `f(a,b)`."""
    pieces = _PIECES.findall(needle)
    if not 2 <= len(pieces) <= 400:
        return ()
    pattern = re.compile(" ?".join(re.escape(piece) for piece in pieces))
    text = source.folded.text
    spans = [
        match.span()
        for match, _ in zip(pattern.finditer(text), range(MAX_OCCURRENCES), strict=False)
        if _bounded(text, *match.span())
    ]
    return _closest(spans, near)


def _find_code(detail: Detail, source: SourceText, near: int) -> tuple[Span, ...]:
    needle = _PROMPT.sub("", detail.needle)
    plain = needle.isalpha() and (needle.islower() or needle.isupper() or needle.istitle())
    found = _literal(needle, source, near, cased=not plain) or _spaced(needle, source, near)
    if found:
        return found
    bare = _ARGUMENTS.sub("", needle)
    if bare != needle and bare and _ARGUMENTS.search(needle).group() == "()":  # type: ignore[union-attr]
        return _literal(bare, source, near, cased=True)
    pieces = needle.split()
    if needle.startswith("-"):  # `--flag=5` and `--flag 5`
        pieces = needle.replace("=", " ", 1).split()
    if 2 <= len(pieces) <= 40:
        return _together(pieces, source, near)
    return ()


def _together(pieces: Sequence[str], source: SourceText, near: int) -> tuple[Span, ...]:
    """All parts of a command within a short stretch, around the rarest of them."""
    text = source.folded.text
    places = [list(occurrences(piece, text)) for piece in dict.fromkeys(pieces)]
    if not all(places):
        return ()
    reach = 60 + 3 * sum(map(len, pieces))
    rarest = min(places, key=len)
    for start, _ in sorted(rarest[:50], key=lambda span: abs(span[0] - near)):
        chosen = [_closest(spans, start)[0] for spans in places]
        if all(abs(span[0] - start) <= reach for span in chosen):
            return tuple(chosen)
    return ()


def _find_line(detail: Detail, source: SourceText, near: int) -> tuple[Span, ...]:
    needle = _PROMPT.sub("", detail.needle)
    found = _spaced(needle, source, near) or _literal(needle, source, near, cased=True)
    if found:
        return found
    code = _COMMENT.sub("", needle)
    return _spaced(code, source, near) if code != needle and len(code) > 2 else ()


def _find_identifier(detail: Detail, source: SourceText, near: int) -> tuple[Span, ...]:
    needle = detail.needle
    found = _literal(needle, source, near, cased=True)
    if found:
        return found
    if needle.endswith("()"):
        return _literal(needle[:-2], source, near, cased=True)
    if "(" in needle:
        return _spaced(needle, source, near)
    if "_" in needle or needle.startswith(("-", "$", "@")):
        return ()
    if "." in needle or "/" in needle:
        return _literal(needle, source, near, cased=False)
    return _find_word(needle.lower(), source, near)


def _find_word(word: str, source: SourceText, near: int) -> tuple[Span, ...]:
    """A product name in any case, singular or plural, in one word or with hyphen or space."""
    for other in SYNONYMS.get(word, ()):
        named = sequence(list(keys_of(other)), source, near)
        if named:
            return (named,)
    variants = [word, word.removesuffix("s"), word + "s", word.replace("-", "")]
    variants.append(re.sub(r"(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])", "-", word))
    variants.append(re.sub(r"(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])", " ", word))
    for variant in dict.fromkeys(variants):
        found = _literal(variant, source, near, cased=False) if len(variant) > 1 else ()
        if found:
            return found
    for cut in range(3, min(len(word) - 2, 20)):
        for joint in (" ", "-"):
            found = _literal(word[:cut] + joint + word[cut:], source, near, cased=False)
            if found:
                return found
    return ()


def _find_url(detail: Detail, source: SourceText, near: int) -> tuple[Span, ...]:
    needle, written = (_URL_HEAD.sub("", each.lower()) for each in (detail.needle, detail.text))
    needle = needle.rstrip("/.")
    page = needle.partition("#")[0].rstrip("/")
    for form in dict.fromkeys(
        (needle, page, unquote(page), quote(written, safe=_URL_SIGNS).lower())
    ):
        found = _find_address(form, source.folded.lower) if form else None
        if found:
            return (found,)
    return ()


def _find_address(needle: str, text: str) -> Span | None:
    position = text.find(needle)
    while position >= 0:
        end = position + len(needle)
        following = text[end : end + 2]
        if not following or not (following[0].isalnum() or following[0] in "-_%=&?"):
            return position, end
        position = text.find(needle, position + 1)
    return None


def _find_quote(detail: Detail, source: SourceText, near: int) -> tuple[Span, ...]:
    """Word for word, with `...` standing for what was left out; else every word that carries
    meaning, and as many negations, in one passage."""
    spans: list[Span] = []
    for part in _ELLIPSIS.split(detail.needle.lower()):
        bare = part.strip(" .,;:!?'\"")
        if not bare:
            continue
        found = _literal(bare, source, near, cased=False)
        if not found:
            return _passage_of(detail.needle.lower(), source, near)
        spans.extend(found)
    return tuple(spans)


def _passage_of(quote: str, source: SourceText, near: int) -> tuple[Span, ...]:
    keys = list(keys_of(quote))
    wanted = {key for key in keys if key not in STOP_WORDS}
    places = source.words.places
    if not wanted or any(key not in places for key in wanted):
        return ()
    negative = {key for key in keys if key in NEGATIONS}
    reach = 3 * len(keys) + 20
    for at in min((places[key] for key in wanted), key=len)[:50]:
        window = source.words.keys[max(0, at - reach) : at + reach]
        if wanted | negative <= set(window):
            first, last = max(0, at - reach), min(at + reach, len(source.words)) - 1
            inside = [k for k in range(first, last + 1) if source.words.keys[k] in wanted]
            return (source.words.span(inside[0], inside[-1]),)
    return ()


def _find_name(detail: Detail, source: SourceText, near: int) -> tuple[Span, ...]:
    return find_name(detail, source, near)


_FINDERS: dict[str, Finder] = {
    "code": _find_code,
    "line": _find_line,
    "identifier": _find_identifier,
    "url": _find_url,
    "quote": _find_quote,
    "date": find_date,
    "figure": find_figure,
    "name": _find_name,
}
