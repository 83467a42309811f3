"""An extra check where the benchmark of real pages lies beside the project: a floor under it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from intelli.text.readers import read

BENCH = Path(__file__).parents[3] / "../shared/bench/extraction"


def test_small_cases_hold() -> None:
    if not (BENCH / "cases.jsonl").is_file():
        pytest.skip("no benchmark beside the project")
    failed = set()
    for line in (BENCH / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        document = read(case["html"].encode(), "text/html", "https://example.org/page")
        text = f"# {document.title}\n\n{document.text}\n"
        lacking = [part for part in case["must_contain"] if part not in text]
        leaking = [part for part in case["must_not_contain"] if part in text]
        if lacking or leaking:
            failed.add(case["name"])
    assert failed == set()
