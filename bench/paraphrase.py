"""How many claims that people judged are flagged: supported ones, and the others.

    python bench/paraphrase.py [DIRECTORY]

DIRECTORY (default: `../shared/bench/paraphrase` beside the project) holds `claims.jsonl`. A claim
is flagged when it is partial, misattributed or unsupported; a difference is visible when a figure,
date or capitalised word of the claim stands nowhere in the cited text. Exit 1 when more than 7 %
of the supported claims are flagged, or fewer than 93 % of those with a visible difference.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import Any

from judged import FLAGGED, directory, rows, stored, worst

FALSE_ALARMS, CAUGHT = 0.07, 0.93


def main() -> int:
    """Prints the flagged share by label and origin; 2 when the data is missing."""
    data = directory("paraphrase", "claims.jsonl")
    if data is None:
        return 2
    counts: defaultdict[str, list[bool]] = defaultdict(list)
    for claim in rows(data / "claims.jsonl"):
        sources = {
            n: stored(source["title"], source["text"])
            for n, source in enumerate(claim["sources"], start=1)
        }
        flagged = worst(claim["claim"], claim["cites"], sources) in FLAGGED
        for group in _groups(claim):
            counts[group].append(flagged)
    print("| claims | count | flagged |\n| --- | ---: | ---: |")
    for group, values in sorted(counts.items()):
        print(f"| {group} | {len(values)} | {sum(values) / len(values):.1%} |")
    alarms, caught = (
        sum(counts[group]) / max(1, len(counts[group]))
        for group in ("supported", "difference visible")
    )
    print(f"\nfalse alarms {alarms:.1%} (limit {FALSE_ALARMS:.0%}),", end=" ")
    print(f"visible differences caught {caught:.1%} (limit {CAUGHT:.0%})")
    return 1 if alarms > FALSE_ALARMS or caught < CAUGHT else 0


def _groups(claim: dict[str, Any]) -> list[str]:
    label = claim["label"]
    groups = [label, f"{label}: {claim['origin'].split('-')[0]}"]
    if label != "supported":
        groups.append("difference visible" if claim["visible"] else "difference not visible")
    return groups


if __name__ == "__main__":
    sys.exit(main())
