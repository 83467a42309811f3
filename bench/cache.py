"""A cache of many sessions: what adding, listing, finding and searching cost as it grows.

bench/cache.py 100 10000 100000      # each is generated once and kept under --keep DIR
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from material import ROOT

from tests.world.place import COMMAND, home_env

SOURCES = 10
VOCABULARY = 30_000
RARE = "zyxophant"
"""A word that three sources of every cache have."""
LIMIT_S = 0.3
LIMIT_MB = 150
COMMANDS = {
    "list": ["list"],
    "related": ["related", "{query}"],
    "search --backend cache": ["search", "{query}", "--backend", "cache"],
    "grep of a rare literal": ["grep", "--literal", RARE],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", type=int, nargs="*", default=[100, 10_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="where generated caches stay for the next time")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        adding: dict[int, float] = {}
        for size in asked.sizes:
            place = (asked.keep or Path(temporary)) / str(size)
            if not (place / "done").is_file():
                generate(place, size)
            adding[size] = report(place, size, asked.rounds)
    first, last = min(adding), max(adding)
    print(f"adding one at {last} / at {first}: {adding[last] / adding[first]:.2f} (limit 2)")
    return 0


def report(place: Path, size: int, rounds: int) -> float:
    """Print the figures of one cache; the CPU seconds of adding a session to it."""
    base = statistics.median(run(place, ["--version"])[0] for _ in range(rounds))
    run(place, ["grep", "--literal", RARE])  # builds what is built once
    state = sum(f.stat().st_size for f in (place / "home").rglob("*") if f.is_file())
    print(f"\n{size} sessions; the index takes {state / 1e6:.1f} MB")
    for name, line in COMMANDS.items():
        words = [part.format(query=question(random.Random(7))) for part in line]
        measured = [run(place, words) for _ in range(rounds)]
        cpu = statistics.median(seconds for seconds, _ in measured) - base
        memory = max(megabytes for _, megabytes in measured)
        verdict = "" if cpu <= LIMIT_S and memory <= LIMIT_MB else "  over the limit"
        print(f"  {name:<26}{cpu:8.3f} s CPU beyond a bare start{memory:8.0f} MB{verdict}")
    cost = add_one(place)
    print(f"  {'adding one':<26}{cost:8.3f} s CPU")
    if shutil.which("rg"):
        ours = run(place, ["grep", r"berth \d+ of"])[0]
        theirs = run(place, [r"berth \d+ of", str(place / ".search")], "rg")[0]
        print(f"  regular expression: {ours:.2f} s, ripgrep {theirs:.2f} s, {ours / theirs:.1f} ×")
    return cost


def run(place: Path, words: Sequence[str], command: str = COMMAND) -> tuple[float, float]:
    """CPU seconds and peak megabytes of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    script = (
        "import resource, subprocess, sys\n"
        "code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)\n"
        "sys.exit(code if code not in (0, 1, 3) else 0)\n"
    )
    line = [sys.executable, "-c", script, command, *words]
    env = home_env(place / "home")
    done = subprocess.run(line, cwd=place, env=env, capture_output=True, check=False, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, float(done.stdout)


ADD = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from intelli.records import Answer, Claim, Extract, Link, Page, Query, Report, Research, Source
from intelli.store import Store
def once(n):
    query = Query(text=f"a question that is new {n} {time.time_ns()}")
    session = Store(Path(".search")).begin(query, "local", datetime.now(UTC))
    links = tuple(Link(url=f"https://h{k}.test/{n}") for k in range(10))
    session.save_links(Answer(links=links))
    sources = []
    for k, link in enumerate(links, 1):
        page = Page(link=link, final_url=link.url, text="some words " * 40)
        extract = Extract(page=page, text="words")
        session.save_page(k, page); session.save_extract(k, extract)
        sources.append(Source(n=k, link=link, status="ok", page=page, extract=extract))
    research = Research(query=query, engine="local", outcome="completed", sources=tuple(sources),
                        timestamp=datetime.now(UTC).isoformat(), report=Report(summary="Fine. [1]"))
    session.finish(research); session.close()
once(0)
began = time.process_time()
for n in range(1, 6): once(n)
print((time.process_time() - began) / 5)
"""


def add_one(place: Path) -> float:
    """CPU seconds of a session of ten sources, begun, written and finished; the mean of five."""
    env = {**home_env(place / "home"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", ADD], cwd=place, env=env, capture_output=True, check=True, text=True
    )
    return float(done.stdout)


def generate(place: Path, size: int) -> None:
    """`size` finished sessions of ten small sources, with words as frequent as in a language."""
    chance = random.Random(size)
    cache = place / ".search"
    cache.mkdir(parents=True)
    began, start = time.time(), datetime(2025, 1, 1, tzinfo=UTC)
    listed = []
    for n in range(size):
        when = start + timedelta(minutes=5 * n)
        query = question(chance)
        slug = "-".join(query.split()[:5])
        name = f"{when:%Y-%m-%d}-{slug}-{n:06x}"
        stamp = when.isoformat(timespec="seconds")
        write_one(cache / name, query, stamp, chance, rare=n % max(1, size // 3) == size // 7)
        listed.append({"slug": name, "query": query, "timestamp": stamp})
    text = json.dumps({"searches": listed[-1000:]})
    (cache / ".index.json").write_text(text, encoding="utf-8")
    (place / "done").touch()
    print(f"generated {size} sessions in {time.time() - began:.0f} s", file=sys.stderr)


def write_one(folder: Path, query: str, stamp: str, chance: random.Random, *, rare: bool) -> None:
    (folder / "sources").mkdir(parents=True)
    for k in range(1, SOURCES + 1):
        text = " ".join(words(chance, 60))
        if rare and k == 1:
            text += f" {RARE}"
        body = (
            f"# Page {k} on {query}\n\n> Source: https://h{k}.test/{query[:9]}\n\n---\n\n{text}\n"
        )
        write(folder / "sources" / f"{k:02d}-h{k}-test.md", body)
    meta = {"schema": 1, "query": query, "timestamp": stamp, "engine": "local",
            "outcome": "completed", "sources": []}  # fmt: skip
    write(folder / "meta.json", json.dumps(meta))
    write(folder / "query.txt", query + "\n")
    write(folder / "report.md", f"# {query}\n\n## Summary\n\n{' '.join(words(chance, 40))}. [1]\n")


def write(path: Path, text: str) -> None:
    path.write_bytes(text.encode())


def question(chance: random.Random) -> str:
    return " ".join(words(chance, 7))


def words(chance: random.Random, count: int) -> list[str]:
    """Words whose frequencies fall as 1 / rank."""
    return [word(int(VOCABULARY ** chance.random())) for _ in range(count)]


def word(rank: int) -> str:
    """A pronounceable word for every number."""
    syllables, left = "", rank + 40
    while left:
        left, digit = divmod(left, 40)
        syllables += "bdfgklmn"[digit % 8] + "aeiou"[digit // 8]
    return syllables


if __name__ == "__main__":
    sys.exit(main())
