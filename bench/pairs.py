"""Measures the choice between a page and its own Markdown on labelled pairs and on made ones.

The weights are also fitted anew without each site and each kind of failure, and tried on what was
left out: that tells how much of the first figure is owed to having seen the pairs.
"""

from __future__ import annotations

import collections
import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
for folder in (str(ROOT), str(Path(__file__).resolve().parent)):
    if folder not in sys.path:
        sys.path.insert(0, folder)

from pair_makers import made  # noqa: E402 - the lines above make it importable

from intelli.fetch.cleaning import clean  # noqa: E402
from intelli.fetch.score import WEIGHTS, Reading, compare  # noqa: E402
from intelli.fetch.twin import is_markdown  # noqa: E402
from intelli.fetch.verdict import judge  # noqa: E402
from intelli.net.client import Response  # noqa: E402
from intelli.records import Candidate  # noqa: E402
from intelli.text.readers import read  # noqa: E402

DEFAULT = ROOT / "../shared/bench/pairs"
NAMES = tuple(WEIGHTS)
STEPS = 250


@dataclass(frozen=True, slots=True)
class Example:
    """A pair as numbers: what the twin has more of, and whether it is the better one."""

    site: str
    kind: str
    difference: tuple[float, ...]
    is_better: bool

    def score(self, weights: Sequence[float]) -> float:
        return sum(w * x for w, x in zip(weights, self.difference, strict=True))


def main(directory: Path) -> int:
    """Print every wrong choice with its reasons and the shares; 2 when there is no data."""
    labels = directory / "labels.jsonl"
    if not labels.is_file():
        print(f"no data: {labels} does not exist; name the directory as the argument")
        return 2
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines() if line]
    pairs = [(row, *readings(directory, row)) for row in rows]
    report_labelled(pairs)
    examples = [
        example(row["site"], row["kind"], page, twin, row["better"])
        for row, page, twin in pairs
        if twin is not None and row["better"] != "tie"
    ]
    good = {
        row["id"]: (row["site"], page, twin)
        for row, page, twin in pairs
        if twin is not None and row["better"] == "tie" and page.verdict == "ok"
    }
    synthetic = [example(*parts) for parts in made(good)]
    print("\nmade pairs, with the weights as they are")
    report([(each.kind, choice(each, list(WEIGHTS.values()))) for each in synthetic])
    everything = examples + synthetic
    print("\nweights fitted without the site, then without the kind, of the pair")
    for name, group in (("site", lambda e: e.site), ("kind", lambda e: e.kind)):
        results = held_out(everything, group)
        for which, chosen in (("labelled", examples), ("made", synthetic)):
            hits = [right for each, right in results if each in chosen]
            print(f"{name:<6}{which:<10}{sum(hits)}/{len(hits)} {sum(hits) / len(hits):.3f}")
    return 0


def readings(directory: Path, row: dict[str, str]) -> tuple[Reading, Reading | None]:
    """The page's reading and, where the twin is Markdown at all, the twin's."""
    body = (directory / f"{row['id']}.html").read_bytes()
    response = Response(status=200, url=row["url"], headers={}, body=body)
    document = read(body, "text/html", row["url"])
    verdict = judge(response, document).verdict
    page = Reading(via="html", text=document.text, title=document.title, verdict=verdict)
    own = Response(
        status=200,
        url=f"{row['url']}.md",
        headers={"content-type": "text/markdown"},
        body=(directory / f"{row['id']}.md").read_bytes(),
    )
    if not is_markdown(own, row["url"]):
        return page, None
    cleaned = clean(own.body.decode("utf-8", "replace"))
    twin = Reading(
        via="markdown",
        text=cleaned.text,
        title=cleaned.title,
        noise=cleaned.noise,
        leftovers=cleaned.leftovers,
    )
    return page, twin


def candidates(directory: Path, row: dict[str, str]) -> tuple[Candidate, Candidate | None]:
    """Both readings of a pair scored."""
    page, twin = readings(directory, row)
    if twin is None:
        return Candidate(via="html", text=page.text, title=page.title), None
    return compare(page, twin)


def report_labelled(pairs: Iterable[tuple[dict[str, str], Reading, Reading | None]]) -> None:
    right: list[tuple[str, bool]] = []
    for row, page, twin in pairs:
        scored = compare(page, twin) if twin is not None else None
        chosen = "markdown" if scored and scored[1].score > scored[0].score else "html"
        is_right = row["better"] in (chosen, "tie")
        groups = ("all", row["better"], row["kind"].partition("-")[0])
        right += [(group, is_right) for group in groups]
        if row["better"] != "tie":
            right.append(("no ties", is_right))
        if not is_right:
            print(f"{row['id']} {row['kind']}: {chosen} chosen, {row['better']} better")
            for each in scored or ():
                print(f"    {each.via:<9}{each.score:>8.3f} {dict(each.reasons)}")
    report(right)


def report(results: Iterable[tuple[str, bool]]) -> None:
    right: collections.Counter[str] = collections.Counter()
    total: collections.Counter[str] = collections.Counter()
    for group, is_right in results:
        right[group] += is_right
        total[group] += 1
    for group, count in total.items():
        print(f"{group:<30}{right[group]:>4}/{count:<4}{right[group] / count:.3f}")


def example(site: str, kind: str, page: Reading, twin: Reading, better: str) -> Example:
    of_page, of_twin = compare(page, twin)
    difference = tuple(
        (of_twin.reasons.get(name, 0.0) - of_page.reasons.get(name, 0.0)) / WEIGHTS[name]
        for name in NAMES
    )
    return Example(site, kind, difference, better == "markdown")


def choice(each: Example, weights: Sequence[float]) -> bool:
    return (each.score(weights) > 0) == each.is_better


def held_out(
    examples: Sequence[Example], group: Callable[[Example], str]
) -> list[tuple[Example, bool]]:
    """Each example and whether weights that were fitted without its group choose right."""
    results = []
    for left_out in sorted({group(each) for each in examples}):
        weights = fitted([each for each in examples if group(each) != left_out])
        results += [(e, choice(e, weights)) for e in examples if group(e) == left_out]
    return results


def fitted(examples: Sequence[Example]) -> list[float]:
    """Logistic regression from the weights as they are, of which none may change its sign."""
    start = [WEIGHTS[name] for name in NAMES]
    weights = list(start)
    for step in range(STEPS):
        slope = [0.0] * len(weights)
        for each in examples:
            margin = max(-30.0, min(30.0, 8 * each.score(weights)))
            error = each.is_better - 1 / (1 + math.exp(-margin))
            for n, x in enumerate(each.difference):
                slope[n] += error * x
        rate = 1.0 / (1 + step / 50)
        for n, first in enumerate(start):
            moved = weights[n] + rate * (slope[n] / len(examples) - 0.002 * (weights[n] - first))
            weights[n] = moved if moved * first > 0 else 0.0
    return weights


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT))
