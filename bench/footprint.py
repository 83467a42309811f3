"""Processor time and memory of a whole run over ten pages of plain text."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from material import QUERY, paragraphs

from tests.world import World
from tests.world.pages import plain
from tests.world.place import COMMAND, Place

CPU_TARGET, RSS_TARGET = 1.5, 150.0
PAGES = 10


class Sampler(threading.Thread):
    """Peak of the resident memory of a process and all its children together, in MB."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self.peak = 0.0
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.01):
            self.peak = max(self.peak, sum(resident(pid) for pid in family(self._pid)))


def family(pid: int) -> Iterator[int]:
    yield pid
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return
    for child in text.split():
        yield from family(int(child))


def resident(pid: int) -> float:
    """0 when the process is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(place: Place) -> tuple[float, float, float]:
    """CPU seconds with children, peak MB of the largest process, peak MB of all together."""
    line = [COMMAND, "research", QUERY, "--json"]
    with Path(place.root / "out").open("wb") as out:
        process = subprocess.Popen(line, cwd=place.project, env=place.env, stdout=out, stderr=out)
        sampler = Sampler(process.pid)
        sampler.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    sampler.ended.set()
    sampler.join()
    if process.returncode:
        sys.exit((place.root / "out").read_text(encoding="utf-8"))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6, sampler.peak


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    results = []
    with World(hosts=PAGES) as world:
        for n in range(PAGES):
            text = paragraphs(n, 40)
            world.serve(f"/b{n}.txt", plain("\n\n".join(text)), title=f"Berth {n}", facts=text[:3])
        for _ in range(runs):
            began = time.monotonic()
            results.append((*measure(world.place()), time.monotonic() - began))
    cpu, largest, together, wall = (
        statistics.median(column) for column in zip(*results, strict=True)
    )
    print(f"{'':<28}{'median':>8}{'target':>8}")
    print(f"{'CPU s, children included':<28}{cpu:8.2f}{CPU_TARGET:8.2f}")
    print(f"{'peak MB, all processes':<28}{together:8.0f}{RSS_TARGET:8.0f}")
    print(f"{'peak MB, largest process':<28}{largest:8.0f}")
    print(f"{'wall s':<28}{wall:8.2f}")
    return 1 if cpu > CPU_TARGET or together > RSS_TARGET else 0


if __name__ == "__main__":
    sys.exit(main())
