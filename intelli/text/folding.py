"""Unicode folding that keeps the way back: every folded character knows where it came from."""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

_ENTITY = r"&(?:amp|lt|gt|quot|apos|nbsp|ndash|mdash|hellip|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});"
_SPECIAL = re.compile(
    rf"{_ENTITY}"
    r"|\\(?=[!-/:-@\[-`{-~])"  # a Markdown escape
    r"|(?!(?<=\d)\*\d)[*`]+"  # a lone star between digits is a product
    r"|[\s\x00-\x1f\x7f]{2,}|[\t-\r\x1c-\x1f]|[\x00-\x08\x0e-\x1b\x7f]"
    r"|[^\x00-\x7f]+"
)

_LETTERS = {
    **dict.fromkeys("‘’‚‛′´ʼʹ＇", "'"), **dict.fromkeys("“”„‟″«»＂", '"'),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"), **dict.fromkeys("•·⁃", " "),
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th",
    "Þ": "Th", "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ı": "i",
    "ſ": "s", "×": "x", "÷": "/", "⁄": "/", "∕": "/", "…": "...", "µ": "μ", "′": "'", "‹": "'",
    "›": "'", "ё": "е", "Ё": "Е",
}  # fmt: skip
_DROPPED_MARKS = ((0x0300, 0x036F), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F))


def _folded_character(char: str) -> str:
    mapped = _LETTERS.get(char)
    if mapped is not None:
        return mapped
    category = unicodedata.category(char)
    if category == "Cf":
        return ""
    if char.isspace() or category == "Cc":
        return " "
    if any(low <= ord(char) <= high for low, high in _DROPPED_MARKS):
        return ""
    if "가" <= char <= "힣":
        return char
    compatible = unicodedata.normalize("NFKC", char)
    if not compatible.isalpha():  # a stroke through a sign turns it round: `≠`
        return _raised(char, "".join(_LETTERS.get(part, part) for part in compatible))
    parts = unicodedata.normalize("NFD", compatible)
    kept = "".join(_LETTERS.get(part, part) for part in parts if not 0x0300 <= ord(part) <= 0x036F)
    return unicodedata.normalize("NFC", kept)


def _raised(char: str, folded: str) -> str:
    """`10²` is `10^2`, not 102; `1½` is `1 1/2`."""
    raised = folded.isdigit() and unicodedata.decomposition(char).startswith("<super>")
    return f"^{folded}" if raised else f" {folded}" if "/" in folded[1:] else folded


class _Table(dict[int, str]):
    """Folds a character once and remembers it; `odd` holds those that change the length."""

    def __init__(self) -> None:
        super().__init__()
        self.odd: set[str] = set()

    def __missing__(self, code: int) -> str:
        char = chr(code)
        folded = _folded_character(char)
        if len(folded) != 1 or folded == " ":
            self.odd.add(char)
        self[code] = folded
        return folded


_TABLE = _Table()


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """`text` is the folded text, case kept; `lower` the same in lower case, sign for sign.

    `folded_at[k]` and `original_at[k]` say where the k-th stretch begins on either side; within
    a stretch both run in step, or the whole stretch stands for one original run. `breaks` are the
    folded offsets of spaces that were line breaks.
    """

    text: str
    lower: str
    length: int
    folded_at: array[int]
    original_at: array[int]
    in_step: bytearray
    breaks: array[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that folded to `text[start:end]`, in code points."""
        if end <= start:
            begin = self._first(start)
            return begin, begin
        return self._first(start), self._last(end - 1)

    def broken(self, start: int, end: int) -> bool:
        """Whether a line of the original ends within `text[start:end]`."""
        k = bisect_left(self.breaks, start)
        return k < len(self.breaks) and self.breaks[k] < end

    def _first(self, position: int) -> int:
        if not self.folded_at:
            return 0
        k = bisect_right(self.folded_at, position) - 1
        step = position - self.folded_at[k] if self.in_step[k] else 0
        return min(self.original_at[k] + step, self.length)

    def _last(self, position: int) -> int:
        k = bisect_right(self.folded_at, position) - 1
        if self.in_step[k]:
            return min(self.original_at[k] + position - self.folded_at[k] + 1, self.length)
        return self.original_at[k + 1] if k + 1 < len(self.original_at) else self.length


class _Builder:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.size = 0
        self.folded_at = array("l")
        self.original_at = array("l")
        self.in_step = bytearray()
        self.breaks = array("l")

    def add(self, piece: str, original: int, *, in_step: bool) -> None:
        if not piece:
            return
        self.folded_at.append(self.size)
        self.original_at.append(original)
        self.in_step.append(in_step)
        self.pieces.append(piece)
        self.size += len(piece)

    def add_run(self, run: str, original: int) -> None:
        """A run outside ASCII: in one piece when every character stays one character."""
        folded = run.translate(_TABLE)
        if _TABLE.odd.isdisjoint(run):
            self.add(folded, original, in_step=True)
            return
        for offset, char in enumerate(run):
            piece = _TABLE[ord(char)]
            if piece == " " and self.pieces and self.pieces[-1].endswith(" "):
                continue
            self.add(piece, original + offset, in_step=False)


def fold(text: str) -> Folded:
    """Fold width, ligatures, accents, quotes, dashes, entities, white space, soft hyphens and the
    Markdown signs for bold, italics and code. Case is folded in `lower` only. Linear in `text`."""
    builder = _Builder()
    position = 0
    for match in _SPECIAL.finditer(text):
        start, end = match.span()
        builder.add(text[position:start], position, in_step=True)
        position = end
        run = match.group()
        if run[0] > "\x7f":
            builder.add_run(run, start)
        else:
            if "\n" in run:
                builder.breaks.append(builder.size)
            builder.add(_replacement(run), start, in_step=False)
    builder.add(text[position:], position, in_step=True)
    folded = "".join(builder.pieces)
    return Folded(
        text=folded,
        lower=_lower(folded),
        length=len(text),
        folded_at=builder.folded_at,
        original_at=builder.original_at,
        in_step=builder.in_step,
        breaks=builder.breaks,
    )


def _replacement(run: str) -> str:
    if run[0] in "*`\\":
        return ""
    if run[0] == "&":
        return html.unescape(run).translate(_TABLE)
    return " "


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def fold_plain(text: str) -> str:
    """The folded text in lower case, for those who need no way back."""
    return fold(text).lower
