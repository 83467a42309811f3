"""A stored source made searchable: folded and indexed once, when it is first needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from intelli.collate.dates import Date, dates
from intelli.collate.figures import Figure, figures
from intelli.collate.lexicon import STOP_WORDS
from intelli.collate.words import Words, keys_of, words_of
from intelli.text.folding import Folded, fold

_HEADER = re.compile(r"\A(?:\ufeff)?(?:# [^\n]*\n+)?((?:>[^\n]*\n)+)\n*---[ \t]*\n")
_HEADER_LINE = re.compile(r"^>[ \t]*([^:\n]+):[^\n]*$", re.MULTILINE)
_TITLE = re.compile(r"^\ufeff?#[ \t]+([^\n]{1,500})", re.MULTILINE)
_SEARCHED_KEYS = frozenset("source final-url url title published author authors".split())


def _searchable(text: str) -> str:
    """The file with what the program itself wrote into its head blanked out, so that the day of
    the download proves no date; title, address and publication stay. Offsets stay too."""
    header = _HEADER.match(text)
    if not header:
        return text
    pieces, position = [], 0
    for line in _HEADER_LINE.finditer(text, header.start(1), header.end(1)):
        if line.group(1).strip().casefold() not in _SEARCHED_KEYS:
            pieces += [text[position : line.start()], " " * len(line.group())]
            position = line.end()
    return "".join([*pieces, text[position:]])


class SourceText:
    """One source with its indexes; all of them are made on first use and cost linear time."""

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self._text = text

    @cached_property
    def folded(self) -> Folded:
        """The text without the program's own header lines, folded."""
        return fold(_searchable(self._text))

    @cached_property
    def words(self) -> Words:
        """Its words in order."""
        return words_of(self.folded)

    @cached_property
    def title(self) -> SourceText:
        """Its title and the first heading of the page itself, as a source of their own."""
        header = _HEADER.match(self._text)
        lines = [_TITLE.match(self._text), _TITLE.search(self._text, header.end() if header else 0)]
        return SourceText(self.number, "\n".join(line.group(1) for line in lines if line))

    @cached_property
    def rows(self) -> Mapping[str, list[list[list[str]]]]:
        """Its table rows by the words of their first cell; a row is the keys of each cell's words,
        empty cells left out."""
        found: dict[str, list[list[list[str]]]] = {}
        for line in self._text.splitlines():
            cells = [cell for cell in line.split("|") if cell.strip()] if "|" in line else []
            row = [keys for cell in cells if (keys := list(keys_of(fold(cell).lower)))]
            if len(row) > 1:
                found.setdefault(" ".join(row[0]), []).append(row)
        return found

    @cached_property
    def values_in_rows(self) -> frozenset[str]:
        """What stands in its table rows behind the first cell."""
        return frozenset(
            " ".join(cell) for rows in self.rows.values() for row in rows for cell in row[1:]
        )

    @cached_property
    def figures(self) -> list[Figure]:
        """Its figures, dates not excepted."""
        return figures(self.folded.lower)

    @cached_property
    def by_digits(self) -> Mapping[str, list[Figure]]:
        """Figures by their digits."""
        found: dict[str, list[Figure]] = {}
        for figure in self.figures:
            found.setdefault(figure.digits, []).append(figure)
        return found

    @cached_property
    def by_value(self) -> Mapping[float, list[Figure]]:
        """Figures by every value they can stand for."""
        found: dict[float, list[Figure]] = {}
        for figure in self.figures:
            for value in figure.values:
                found.setdefault(_rounded(value), []).append(figure)
        return found

    @cached_property
    def by_quantity(self) -> Mapping[tuple[str, float], list[Figure]]:
        """Figures with a unit by dimension and amount in its base unit."""
        found: dict[tuple[str, float], list[Figure]] = {}
        for figure in self.figures:
            if figure.unit and figure.values:
                amount = _rounded(figure.values[0] * figure.factor)
                found.setdefault((figure.unit, amount), []).append(figure)
        return found

    @cached_property
    def dates(self) -> list[Date]:
        """Its dates and parts of dates that name a month."""
        text = self.folded.text
        return [
            each
            for each in dates(self.folded.lower)
            if each.day or each.year or text[each.start].isupper()
        ]

    @cached_property
    def initials(self) -> tuple[str, list[int]]:
        """First letters of the words without little words, and which word each stands for."""
        keys = self.words.keys
        kept = [k for k, key in enumerate(keys) if key not in STOP_WORDS]
        return "".join(keys[k][0] for k in kept), kept

    def values(self, value: float) -> list[Figure]:
        """Figures that can stand for `value`."""
        return self.by_value.get(_rounded(value), [])

    def quantities(self, unit: str, amount: float) -> list[Figure]:
        """Figures of that dimension and amount, whatever unit they are written in."""
        return self.by_quantity.get((unit, _rounded(amount)), [])


def _rounded(value: float) -> float:
    return float(f"{value:.9g}")


def source_texts(sources: Mapping[int, str]) -> dict[int, SourceText]:
    """Every source by its number; nothing is read yet."""
    return {number: SourceText(number, text) for number, text in sources.items()}
