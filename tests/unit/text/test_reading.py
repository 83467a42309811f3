"""The reader's child process: it answers in turn, is replaced when it dies, and leaves no trace."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from intelli.errors import FetchError
from intelli.text.reading import Reader

ROOT = Path(__file__).resolve().parents[3]
PAGE = b"<html><title>T</title><body><p>Some words of a page.</p></body></html>"
ENDLESS = b"<p>many words in a row</p>" * 400_000
"""Takes far longer to parse than the limits below."""


def children() -> set[int]:
    """Ids of the direct children of this process."""
    path = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return {int(number) for number in path.read_text(encoding="ascii").split()}


def test_pages_are_read_in_the_child() -> None:
    async def run() -> None:
        async with Reader() as reader:
            await reader.warm()
            document = await reader.read(PAGE, "text/html", "https://a.test/")
            assert (document.text, document.title) == ("Some words of a page.", "T")
            assert document.signals["paragraphs"] == 1

    asyncio.run(run())


def test_reads_at_once_get_their_own_answers() -> None:
    async def run() -> None:
        async with Reader() as reader, asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(
                    reader.read(b"<p>page %d</p>" % n, "text/html", "https://a.test/")
                )
                for n in range(6)
            ]
        assert [task.result().text for task in tasks] == [f"page {n}" for n in range(6)]

    asyncio.run(run())


def test_plain_text_and_markdown_need_no_child() -> None:
    async def run() -> None:
        before = children()
        async with Reader() as reader:
            assert (await reader.read(b"x", "text/plain", "https://a.test/")).text == "x"
            assert (await reader.read(b"# y", "text/markdown", "https://a.test/")).title == "y"
            assert children() == before

    asyncio.run(run())


def test_a_stuck_page_costs_itself_alone() -> None:
    async def run() -> None:
        async with Reader(limit=0.5) as reader:
            with pytest.raises(FetchError) as caught:
                await reader.read(ENDLESS, "text/html", "https://a.test/slow")
            assert caught.value.code == "unreadable"
            assert (await reader.read(PAGE, "text/html", "https://a.test/")).title == "T"

    asyncio.run(run())


def test_a_child_that_dies_is_replaced() -> None:
    async def run() -> None:
        before = children()
        async with Reader(limit=60) as reader:
            await reader.warm()
            (child,) = children() - before
            stuck = asyncio.create_task(reader.read(ENDLESS, "text/html", "https://a.test/"))
            await asyncio.sleep(0.3)
            os.kill(child, signal.SIGKILL)
            with pytest.raises(FetchError, match=r"a\.test"):
                await stuck
            assert (await reader.read(PAGE, "text/html", "https://a.test/")).title == "T"

    asyncio.run(run())


def test_an_abandoned_page_does_not_answer_for_the_next() -> None:
    async def run() -> None:
        async with Reader() as reader:
            await reader.warm()
            abandoned = asyncio.create_task(reader.read(ENDLESS, "text/html", "https://a.test/"))
            await asyncio.sleep(0.2)
            abandoned.cancel()
            assert (await reader.read(PAGE, "text/html", "https://a.test/")).title == "T"
            with pytest.raises(asyncio.CancelledError):
                await abandoned

    asyncio.run(run())


def test_closing_ends_the_child_at_once_even_while_it_works() -> None:
    async def run() -> None:
        before = children()
        reader = Reader(limit=60)
        await reader.warm()
        busy = asyncio.create_task(reader.read(ENDLESS, "text/html", "https://a.test/"))
        await asyncio.sleep(0.3)
        await reader.aclose()
        assert children() == before
        with pytest.raises(FetchError):
            await busy

    asyncio.run(run())


def test_the_child_outlives_an_interrupt_and_ends_with_its_input() -> None:
    async def run() -> None:
        before = children()
        async with Reader() as reader:
            await reader.read(PAGE, "text/html", "https://a.test/")
            (child,) = children() - before
            os.kill(child, signal.SIGINT)
            assert (await reader.read(PAGE, "text/html", "https://a.test/")).title == "T"

    asyncio.run(run())
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "intelli.text.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={"PYTHONPATH": str(ROOT)},
    ) as worker:
        assert worker.stdin is not None
        worker.stdin.close()
        assert worker.wait(timeout=60) == 0


def test_a_killed_parent_leaves_no_child_behind() -> None:
    script = (
        "import asyncio, os\n"
        "from intelli.text.reading import Reader\n"
        "async def main():\n"
        "    reader = Reader()\n"
        "    await reader.warm()\n"
        "    await reader.read(b'<p>x</p>', 'text/html', 'https://a.test/')\n"
        "    path = f'/proc/{os.getpid()}/task/{os.getpid()}/children'\n"
        "    print(open(path).read(), flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    child = Path(f"/proc/{int(done.stdout.split()[0])}")
    deadline = time.monotonic() + 30
    while child.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not child.exists()


def test_the_parent_never_imports_a_parser() -> None:
    script = (
        "import asyncio, sys\n"
        "from intelli.text.reading import Reader\n"
        "async def main():\n"
        "    async with Reader() as reader:\n"
        "        await reader.read(b'<p>x</p>', 'text/html', 'https://a.test/')\n"
        "        await reader.read(b'# x', 'text/markdown', 'https://a.test/')\n"
        "asyncio.run(main())\n"
        "print(sorted({'lxml', 'pypdfium2'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""
