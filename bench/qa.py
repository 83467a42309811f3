"""Answer recall of the embedded extractor within 5,000 characters a page, and its CPU time.

    python bench/qa.py [DIRECTORY]

DIRECTORY (default: `../shared/bench/qa` beside the project) holds `pages.jsonl` and
`questions.jsonl`. A question with answers counts 1 when one of them stands in the kept text, white
space folded and in lower case; one without counts the share of its gold spans that was kept.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intelli.extract.by_ranking import BUDGET, RankingExtractor  # noqa: E402
from intelli.records import Extract, Link, Page, Query  # noqa: E402

DEFAULT = ROOT.parent / "shared" / "bench" / "qa"
BM25_ALONE = 0.878
BM25_WITH_NEIGHBOURS = 0.889


def main() -> int:
    """Prints recall by source, their mean and the CPU time; 2 when the data is missing."""
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    if not (directory / "questions.jsonl").is_file():
        print(f"no data: {directory} has no questions.jsonl; give its directory as argument")
        return 2
    pages = {row["page_id"]: row for row in rows(directory / "pages.jsonl")}
    by_source: defaultdict[str, list[float]] = defaultdict(list)
    sizes: list[int] = []
    read, began = 0, time.process_time()
    for question in rows(directory / "questions.jsonl"):
        row = pages[question["page_id"]]
        extract = _extract(row, question["question"])
        by_source[row["source"]].append(score(question, row["text"], extract.spans))
        sizes.append(len(extract.text))
        read += len(row["text"])
    _report(by_source, sizes, (time.process_time() - began) * 1000 / (read / 10_000))
    return 0


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _extract(row: dict[str, Any], question: str) -> Extract:
    url = f"https://example.com/{row['page_id']}"
    page = Page(link=Link(url=url), final_url=url, text=row["text"])
    return asyncio.run(RankingExtractor().extract(page, Query(text=question)))


def score(question: dict[str, Any], page: str, spans: Iterable[tuple[int, int]]) -> float:
    """How much of the answer stands in the spans of a page, 0 to 1."""
    kept = list(spans)
    if question["answers"]:
        text = _flat("\n".join(page[start:end] for start, end in kept))
        return float(any(_flat(answer) in text for answer in question["answers"]))
    gold = _positions(question["spans"])
    return len(gold & _positions(kept)) / len(gold)


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).lower()


def _positions(spans: Any) -> set[int]:
    return {position for start, end in spans for position in range(start, end)}


def _report(by_source: dict[str, list[float]], sizes: list[int], milliseconds: float) -> None:
    means = {source: sum(scores) / len(scores) for source, scores in sorted(by_source.items())}
    for source, mean in means.items():
        print(f"{source:10} {mean:.3f}  ({len(by_source[source])} questions)")
    print(f"{'mean':10} {sum(means.values()) / len(means):.3f}", end="  ")
    print(f"(BM25 {BM25_ALONE}, with neighbours {BM25_WITH_NEIGHBOURS})")
    print(f"characters kept: mean {sum(sizes) / len(sizes):.0f}, most {max(sizes)} of {BUDGET}")
    print(f"CPU {milliseconds:.2f} ms per 10,000 characters of page")


if __name__ == "__main__":
    sys.exit(main())
