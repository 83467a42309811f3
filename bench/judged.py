"""What the benches of verification share: their data, a stored source, the status of a text."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from intelli.collate.verify import verify  # noqa: E402 - the lines above make it importable

FLAGGED = frozenset({"partial", "misattributed", "unsupported"})
_WORST_FIRST = ("misattributed", "unsupported", "partial", "uncited", "verified", "prose")


def directory(name: str, file: str) -> Path | None:
    """The directory named on the command line, else `../shared/bench/NAME` beside the project;
    None, and a line on stdout, when `file` is not in it."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "bench" / name
    if (path / file).is_file():
        return path
    print(f"no data: {path} has no {file}; give its directory as argument")
    return None


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def stored(title: str, text: str) -> str:
    """A source as a session keeps it."""
    return f"# {title}\n\n> Source: https://example.com/\n\n---\n\n{text}"


def worst(text: str, cites: Sequence[int], sources: Mapping[int, str]) -> str:
    """The status of a text that bears these marks at its end: that of its worst claim."""
    claims = verify(text + " " + "".join(f"[{n}]" for n in cites), sources)
    return min((claim.status for claim in claims), key=_WORST_FIRST.index, default="prose")
