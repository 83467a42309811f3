"""A model's ratings of search results, read leniently: lines as asked for, or JSON of any shape."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from intelli.records import record

SAFE = "safe"
_DANGERS = ("prompt_injection", "harmful_content", "phishing", "other")
_FIGURE = r"\W{0,5}?(\d{1,3}(?:\.\d{1,9})?|\.\d{1,9}) ?(%?)"
_LINE = re.compile(r"\W{0,6}(?:(?:result|candidate)\W{0,3})?(\d{1,3})\b(.*)", re.I)
_PARTS = {
    "answers": re.compile(rf"\banswers?{_FIGURE}", re.I),
    "off_topic": re.compile(rf"\boff[-_ ]?topic{_FIGURE}", re.I),
    "self_contained": re.compile(rf"\bself[-_ ]?contained{_FIGURE}", re.I),
}
_SAFETY = re.compile(
    rf"\b({SAFE}|prompt[-_ ]injection|harmful[-_ ]content|phishing|other)\b(?:{_FIGURE})?", re.I
)
_SUFFICIENT = re.compile(rf"\bsufficient(?:ly)?{_FIGURE}", re.I)
_NUMBERS = ("index", "n", "number", "id", "result")
_LABELS = ("choice", "label", "safety")
_SURE = ("probability", "confidence", "sure")
_NAMES = {"offtopic": "off_topic", "selfcontained": "self_contained", "answer": "answers"}


@record
class Rating:
    """Of one result, each 0 to 1, None where the model said nothing; `danger` is "" for a safe
    one, and `sure` how sure the model is of it."""

    answers: float | None = None
    off_topic: float | None = None
    self_contained: float | None = None
    danger: str = ""
    sure: float | None = None


@record
class Ratings:
    """By the number of the result; `sufficient` None where the model said nothing of it."""

    by_number: Mapping[int, Rating]
    sufficient: float | None = None


def read_ratings(text: str, count: int) -> Ratings:
    """What the model wrote about results 1 to `count`; the first rating of a result counts."""
    found, sufficient = _from_json(_json(text))
    if not found:
        found, sufficient = _from_lines(text)
    by_number: dict[int, Rating] = {}
    for number, rating in found:
        if 1 <= number <= count and rating != Rating():
            by_number.setdefault(number, rating)
    return Ratings(by_number=by_number, sufficient=sufficient)


def _from_lines(text: str) -> tuple[list[tuple[int, Rating]], float | None]:
    found = []
    for line in text.splitlines():
        match = _LINE.match(line[:1000])
        if match:
            rest = match[2]
            shares = {name: _share(part.search(rest)) for name, part in _PARTS.items()}
            safety = _SAFETY.search(rest)
            sure = _share(safety, 2) if safety else None
            found.append((int(match[1]), _rating(shares, safety[1] if safety else "", sure)))
    return found, _share(_SUFFICIENT.search(text))


def _from_json(data: Any) -> tuple[list[tuple[int, Rating]], float | None]:
    found = []
    for place, item in enumerate(_items(data), 1):
        flat = {_flat(name): value for name, value in item.items()}
        number = str(_first(flat, _NUMBERS) or place)
        if number.isdecimal() and len(number) < 4:
            found.append((int(number), _rating_in(flat)))
    whole = data.get("sufficient") if isinstance(data, dict) else None
    return found, _unit(float(whole) if isinstance(whole, bool) else whole)


def _rating_in(flat: Mapping[str, Any]) -> Rating:
    """One rating; the safety is a word beside its figure, or an object that holds both."""
    safety = flat.get("safety")
    inner = {_flat(name): value for name, value in safety.items()} if _is_object(safety) else flat
    label = _first(inner, _LABELS) if inner is not flat else safety
    shares = {name: _unit(flat.get(name)) for name in _PARTS}
    return _rating(shares, str(label or ""), _unit(_first(inner, _SURE)))


def _first(values: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((values[name] for name in names if values.get(name) is not None), None)


def _is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _rating(shares: Mapping[str, float | None], label: str, sure: float | None) -> Rating:
    name = _flat(label)
    danger = "" if name in ("", SAFE) else name if name in _DANGERS else "other"
    return Rating(**shares, danger=danger, sure=sure)


def _items(data: Any) -> Iterable[Mapping[str, Any]]:
    if isinstance(data, dict):
        lists = [value for value in data.values() if isinstance(value, list)]
        data = lists[0] if lists else [data] if "answers" in data else []
    return [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []


def _json(text: str) -> Any:
    """The JSON object or array in `text`, None when there is none."""
    starts = [place for mark in "{[" if (place := text.find(mark)) >= 0]
    if not starts:
        return None
    start = min(starts)
    end = text.rfind("}" if text[start] == "{" else "]")
    try:
        return json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None


def _flat(name: object) -> str:
    """`Off-topic` and `offTopic` as `off_topic`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(name)[:100])
    flat = re.sub(r"[^a-z]+", "_", words.lower()).strip("_")
    return _NAMES.get(flat.replace("_", ""), flat)


def _share(match: re.Match[str] | None, group: int = 1) -> float | None:
    if match is None or match[group] is None:
        return None
    return _unit(float(match[group]) / (100 if match[group + 1] else 1))


def _unit(value: object) -> float | None:
    """A figure from 0 to 1, None for anything else."""
    if isinstance(value, str):
        try:
            value = float(value.strip())
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= 1 else None
