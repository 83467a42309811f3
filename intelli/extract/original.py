"""The text that something was copied from: whether it has a piece, and the piece most like one."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cached_property

from intelli.text.folding import fold_plain

_WORD = re.compile(r"\w+")
_PART = re.compile(r"\w+(?:\.\w+)*")
_DIGITS = re.compile(r"\d+")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_MARKUP = re.compile(r"^[ \t]*(?:[>#]+|[-*+]|\d{1,3}[.)])[ \t]+")
_EXACT = re.compile(r"[\d`]")
_NEAR = 0.8
_CANDIDATES = 12
_COMMON = 400
_LONGEST = 1_000


class Original:
    """Compares without regard to white space, case of folding, escapes and Markdown's marks.
    Whatever is slow is made when it is first asked for; each question is linear in the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, bool] = {}

    def has(self, piece: str) -> bool:
        """Whether the piece stands in the text, in one piece."""
        piece = piece.strip()
        if piece not in self._known:
            self._known[piece] = (
                piece in self._text
                or _solid(piece) in self._solid
                or _folded(piece) in self._folded
            )
        return self._known[piece]

    def has_parts(self, piece: str) -> bool:
        """Whether one line has all words and figures of the piece, in whatever order and form."""
        parts = _PART.findall(piece)
        return bool(parts) and any(all(part in line for part in parts) for line in self._lines)

    def has_row(self, cells: Sequence[str]) -> bool:
        """Whether a row of a table in the text that speaks of the first cell has the figures and
        the code of all; where no row does, whether the text has them anywhere."""
        exact = [_folded(cell) for cell in cells if _EXACT.search(cell)]
        if not exact:
            return True
        subject = _folded(cells[0])
        about = [row for row in self._rows if subject in row]
        if not about:
            return all(cell in self._folded for cell in exact)
        return any(all(cell in row for cell in exact) for row in about)

    def nearest_line(self, line: str, *, rows: bool = False) -> str:
        """The line (the row of a table) that is nearly the same, "" when none is."""
        return self._nearest(line.strip(), self._lines, self._by_word, rows)

    def nearest_sentence(self, words: str) -> str:
        """The sentence that is nearly the same, "" when none is."""
        return self._nearest(words, self._sentences, self._sentences_by_word, False)

    def other_figures(self, code: str) -> str:
        """What the text has of the same form with other figures; "" when nothing or several."""
        if len(code) > _LONGEST:
            return ""
        parts = [re.escape(part) for part in _DIGITS.split(code)]
        form = re.compile(r"(?<![\w.])" + r"\d{1,20}".join(parts) + r"(?![\w.]*\d)")
        found: set[str] = set()
        for match in form.finditer(self._text):
            found.add(match[0])
            if len(found) > 1:
                return ""
        return found.pop() if found else ""

    def _nearest(
        self, wanted: str, pieces: Sequence[str], places: dict[str, list[int]], rows: bool
    ) -> str:
        """Of the few pieces that share the rarest words, the one most alike."""
        if len(wanted) > _LONGEST:
            return ""
        shared: Counter[int] = Counter()
        for word in set(_WORD.findall(wanted.lower())):
            found = places.get(word, [])
            if len(found) <= _COMMON:
                shared.update(found)
        best, likeness = "", _NEAR
        for n, _ in shared.most_common(_CANDIDATES):
            piece = pieces[n]
            if len(piece) > _LONGEST or (rows and not piece.startswith("|")):
                continue
            matcher = SequenceMatcher(None, wanted, piece, autojunk=False)
            if matcher.quick_ratio() >= likeness and (ratio := matcher.ratio()) >= likeness:
                best, likeness = piece, ratio
        return best

    @cached_property
    def _solid(self) -> str:
        return _solid(self._text)

    @cached_property
    def _folded(self) -> str:
        return _folded(self._text)

    @cached_property
    def _lines(self) -> list[str]:
        return [line.strip() for line in self._text.splitlines()]

    @cached_property
    def _rows(self) -> list[str]:
        return [_folded(line) for line in self._lines if line.startswith("|")]

    @cached_property
    def _sentences(self) -> list[str]:
        found = (_MARKUP.sub("", piece).strip() for piece in _SENTENCE.split(self._text))
        return [piece for piece in found if piece]

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        return _index(self._lines)

    @cached_property
    def _sentences_by_word(self) -> dict[str, list[int]]:
        return _index(self._sentences)


def _index(pieces: Sequence[str]) -> dict[str, list[int]]:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for n, piece in enumerate(pieces):
        for word in set(_WORD.findall(piece[:_LONGEST].lower())):
            places[word].append(n)
    return places


def _solid(text: str) -> str:
    return "".join(text.split())


def _folded(text: str) -> str:
    """Folded and solid: how Markdown writes it makes no difference."""
    return _solid(fold_plain(text)).replace("|", "")
