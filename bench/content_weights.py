"""Fits the weights of `intelli.text.html_prose` on pages with gold: takes some minutes, prints."""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from lxml.html import HtmlElement

from intelli.text.html_cleaning import remove_consent, remove_hidden, remove_unshown
from intelli.text.html_hiding import Hiding
from intelli.text.html_math import settle_formulas
from intelli.text.html_prose import WEIGHTS, features, sigmoid
from intelli.text.html_runs import runs_of
from intelli.text.html_streaming import settle_streamed
from intelli.text.html_tree import body_of, parse
from intelli.text.readers import decode

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "bench" / "extraction"
ROUNDS = 7
RIDGE = 1.0
PAGE = 60.0
"""Weight that the runs of one page can reach together, however many they are."""

_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_TRUST = {1: 0.25, 2: 0.4, 3: 0.7, 4: 1.0}
"""What the word of the gold is worth for a run of so many words: short ones match by chance."""

Sample = tuple[Sequence[float], float, float]
"""Features, share of the run that is content, weight."""


def main() -> int:
    """Print the table of weights that fits the gold best."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("bench", nargs="?", type=Path, default=DEFAULT)
    bench = options.parse_args().bench
    samples: list[Sample] = []
    for line in (bench / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        if not gold.get("biased_to"):
            body = gzip.decompress((bench / "pages" / f"{gold['id']}.html.gz").read_bytes())
            samples += _page(body, gold)
    for name, weight in zip(WEIGHTS, _fitted(samples), strict=True):
        print(f'    "{name}": {weight:.2f},')
    return 0


def _page(body: bytes, gold: dict[str, object]) -> list[Sample]:
    root = _shown(decode(body, "text/html"))
    runs = runs_of(root)
    labels = list(_labels([run.text for run in runs], gold))
    found = [(x, *label) for x, label in zip(features(root, runs), labels, strict=True) if label[1]]
    scale = PAGE / (sum(weight for _, _, weight in found) + PAGE / 3)
    return [(x, share, weight * scale) for x, share, weight in found]


def _shown(text: str) -> HtmlElement:
    root = parse(text)
    settle_formulas(root)
    settle_streamed(root)
    hiding = Hiding(root)
    remove_unshown(root)
    remove_hidden(root, hiding)
    remove_consent(root)
    return body_of(root)


def _labels(texts: Sequence[str], gold: dict[str, object]) -> Iterator[tuple[float, float]]:
    text = "" if gold.get("gold_suspect") else str(gold["gold_text"] or "")
    words = _TOKEN.findall(text.lower())
    grams = {n: set(_grams(words, n)) for n in _TRUST}
    lines = {tuple(_TOKEN.findall(line.lower())) for line in text.split("\n")}
    kept, left = (_snippets(gold.get(name)) for name in ("must", "must_not"))
    for own in (_TOKEN.findall(text.lower()) for text in texts):
        size = min(4, len(own))
        share, weight = 0.0, 0.0
        if words and own:
            found = [gram in grams[size] for gram in _grams(own, size)]
            share = sum(found) / len(found)
            weight = max(_TRUST[size], 0.8 * (tuple(own) in lines))
        if own and share <= 0.5 and any(_same(own, part) for part in left):
            share, weight = 0.0, 1.5 if words else 6.0
        elif own and any(_same(own, part) for part in kept):
            share, weight = 1.0, 1.5 if words else 4.0
        yield share, weight * min(4.0, 1 + len(own) / 15)


def _snippets(value: object) -> list[str]:
    return (
        ["".join(_TOKEN.findall(part.lower())) for part in value] if isinstance(value, list) else []
    )


def _same(words: list[str], snippet: str) -> bool:
    text = "".join(words)
    return (snippet in text and len(snippet) > 0.5 * len(text)) or (
        len(text) > 12 and text in snippet
    )


def _grams(words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return list(zip(*(words[n:] for n in range(size)), strict=False))


def _fitted(samples: Sequence[Sample]) -> list[float]:
    """Logistic regression by Newton's method, with a ridge."""
    width = len(WEIGHTS)
    weights = [0.0] * width
    for _ in range(ROUNDS):
        slope = [RIDGE * weight for weight in weights]
        bend = [[RIDGE * (row == column) for column in range(width)] for row in range(width)]
        for values, share, trust in samples:
            likely = sigmoid(sum(w * x for w, x in zip(weights, values, strict=True)))
            error, spread = trust * (likely - share), trust * likely * (1 - likely)
            for row in (n for n in range(width) if values[n]):
                slope[row] += error * values[row]
                scaled = spread * values[row]
                bend[row] = [b + scaled * x for b, x in zip(bend[row], values, strict=True)]
        step = _solved(bend, slope)
        weights = [weight - change for weight, change in zip(weights, step, strict=True)]
    return weights


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """The solution of a positive definite system by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for n, pivot in enumerate(rows):
        for row in rows[:n] + rows[n + 1 :]:
            factor = row[n] / pivot[n]
            row[:] = [value - factor * top for value, top in zip(row, pivot, strict=True)]
    return [row[-1] / row[n] for n, row in enumerate(rows)]


if __name__ == "__main__":
    sys.exit(main())
