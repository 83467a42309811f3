"""Start of the light commands beside a bare interpreter that imports typer and rich."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from material import QUERY, paragraphs

from tests.world.place import COMMAND, home_env
from tests.world.sessions import write_session

BASE = "python -c 'import typer, rich'"
COMMANDS = {
    "intelli --version": (["--version"], 1.2),
    "intelli --help": (["--help"], 2.5),
    "intelli list": (["list"], 1.5),
    "intelli show latest": (["show", "latest"], 1.5),
    "intelli read latest:1": (["read", "latest:1"], 1.5),
}
"""Arguments, and how many times the bare interpreter's time they may take."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for n in range(10):
            sources = {f"https://h{m}.test/{n}": "\n\n".join(paragraphs(m, 20)) for m in range(8)}
            write_session(place / ".search", f"{QUERY} {n}", sources)
        times = measure(place, rounds)
    base = times.pop(BASE)
    print(f"{'command':<34}{'median ms':>10}{'ratio':>8}{'target':>8}")
    print(f"{BASE:<34}{1000 * statistics.median(base):10.0f}")
    missed = 0
    for name, own in times.items():
        # Pairs of one round, so that a busy machine slows both sides alike.
        ratio = statistics.median(a / b for a, b in zip(own, base, strict=True))
        target = COMMANDS[name][1]
        missed += ratio > target
        print(f"{name:<34}{1000 * statistics.median(own):10.0f}{ratio:8.2f}{target:8.2f}")
    return 1 if missed else 0


def measure(place: Path, rounds: int) -> dict[str, list[float]]:
    """Seconds by command, one of each in turn; the first round only fills the file cache."""
    lines = {BASE: [sys.executable, "-c", "import typer, rich"]}
    lines |= {name: [COMMAND, *args] for name, (args, _) in COMMANDS.items()}
    times: dict[str, list[float]] = {name: [] for name in lines}
    env = home_env(place / "home")
    for turn in range(rounds + 1):
        for name, line in lines.items():
            began = time.perf_counter()
            done = subprocess.run(line, cwd=place, env=env, capture_output=True, check=False)
            seconds = time.perf_counter() - began
            if done.returncode:
                sys.exit(f"{name}: exit {done.returncode}\n{done.stderr.decode()}")
            if turn:
                times[name].append(seconds)
    return times


if __name__ == "__main__":
    sys.exit(main())
