"""How many pairs of passages are flagged as conflicting, by what people say they are.

    python bench/conflicts.py [DIRECTORY]

DIRECTORY (default: `../shared/bench/qa` beside the project) holds `conflict_pairs.jsonl`. Exit 1
when the precision of conflict against agree is below 0.90, or more than 5 % of the pairs about
different things of one name are flagged.
"""

from __future__ import annotations

import sys
from collections import defaultdict

from judged import directory, rows

from intelli.collate.conflicts import find_conflicts
from intelli.records import Extract, Link, Page, Query, Source

PRECISION, OTHER_ENTITY = 0.90, 0.05


def main() -> int:
    """Prints the flagged share by label and the precision; 2 when the data is missing."""
    data = directory("qa", "conflict_pairs.jsonl")
    if data is None:
        return 2
    counts: defaultdict[str, list[bool]] = defaultdict(list)
    for pair in rows(data / "conflict_pairs.jsonl"):
        sources = [_source(1, pair["a"]), _source(2, pair["b"])]
        counts[pair["label"]].append(bool(find_conflicts(Query(text=pair["question"]), sources)))
    print("| pairs | count | flagged |\n| --- | ---: | ---: |")
    for label, flagged in sorted(counts.items()):
        print(f"| {label} | {len(flagged)} | {sum(flagged) / len(flagged):.1%} |")
    hits, false = sum(counts["conflict"]), sum(counts["agree"])
    precision = hits / max(1, hits + false)
    other = sum(counts["other_entity"]) / max(1, len(counts["other_entity"]))
    print(f"\nprecision of conflict against agree {precision:.2f} (limit {PRECISION:.2f})")
    return 1 if precision < PRECISION or other > OTHER_ENTITY else 0


def _source(n: int, text: str) -> Source:
    link = Link(url=f"https://h{n}.example/")
    page = Page(link=link, final_url=link.url, text=text)
    return Source(n=n, link=link, status="ok", page=page, extract=Extract(page=page, text=text))


if __name__ == "__main__":
    sys.exit(main())
