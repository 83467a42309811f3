"""Measures how statements are matched: edits of a sentence that people judged to agree or not."""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from intelli.compare.statements import matches, prints_of  # noqa: E402 - importable by now

DEFAULT = ROOT / "../shared/bench/paraphrase"
EDITED = "summedits"
NEAR, FAR = 0.7, 0.35
"""Shares of common words: above, two sentences are edits of one; below, they are two."""


def main(directory: Path) -> int:
    """Print how pairs of sentences about one text are compared; 2 when there is no data."""
    claims = directory / "claims.jsonl"
    if not claims.is_file():
        print(f"no data: {claims} does not exist; name the directory as the argument")
        return 2
    rows = [json.loads(line) for line in claims.read_text(encoding="utf-8").splitlines() if line]
    found = Counter((kind, compared(one, other)) for kind, one, other in pairs(rows))
    for kind in sorted({kind for kind, _ in found}):
        counts = {result: number for (k, result), number in sorted(found.items()) if k == kind}
        shown = ", ".join(f"{result} {number}" for result, number in counts.items())
        print(f"{kind:12} {sum(counts.values()):5}: {shown}")
    return 0


def pairs(rows: list[dict[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """(what differs, one sentence, the other): `nothing` where people found both supported."""
    texts = defaultdict(list)
    for row in rows:
        if row["origin"].startswith(EDITED):
            texts[row["doc"]].append(row)
    for group in texts.values():
        for one, other in itertools.combinations(group, 2):
            words = one["claim"].split(), other["claim"].split()
            share = SequenceMatcher(None, *words).ratio()
            kind = _kind(one, other) if share > NEAR else "other text" if share < FAR else ""
            if kind:
                yield kind, one["claim"], other["claim"]


def _kind(one: dict[str, Any], other: dict[str, Any]) -> str:
    wrong = [row for row in (one, other) if row["label"] != "supported"]
    if len(wrong) == 2:
        return ""
    return str(wrong[0]["detail_kind"]) if wrong else "nothing"


def compared(one: str, other: str) -> str:
    """What `diff` makes of the two in otherwise empty reports that cite the same page."""
    page = {1: "https://site.example/"}
    found = matches(prints_of(f"{one} [1]", page), prints_of(f"{other} [1]", page))
    if not found:
        return "two statements"
    return "changed" if any(match.changed for match in found) else "same"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT))
