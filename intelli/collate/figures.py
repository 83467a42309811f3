"""Figures of a text: digits, words, scales and units brought to one form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from intelli.collate.compounds import compounds
from intelli.collate.lexicon import (
    COUNT_WORDS,
    NUMBER_WORDS,
    ORDINAL_WORDS,
    SCALE_SIGNS,
    SCALE_WORDS,
    UNITS,
)
from intelli.collate.rates import BITS, RATE_UNITS, Denominator, denominators, is_counted
from intelli.collate.words import number_key, singular

FigureKind = Literal["number", "version", "ordinal", "word", "count", "decade"]

_DIGITS = re.compile(
    r"(?P<money>(?:\b(?:us|ca|au?|nz|hk))?[$€£¥₹]\s?|\b(?:usd|eur|gbp|chf|inr|jpy)\s)?-?"
    r"(?P<digits>\d+(?:[.,]\d+)*|(?<![\w.])\.\d+)"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?(?P<decade>'?s\b)?"
)
_AFTER = re.compile(
    r"(?P<gap>[\s-]{0,2})(?P<unit>%|°\s?[cf]?\b|[$€£¥₹]|[^\W\d_]{1,14})(?P<tail>s?\b)?"
)
_EUROPEAN = re.compile(r"\d{1,3}(?:\.\d{3}){2,}$|\d{1,3}(?:\.\d{3})+,\d+$")
_DECIMAL_COMMA = re.compile(r"\d+,(?:\d{1,2}|\d{4,})$")
_NUMERAL = "|".join(sorted([*NUMBER_WORDS, *SCALE_WORDS], key=len, reverse=True))
_WORDED = re.compile(
    rf"\b(?:(?:an?|half an?)\s(?=(?:hundred|thousand|million|billion|trillion)\b))?"
    rf"(?:{_NUMERAL})s?(?:(?:[\s-]|\sand\s)(?:{_NUMERAL})s?)*\b"
)
_COUNTED = re.compile(rf"\b(?:{'|'.join(COUNT_WORDS)})s?\b")
_ORDINAL = re.compile(
    rf"\b(?:(?P<tens>twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[\s-])?"
    rf"(?P<unit>{'|'.join(ORDINAL_WORDS)})\b"
)
_TOO_LARGE = 1e16  # no number that a person would write in words
_CENTS = re.compile(r"\s(?:cents?|centimes?|pence)\b")
_MONEY = frozenset("usd eur gbp chf inr".split())
_WORD_NEXT = re.compile(r"\s(?!(?:and|or|to|for|per|in|at|of|is|on)\b)[a-z]")
_DIGIT_BEFORE = re.compile(r"\d[\s-]?$")
_DEGREES = re.compile(r"\s([cf])(?:elsius|ahrenheit)?\b")
_DECADE_BEFORE = re.compile(r"(?:\b(?:the|early|late|mid|his|her|their)[\s-]|')$")
_VERSION_BEFORE = re.compile(r"(?:\bv\.?|\bversions?|\breleases?)\s?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number at `start:end` of the folded text.

    `digits` is the number as digits without separators ("4500", "3.10", "1.2.3"), `values` what it
    can stand for (scaled or not), best first; `unit` is a dimension, `factor` its exact multiple
    of the base unit; `unit_end` is where the unit ends. `per` is what a rate is divided by, up to
    `rate_end`; `counted` says that a plural noun follows instead of a unit.
    """

    kind: FigureKind
    start: int
    end: int
    digits: str
    values: tuple[float, ...]
    unit: str = ""
    factor: float = 1.0
    scale: float = 1.0
    unit_end: int = 0
    per: tuple[Denominator, ...] = ()
    rate_end: int = 0
    counted: bool = False


def figures(text: str) -> list[Figure]:
    """Every figure of a folded lower-case text, in order of kind, then place. Linear."""
    found = [_digit_figure(text, match) for match in _DIGITS.finditer(text)]
    for match in _WORDED.finditer(text):
        if match.group().split("-")[0].split()[0].rstrip(
            "s"
        ) in SCALE_WORDS and _DIGIT_BEFORE.search(text, max(0, match.start() - 3), match.start()):
            continue
        value = _worded(match.group())
        if value < _TOO_LARGE:
            found.append(_with_unit(text, match.start(), match.end(), value))
    for match in _COUNTED.finditer(text):
        value = COUNT_WORDS.get(match.group()) or COUNT_WORDS[match.group()[:-1]]
        found.append(_word(match.start(), match.end(), value, "count"))
    for start, end, digits, value, unit in compounds(text):
        if unit:
            found.append(_measured(start, end, digits, value, unit))
        else:
            found.append(_with_unit(text, start, end, value, digits))
    found.extend(_ordinals(text))
    found.extend(_with_cents(text, found))
    return [_in_context(text, figure) for figure in found]


def _in_context(text: str, figure: Figure) -> Figure:
    """The figure with the denominator of its rate, or the noun that it counts."""
    if figure.kind not in ("number", "word", "count"):
        return figure
    position = max(figure.end, figure.unit_end)
    unit = text[figure.end : position].rpartition(" ")[2].strip("-")
    per, end = denominators(text, unit, position)
    if per == ((figure.unit, figure.values[0] * figure.factor if figure.values else 0.0),):
        per = ()  # `24 hours a day` is no rate
    counted = not figure.unit and is_counted(text, figure.digits, position)
    return replace(figure, per=per, rate_end=end, counted=counted) if per or counted else figure


def _with_cents(text: str, found: Sequence[Figure]) -> Iterator[Figure]:
    """`twelve euros and fifty cents` is 12.5 euros."""
    if not _CENTS.search(text):
        return
    ordered = sorted(found, key=lambda figure: figure.start)
    for whole, part in pairwise(ordered):
        between = text[whole.unit_end : part.start]
        cents = _CENTS.match(text, part.end)
        if cents and whole.unit in _MONEY and between.strip() in ("", "and", ",") and part.values:
            value = whole.values[0] + part.values[0] / 100
            yield replace(
                whole, end=part.end, digits=f"{value:.12g}", values=(value,), unit_end=cents.end()
            )


def _measured(start: int, end: int, digits: str, value: float, unit: str) -> Figure:
    return Figure(
        kind="number", start=start, end=end, digits=digits, values=(value,), unit=unit, unit_end=end
    )


def _word(start: int, end: int, value: float, kind: FigureKind = "word") -> Figure:
    digits = f"{value:.12g}"
    return Figure(kind=kind, start=start, end=end, digits=digits, values=(value,), unit_end=end)


def _ordinals(text: str) -> Iterator[Figure]:
    for match in _ORDINAL.finditer(text):
        value = ORDINAL_WORDS[match["unit"]] + (NUMBER_WORDS[match["tens"]] if match["tens"] else 0)
        yield _word(match.start(), match.end("unit"), value, "ordinal")


def _worded(text: str) -> float:
    """The value of a number in words: `two hundred and five` -> 205."""
    total, current = 0.0, 0.0
    for word in re.split(r"[\s-]+", text):
        bare = word if word in NUMBER_WORDS or word in SCALE_WORDS else word.rstrip("s")
        if bare in NUMBER_WORDS:
            current += NUMBER_WORDS[bare]
        elif bare == "hundred":
            current = (current or 1.0) * 100
        elif bare in SCALE_WORDS:
            total += (current or 1.0) * SCALE_WORDS[bare]
            current = 0
        elif bare == "half":
            current = 0.5
    return total + current


def _digit_figure(text: str, match: re.Match[str]) -> Figure:
    digits, start, end = number_key(match["digits"]), match.start("digits"), match.end("digits")
    digits = f"0{digits}" if digits[0] == "." else digits
    if _EUROPEAN.match(digits):
        digits = digits.replace(".", "").replace(",", ".")
    elif _DECIMAL_COMMA.match(digits):
        digits = digits.replace(",", ".")
    if match["ordinal"]:
        return Figure(
            kind="ordinal", start=start, end=match.end("ordinal"), digits=digits,
            values=_values(digits), unit_end=match.end("ordinal"),
        )  # fmt: skip
    if match["decade"] and digits[-1] == "0" and _is_decade(text, match):
        end = match.end("decade")
        return Figure(
            kind="decade", start=start, end=end, digits=digits, values=_values(digits), unit_end=end
        )
    if digits.count(".") > 1 or _VERSION_BEFORE.search(text, max(0, start - 10), start):
        return Figure(
            kind="version", start=start, end=end, digits=digits, values=_values(digits),
            unit_end=end,
        )  # fmt: skip
    money = _money(match["money"])
    return _with_unit(text, start, end, float(digits) if _is_number(digits) else 0, digits, money)


def _is_decade(text: str, match: re.Match[str]) -> bool:
    """`1990s`, `'90s` and `the 90s`, but not `30s`."""
    start = match.start("digits")
    named = match["decade"] == "'s" or _DECADE_BEFORE.search(text, max(0, start - 12), start)
    return len(match["digits"]) == 4 or (len(match["digits"]) == 2 and bool(named))


def _money(sign: str | None) -> str:
    name = sign.strip() if sign else ""
    return UNITS[name if name in UNITS else name[-1]][0] if name else ""


def _is_number(digits: str) -> bool:
    return len(digits) <= 18 and digits.count(".") <= 1 and "," not in digits


def _values(digits: str) -> tuple[float, ...]:
    return (float(digits),) if _is_number(digits) else ()


def _with_unit(
    text: str, start: int, end: int, value: float, digits: str = "", money: str = ""
) -> Figure:
    """Read scale and unit behind a number: `1.5 million dollars`, `5k`, `30 s`, `40-minute`."""
    kind: FigureKind = "number" if digits else "word"
    digits = digits or f"{value:.12g}"
    if not _is_number(digits):
        return Figure(kind=kind, start=start, end=end, digits=digits, values=(), unit_end=end)
    values, scale, position = [value], 1.0, end
    after = _AFTER.match(text, end)
    if after:
        scaled = _scale(after, bool(money))
        if scaled:
            scale, position = scaled, after.end()
            values = [value * scale, value] if _sure(after, bool(money)) else [value, value * scale]
    unit, factor, unit_end = _unit(text, position)
    if not unit and unit_end == position != end:
        unit, factor, unit_end = _unit(text, end)
    if money:
        unit, factor = money, 1.0
    return Figure(
        kind=kind, start=start, end=end, digits=digits, values=tuple(values), unit=unit,
        factor=factor, scale=scale, unit_end=max(unit_end, position),
    )  # fmt: skip


def _scale(after: re.Match[str], money: bool) -> float:
    word = after["unit"]
    bare = word[:-1] if word.endswith("s") else word
    if bare in SCALE_WORDS:
        return SCALE_WORDS[bare]
    if after["gap"] and not money:
        return SCALE_SIGNS.get(word, 0.0) if word in ("mn", "bn", "mln", "bln", "tn") else 0.0
    return SCALE_SIGNS.get(word, 0.0)


def _sure(after: re.Match[str], money: bool) -> bool:
    """Whether the sign can only be a scale: `5m` may be metres, `$5m` may not."""
    return money or after["unit"] not in ("m", "b", "mm")


def _unit(text: str, position: int) -> tuple[str, float, int]:
    after = _AFTER.match(text, position)
    if not after:
        return "", 1.0, position
    word = after["unit"]
    if word == "us" and _WORD_NEXT.match(text, after.end("unit")):  # `100 US citizens`
        return "", 1.0, position
    if word.startswith("°"):
        word = word.replace(" ", "")
    if word == "per":
        cent = text.startswith("per cent", after.start("unit"))
        return ("percent", 1.0, after.start("unit") + 8) if cent else ("", 1.0, position)
    if word in RATE_UNITS:
        return *RATE_UNITS[word][:2], after.end("unit")
    scale = _DEGREES.match(text, after.end("unit")) if singular(word) == "degree" else None
    if scale:
        return *UNITS[f"°{scale[1]}"], scale.end()
    found = UNITS.get(word) or UNITS.get(singular(word)) or BITS.get(singular(word))
    if not found or (len(word) == 1 and word.isalpha() and after["gap"] == "-"):
        return "", 1.0, position
    return found[0], found[1], after.end("unit")
