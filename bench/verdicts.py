"""Measures the judgement of pages: every labelled response through the reader and the verdict."""

from __future__ import annotations

import collections
import gzip
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from intelli.fetch.verdict import judge  # noqa: E402 - the lines above make it importable
from intelli.net.client import Response  # noqa: E402
from intelli.text.readers import read  # noqa: E402
from tests.data.responses import Case, cases  # noqa: E402

DEFAULT = ROOT / "../shared/bench/verdicts"
URL = "https://site.example/page"


def main(directory: Path) -> int:
    """Print the table of labels against verdicts, and the figures of the cases that the tests
    keep; 2 when there is no data."""
    labels = directory / "labels.jsonl"
    if not labels.is_file():
        print(f"no data: {labels} does not exist; name the directory as the argument")
        return 2
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines() if line]
    results = [(row, verdict_of(directory, row)) for row in rows]
    for row, verdict in results:
        if verdict != row["label"]:
            print(f"{row['id']}: {row['label']} judged {verdict} ({row['reason']})")
    report([(row["label"], verdict) for row, verdict in results])
    print("own cases, on which the rules were made")
    report([(case.label, judged(case)) for case in cases()])
    return 0


def judged(case: Case) -> str:
    """The verdict on a case of the tests."""
    body = case.body.encode()
    response = Response(status=case.status, url=case.url, headers=case.headers, body=body)
    return judge(response, read(body, case.headers["content-type"], case.url)).verdict


def verdict_of(directory: Path, row: dict[str, object]) -> str:
    body = gzip.decompress((directory / f"pages/{row['id']}.html.gz").read_bytes())
    headers = row["headers"]
    assert isinstance(headers, dict)
    response = Response(
        status=int(str(row["status"])),
        url=URL,
        headers={str(name).lower(): str(value) for name, value in headers.items()},
        body=body,
    )
    return judge(response, read(body, str(row["content_type"]), URL)).verdict


def report(pairs: list[tuple[str, str]]) -> None:
    right = sum(label == verdict for label, verdict in pairs)
    kept = [verdict for label, verdict in pairs if label == "ok"]
    bad = [verdict for label, verdict in pairs if label != "ok"]
    by_label = collections.Counter(label for label, _ in pairs)
    for label, total in sorted(by_label.items()):
        hits = sum(label == truth == verdict for truth, verdict in pairs)
        print(f"{label:<12}{hits:>4}/{total}")
    print(f"right {right / len(pairs):.3f} ({right}/{len(pairs)})")
    print(f"ordinary pages refused {sum(v != 'ok' for v in kept)}/{len(kept)}")
    print(f"other pages taken for ok {sum(v == 'ok' for v in bad)}/{len(bad)}")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT))
