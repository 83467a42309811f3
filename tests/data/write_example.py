"""Writes `.search.example/` anew: the program itself, on the project's own documentation.

The documentation is copied to a fixed place first, so that the addresses in the example (and
with them every offset) are the same whoever writes it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = Path("/tmp/intelli")
QUESTION = "How does intelli check that every detail of a report stands in its sources?"


def write(target: Path, place: Path = PLACE) -> None:
    """Research `QUESTION` on a copy of the documentation in `place`; leave the sessions in
    `target`, replacing what is there."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(ROOT / "docs", place / "docs")
    shutil.copy(ROOT / "README.md", place)
    command = [str(Path(sys.executable).with_name("intelli")), "research", QUESTION]
    options = ["--docs", "docs", "--docs", "README.md", "--engine", "local", "--offline"]
    subprocess.run([*command, *options, "--quiet"], cwd=place, check=True, capture_output=True)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(place / ".search", target, ignore=shutil.ignore_patterns(".gitignore", "*lock"))
    shutil.rmtree(place)


if __name__ == "__main__":
    write(ROOT / ".search.example")
