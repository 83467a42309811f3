"""Scores the readers of everything but HTML: PDFs, odd encodings and other kinds of documents.

    python bench/documents.py [DIRECTORY] [--out DIR] [--misses]

DIRECTORY (default: `../shared/bench/documents` beside the project) holds `gold.jsonl`, `files/` and
the scorer `score.py`. Each file is read with the headers that its server sent; `--misses` prints
what was looked for and not found.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from intelli.fetch.page import NOTICES  # noqa: E402
from intelli.text.document import Document  # noqa: E402
from intelli.text.readers import read, warm  # noqa: E402

DEFAULT = ROOT.parent / "shared" / "bench" / "documents"
ROWS = (
    ("pdf", "snippet recall", "text of a PDF found", "0.983"),
    ("pdf", "snippet recall (eye)", "text read from its picture", ".95 (0.955)"),
    ("pdf", "snippet recall (twin)", "text of its HTML twin", "0.994"),
    ("pdf", "page right (of found)", "on the right page", "1.00"),
    ("pdf", "heading as #", "headings as headings", ".85 (0.762)"),
    ("pdf", "code line kept", "code lines kept", ".96 (0.964)"),
    ("pdf", "code line in code block", "code lines in a fence", ""),
    ("pdf", "table row on one line", "rows of tables on one line", "0.958"),
    ("pdf", "table row as | cells |", "rows of tables as cells", ".80 (0.832)"),
    ("pdf", "says scanned", "says that it is scanned", "all"),
    ("pdf", "says encrypted", "says that it is encrypted", "all"),
    ("pdf", "says broken", "says that it is broken", "all"),
    ("encoding", "exact", "encodings: exact text", "all"),
    ("encoding", "mojibake signs", "encodings: signs of a wrong one", "0"),
    ("OTHER", "must", "other kinds: what must be there", ".95"),
    ("OTHER", "must-not present", "other kinds: what must not", "0"),
)
"""Kind and measure of the scorer, its words here, and the aim with the best library beside it."""


def main() -> int:
    """Prints each measure beside its aim; 2 when the data is missing."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("directory", nargs="?", type=Path, default=DEFAULT)
    options.add_argument("--out", type=Path, help="keep the Markdown here")
    options.add_argument("--misses", action="store_true", help="print what was not found")
    chosen = options.parse_args()
    if not (chosen.directory / "gold.jsonl").is_file():
        print(f"no data: {chosen.directory} has no gold.jsonl; give its directory as argument")
        return 2
    warm()
    out = chosen.out or Path(tempfile.mkdtemp(prefix="documents-"))
    out.mkdir(parents=True, exist_ok=True)
    golds = _golds(chosen.directory)
    slowest = _write(chosen.directory, golds, out)
    measures, bad = _scorer(chosen.directory).score(str(chosen.directory), str(out))
    _print(measures)
    print(f"{'CPU a page of the slowest PDF':34} {slowest:13.4f} s  aim .01 s")
    if chosen.misses:
        _print_misses(golds, measures, bad)
    print(f"Markdown in {out}")
    return 0


def _golds(directory: Path) -> list[dict[str, Any]]:
    lines = (directory / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _write(directory: Path, golds: list[dict[str, Any]], out: Path) -> float:
    """The Markdown of every file; the CPU seconds a page of the PDF that took most."""
    slowest = 0.0
    for gold in golds:
        body = (directory / "files" / gold["file"]).read_bytes()
        start = time.process_time()
        document = read(body, gold["content_type"], f"https://example.org/{gold['file']}")
        seconds = time.process_time() - start
        if gold["kind"] == "pdf" and gold["n_pages"]:
            slowest = max(slowest, seconds / gold["n_pages"])
        (out / f"{gold['id']}.md").write_text(_markdown(document), encoding="utf-8")
    return slowest


def _markdown(document: Document) -> str:
    if document.error is not None:
        return NOTICES.get(document.error, document.error)
    return f"# {document.title}\n\n{document.text}\n" if document.title else document.text


def _scorer(directory: Path) -> Any:
    spec = importlib.util.spec_from_file_location("score", directory / "score.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _print(measures: Mapping[str, Mapping[str, tuple[int, int]]]) -> None:
    for kind, measure, words, aim in ROWS:
        found, of = measures.get(kind, {}).get(measure, (0, 0))
        print(f"{words:34} {found:5}/{of:<5} {found / max(1, of):.3f}  aim {aim}".rstrip(" aim"))


def _print_misses(golds: list[dict[str, Any]], measures: Any, bad: list[Any]) -> None:
    for kind, counts in sorted(measures.items()):
        for measure, (found, of) in counts.items():
            wanted = 0 if measure == "must-not present" else of
            if kind != "OTHER" and "must" in measure and found != wanted:
                print(f"{kind}: {measure} {found} of {of}")
    for miss in bad:
        print(*miss)
    print(f"{len(golds)} files")


if __name__ == "__main__":
    sys.exit(main())
