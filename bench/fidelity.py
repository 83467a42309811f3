"""How many near-verbatim claims are flagged: true ones, and ones with a single detail altered.

    python bench/fidelity.py [DIRECTORY]

DIRECTORY (default: `../shared/bench/fidelity` beside the project) holds `claims.jsonl`; the pages
it names stand in `gold.jsonl` of the directory `extraction` next to it. A claim is flagged when it
is partial, misattributed or unsupported. Exit 1 when more than 1 % of the true ones are, or fewer
than 99 % of the altered (80 % of the negations).
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict

from judged import FLAGGED, directory, rows, stored, worst

LIMITS = {("true", "all"): 0.01, ("altered", "all"): 0.99, ("altered", "negation"): 0.80}


def main() -> int:
    """Prints the flagged share by label and kind; 2 when the data is missing."""
    data = directory("fidelity", "claims.jsonl")
    if data is None:
        return 2
    pages = {row["id"]: row["gold_text"] for row in rows(data.parent / "extraction/gold.jsonl")}
    counts: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    statuses: defaultdict[tuple[str, str], int] = defaultdict(int)
    began = time.process_time()
    for claim in rows(data / "claims.jsonl"):
        sources = {n: stored("", pages[page]) for n, page in enumerate(claim["sources"], start=1)}
        status = worst(claim["claim"], claim["cites"], sources)
        for kind in ("all", claim["kind"]):
            counts[claim["label"], kind].append(status in FLAGGED)
            statuses[kind, status] += 1
    cpu = time.process_time() - began
    return _report(counts, statuses["swapped-citation", "misattributed"], cpu)


def _report(
    counts: defaultdict[tuple[str, str], list[bool]], misattributed: int, cpu: float
) -> int:
    missed = False
    print("| label | kind | claims | flagged | limit |\n| --- | --- | ---: | ---: | ---: |")
    for (label, kind), flagged in sorted(counts.items()):
        share, limit = sum(flagged) / len(flagged), LIMITS.get((label, kind))
        shown = "" if limit is None else f"{limit:.0%}"
        print(f"| {label} | {kind} | {len(flagged)} | {share:.1%} | {shown} |")
        if limit is not None:
            missed |= share > limit if label == "true" else share < limit
    total = sum(len(flagged) for (_, kind), flagged in counts.items() if kind == "all")
    swapped = len(counts["altered", "swapped-citation"])
    print(f"\n{misattributed} of {swapped} swapped citations are misattributed")
    print(f"{cpu * 1000 / total:.1f} ms of CPU a claim, two whole pages read anew for each")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
