"""Scores the HTML reader on real pages with gold: `python bench/extraction.py [BENCH_DIR]`."""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from intelli.text.readers import read, warm

ROOT = Path(__file__).resolve().parents[1]
DEFAULT = ROOT.parent / "shared" / "bench" / "extraction"


def main() -> int:
    """Write the Markdown of every page and case, then run the two scorers over it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("bench", nargs="?", type=Path, default=DEFAULT)
    options.add_argument("--out", type=Path, help="keep the Markdown here")
    chosen = options.parse_args()
    if not (chosen.bench / "gold.jsonl").is_file():
        print(f"no benchmark in {chosen.bench}: give its directory as the argument")
        return 2
    warm()
    out = chosen.out or Path(tempfile.mkdtemp(prefix="extraction-"))
    out.mkdir(parents=True, exist_ok=True)
    _write_pages(chosen.bench, out)
    _write_cases(chosen.bench, out)
    for script, arguments in (("score.py", [chosen.bench, out]), ("cases.py", [out])):
        subprocess.run([sys.executable, chosen.bench / script, *arguments], check=True)
    print(f"Markdown in {out}")
    return 0


def _write_pages(bench: Path, out: Path) -> None:
    seconds = {}
    for line in (bench / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        body = gzip.decompress((bench / "pages" / f"{gold['id']}.html.gz").read_bytes())
        start = time.process_time()
        markdown = _markdown(body, gold["url_or_origin"])
        seconds[gold["id"]] = time.process_time() - start
        (out / f"{gold['id']}.md").write_text(markdown, encoding="utf-8")
    (out / "seconds.json").write_text(json.dumps(seconds), encoding="utf-8")


def _write_cases(bench: Path, out: Path) -> None:
    for line in (bench / "cases.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        markdown = _markdown(case["html"].encode(), "https://example.org/page")
        (out / f"{case['name']}.md").write_text(markdown, encoding="utf-8")


def _markdown(body: bytes, url: str) -> str:
    document = read(body, "text/html", url if url.startswith("http") else "https://example.org/")
    return f"# {document.title}\n\n{document.text}\n" if document.title else document.text


if __name__ == "__main__":
    sys.exit(main())
