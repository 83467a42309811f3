"""Wall clock of a whole run beside the longest chain of waits that its world imposes."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from material import QUERY, paragraphs

from tests.world import Ask, Say, World
from tests.world.pages import Fault

SEARCH, COLLATE, GRACE = 1.8, 4.0, 5.0
FETCH = (0.22, 0.29, 0.35, 0.41, 0.48, 0.54, 0.61, 0.67, 0.74, 0.80)
EXTRACT = (3.1, 1.9, 2.05, 2.2, 2.3, 2.45, 2.6, 2.7, 2.85, 3.0)
SLOW, SLOW_PAGE = 3, 5.0
MODEL_SLOTS = "16"
TARGET = 1.10


@dataclass(frozen=True, slots=True)
class Lane:
    """A page: seconds until it answers (None: never) and until its extraction is there."""

    fetch: float | None
    extract: float


@dataclass(frozen=True, slots=True)
class Variant:
    """A world to measure in, and what a perfect run would take there."""

    name: str
    lanes: tuple[Lane, ...]

    @property
    def path(self) -> float:
        """The longest chain: search, the slowest lane that ends, collation; grace for the rest."""
        ends = [lane.fetch + lane.extract for lane in self.lanes if lane.fetch is not None]
        grace = GRACE if len(ends) < len(self.lanes) else 0.0
        return SEARCH + max(ends) + grace + COLLATE


def variants() -> list[Variant]:
    lanes = [Lane(fetch, extract) for fetch, extract in zip(FETCH, EXTRACT, strict=True)]

    def with_slow(fetch: float | None) -> tuple[Lane, ...]:
        return tuple(
            Lane(fetch, lane.extract) if n == SLOW else lane for n, lane in enumerate(lanes)
        )

    return [
        Variant("one page takes 5 s", with_slow(SLOW_PAGE)),
        Variant("no slow page", tuple(lanes)),
        Variant("one page never answers", with_slow(None)),
    ]


def furnish(world: World, variant: Variant) -> None:
    """Pages on hosts of their own; an address with another ending (a twin) is missing at once."""
    marks = []
    for n, lane in enumerate(variant.lanes):
        text = paragraphs(n, 12)
        marks.append(text[0])
        fault: Fault = "hang" if lane.fetch is None else ""
        world.article(f"/berth-{n}", f"Berth {n}", text, delay=lane.fetch or 0.0, fault=fault)
    world.model.say("search", world.model.computed("search", delay=SEARCH))
    world.model.say("extract", Say(text=brief(world), delay=delay_of(variant, marks)))
    world.model.say("collate", world.model.computed("collate", delay=COLLATE))


def brief(world: World) -> Callable[[Ask], str]:
    """An extraction of the length a model would write: the first known paragraphs."""

    def answer(ask: Ask) -> str:
        return "\n\n".join(world.knowledge.extract(ask).split("\n\n")[:4])

    return answer


def delay_of(variant: Variant, marks: Sequence[str]) -> Callable[[Ask], float]:
    def delay(ask: Ask) -> float:
        (lane,) = (
            lane for lane, mark in zip(variant.lanes, marks, strict=True) if mark in ask.user
        )
        return lane.extract

    return delay


def measure(variant: Variant) -> tuple[float, dict[str, Any]]:
    """Seconds from the start of the process to its end, and the document it printed."""
    with World(hosts=len(variant.lanes)) as world:
        furnish(world, variant)
        place = world.place()
        place.env["INTELLI_EXTRACT__CONCURRENCY"] = MODEL_SLOTS
        place.env["INTELLI_FETCH__GRACE"] = str(GRACE)
        began = time.monotonic()
        run = place.run("research", QUERY, "--json")
        seconds = time.monotonic() - began
    if run.code:
        sys.exit(f"{variant.name}: exit {run.code}\n{run.stdout}{run.stderr}")
    statuses = [source["status"] for source in run.json["sources"]]
    expected = ["ok" if lane.fetch is not None else "late" for lane in variant.lanes]
    if statuses != expected:
        sys.exit(f"{variant.name}: sources are {statuses}, not {expected}")
    return seconds, run.json["timing"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs of each variant")
    parser.add_argument("--variant", type=int, help="only this one, counted from 1")
    options = parser.parse_args()
    chosen = variants()[options.variant - 1 :][:1] if options.variant else variants()
    print(f"{'variant':<24}{'path s':>8}{'wall s':>8}{'ratio':>8}{'target':>8}")
    missed = 0
    for variant in chosen:
        results = [measure(variant) for _ in range(options.runs)]
        wall = statistics.median(seconds for seconds, _ in results)
        ratio = wall / variant.path
        missed += ratio > TARGET
        print(f"{variant.name:<24}{variant.path:8.2f}{wall:8.2f}{ratio:8.3f}{TARGET:8.2f}")
        stages = ", ".join(f"{name} {s:.2f}" for name, s in results[-1][1]["stages"].items())
        print(f"    stages of the last run: {stages}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
