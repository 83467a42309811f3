"""Measures the choice between a page and its own Markdown on labelled pairs."""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path

from intelli.fetch.cleaning import clean
from intelli.fetch.score import Reading, compare
from intelli.fetch.twin import is_markdown
from intelli.fetch.verdict import judge
from intelli.net.client import Response
from intelli.records import Candidate
from intelli.text.readers import read

DEFAULT = Path(__file__).resolve().parents[1] / "../shared/bench/pairs"


def main(directory: Path) -> int:
    """Print every wrong choice with its reasons and the shares; 2 when there is no data."""
    labels = directory / "labels.jsonl"
    if not labels.is_file():
        print(f"no data: {labels} does not exist; name the directory as the argument")
        return 2
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines() if line]
    right: collections.Counter[str] = collections.Counter()
    total: collections.Counter[str] = collections.Counter()
    for row in rows:
        page, twin = candidates(directory, row)
        choice = "markdown" if twin is not None and twin.score > page.score else "html"
        is_right = row["better"] in (choice, "tie")
        for group in ("all", row["better"], row["kind"].partition("-")[0]):
            right[group] += is_right
            total[group] += 1
        if not is_right:
            print(f"{row['id']} {row['kind']}: {choice} chosen, {row['better']} better")
            for each in filter(None, (page, twin)):
                print(f"    {each.via:<9}{each.score:>8.3f} {dict(each.reasons)}")
    for group in total:
        print(f"{group:<10}{right[group]:>4}/{total[group]:<4}{right[group] / total[group]:.3f}")
    decided = right["html"] + right["markdown"], total["html"] + total["markdown"]
    print(f"without ties {decided[0]}/{decided[1]} {decided[0] / decided[1]:.3f}")
    return 0


def candidates(directory: Path, row: dict[str, str]) -> tuple[Candidate, Candidate | None]:
    """The page's reading and, where the twin is Markdown at all, the twin's, both scored."""
    body = (directory / f"{row['id']}.html").read_bytes()
    response = Response(status=200, url=row["url"], headers={}, body=body)
    document = read(body, "text/html", row["url"])
    verdict = judge(response, document)
    page = Reading(via="html", text=document.text, title=document.title, verdict=verdict)
    own = Response(
        status=200,
        url=f"{row['url']}.md",
        headers={"content-type": "text/markdown"},
        body=(directory / f"{row['id']}.md").read_bytes(),
    )
    if not is_markdown(own, row["url"]):
        return Candidate(via="html", text=document.text, title=document.title), None
    cleaned = clean(own.body.decode("utf-8", "replace"))
    twin = Reading(
        via="markdown",
        text=cleaned.text,
        title=cleaned.title,
        noise=cleaned.noise,
        leftovers=cleaned.leftovers,
    )
    return compare(page, twin)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT))
