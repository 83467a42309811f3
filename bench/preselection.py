"""Whether the parts of a long page that a model is shown still hold the answer, and their size.

    python bench/preselection.py [DIRECTORY]

DIRECTORY (default: `../shared/bench/qa` beside the project) is that of `bench/qa.py`, whose scores
these are; only pages over 30,000 characters count. Questions of one word each that stands nowhere
are no part of it: there the whole page is shown.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from qa import DEFAULT, rows, score

from intelli.extract.preselection import WHOLE, preselect
from intelli.records import Query

CONVERSATIONS = "qmsum"
MOST = 150_000
PLAIN = "BM25 with neighbours, 35 % of a page: .96 and .56"


def main() -> int:
    """Prints recall and size by source; 2 when the data is missing."""
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    if not (directory / "questions.jsonl").is_file():
        print(f"no data: {directory} has no questions.jsonl; give its directory as argument")
        return 2
    pages = {row["page_id"]: row for row in rows(directory / "pages.jsonl")}
    found: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    read, began = 0, time.process_time()
    for question in rows(directory / "questions.jsonl"):
        page = pages[question["page_id"]]
        text = page["text"]
        if len(text) > WHOLE:
            shown = preselect(text, Query(text=question["question"]), MOST)
            size = len(shown.text.encode()) / len(text.encode())
            found[page["source"]].append((score(question, text, shown.spans), size))
            read += len(text)
    _report(found, (time.process_time() - began) * 1000 / (read / 10_000))
    return 0


def _report(found: dict[str, list[tuple[float, float]]], milliseconds: float) -> None:
    for source, results in sorted(found.items()):
        print(f"{source:10} {_line(results)}")
    every = [result for results in found.values() for result in results]
    talks = found.get(CONVERSATIONS, [])
    others = [r for source, results in found.items() if source != CONVERSATIONS for r in results]
    print(f"{'others':10} {_line(others)}\n{'talks':10} {_line(talks)}\n{'all':10} {_line(every)}")
    print(f"({PLAIN}); CPU {milliseconds:.2f} ms per 10,000 characters of page")


def _line(results: list[tuple[float, float]]) -> str:
    count = max(1, len(results))
    recall, size = (sum(values) / count for values in (zip(*results, strict=True) or ((), ())))
    return f"{recall:.3f} of the answers in {size:.3f} of the page ({count} questions)"


if __name__ == "__main__":
    sys.exit(main())
