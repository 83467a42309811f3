"""A run that is killed before its k-th change on disk, for every k until it gets through.

Usage: `python -m tests.crash.store_writer DIRECTORY [EARLIER [again]]`. Every k works in
`DIRECTORY/<k>`, which starts as a copy of the cache directory EARLIER if that is given; with
`again` the run begins with pages of that. What the session has confirmed as saved is noted in
`DIRECTORY/<k>.saved`, a word a line.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from dataclasses import replace
from pathlib import Path

from intelli.store import Store
from intelli.store.meta import Origin
from tests.unit.store.samples import NAME, answer, begin, extract, good, lost, page, research

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
SUMMARY = "The new answer [1]."
ORIGIN = Origin(session=NAME, by="refresh")


def write(cache: Path, note: Path) -> None:
    """All that a run saves, each step noted once it is confirmed."""

    def saved(word: str) -> None:
        with note.open("a") as file:
            file.write(word + "\n")

    session = begin(Store(cache))
    if "again" in sys.argv:
        late = replace(good(2), status="late", extract=None)
        session.begin_from(ORIGIN, answer(), [good(1), late, lost(3)])
        for word in ("links", "page1", "extract1", "page2"):
            saved(word)
    elif not session.resumed.answer.links:
        session.save_links(answer())
        saved("links")
    for n in (1, 2):
        session.save_page(n, page(n))
        saved(f"page{n}")
        session.save_extract(n, extract(n))
        saved(f"extract{n}")
    session.save_outcome(lost(3))
    session.save_llms_full("site1.test", "everything")
    session.finish(research(SUMMARY, sources=(good(1), good(2), lost(3))))
    saved("report")


def kill_before(k: int, cache: Path) -> None:
    """Make the process kill itself instead of its k-th change under `cache`."""
    left = k

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if not _changes(event, arguments) or not str(arguments[0]).startswith(str(cache)):
            return
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def _changes(event: str, arguments: tuple[object, ...]) -> bool:
    if event == "open":
        return bool(int(str(arguments[2] or 0)) & WRITING)
    return event in ("os.rename", "os.mkdir", "os.remove", "os.rmdir")


def main() -> None:
    root = Path(sys.argv[1])
    k, status = 0, -1
    while status:
        k += 1
        cache = root / str(k)
        if len(sys.argv) > 2:
            shutil.copytree(sys.argv[2], cache)
        pid = os.fork()
        if pid == 0:
            kill_before(k, cache)
            write(cache, root / f"{k}.saved")
            os._exit(0)
        status = os.waitpid(pid, 0)[1]
        assert status in (0, signal.SIGKILL), f"step {k}: wait status {status}"


if __name__ == "__main__":
    main()
