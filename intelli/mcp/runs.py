"""Commands as child processes: they take turns, say how far they are, and can be stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections import deque
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from intelli.errors import UsageError

AT_ONCE, MOST_WAITING = 1, 8
REMEMBERED = 20
"""Finished runs whose answer can still be asked for."""
TO_END = 10.0
"""Seconds that a stopped command gets to save what it has."""
LIMIT = 64_000_000
"""Bytes of one line of a command; `read` and `fetch` print what fits the limits of a page."""
OUTCOMES = {
    0: "completed",
    1: "error",
    2: "usage",
    3: "not-found",
    4: "fetch-failed",
    5: "extraction-failed",
    6: "collation-failed",
    7: "stopped",
    8: "unverified",
    9: "not-saved",
    130: "interrupted",
}
"""Exit codes of commands, as README.md has them."""


@dataclass(slots=True)
class Run:
    """One command: at work until `outcome` is set. `steps` counts what it said, `note` is the last
    of it."""

    name: str
    pays: bool
    outcome: str = ""
    text: str = ""
    session: str = ""
    steps: int = 0
    note: str = "waiting for its turn"
    task: asyncio.Task[None] | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)
    _child: asyncio.subprocess.Process | None = None

    def say(self, note: str) -> None:
        """Something has happened."""
        self.steps += 1
        self.note = note
        self.news.set()

    def stop(self) -> None:
        """Ask it to end, once; what it has done is kept."""
        if self.task and not self.task.cancelling():
            self.task.cancel()


class Runs:
    """All commands of one server, in the workspace where they run."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._numbers = count(1)
        self._known: dict[str, Run] = {}

    def start(self, words: list[str], *, pays: bool, stdin: str = "") -> Run:
        """Begin a command, or let it wait for its turn. Raises UsageError when too many wait."""
        at_work = sum(run.pays and not run.outcome for run in self._known.values())
        if pays and at_work >= AT_ONCE + MOST_WAITING:
            raise UsageError(
                f"busy: {AT_ONCE} at work and {MOST_WAITING} waiting",
                code="busy",
                hint="wait for one to end, or stop one with the tool status",
            )
        run = Run(name=f"run-{next(self._numbers)}", pays=pays)
        self._known[run.name] = run
        run.task = asyncio.create_task(self._carry_out(run, words, stdin))
        self._forget()
        return run

    def get(self, name: str) -> Run:
        """Raises UsageError for one that is not known, or not any more."""
        run = self._known.get(name)
        if run is None:
            known = ", ".join(self._known) or "none"
            raise UsageError(f"there is no run {name!r}; known: {known}", code="no-run")
        return run

    async def stop_all(self) -> None:
        """End every command in order; all of them are over when this returns."""
        for run in self._known.values():
            run.stop()
        tasks = [run.task for run in self._known.values() if run.task]
        if tasks:
            await asyncio.wait(tasks)

    def _forget(self) -> None:
        done = deque(name for name, run in self._known.items() if run.outcome)
        while len(done) > REMEMBERED:
            del self._known[done.popleft()]

    async def _carry_out(self, run: Run, words: list[str], stdin: str) -> None:
        try:
            async with self._turns if run.pays else contextlib.nullcontext():
                await _command(run, words, self._workspace, stdin)
        except asyncio.CancelledError:
            run.outcome, run.text = "interrupted", run.text or "stopped before it began"
        except OSError as error:
            run.outcome, run.text = "error", f"cannot run the command: {error.strerror}"
        finally:
            run.outcome = run.outcome or "error"
            run.news.set()


async def _command(run: Run, words: list[str], workspace: Path, stdin: str) -> None:
    """Run it to its end; cancelled, it is asked to end, and saves what it has."""
    child = await asyncio.create_subprocess_exec(
        # -P: the workspace is not where Python looks for modules
        *(sys.executable, "-P", "-m", "intelli", *words),
        cwd=workspace,
        stdin=asyncio.subprocess.PIPE if stdin else asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=LIMIT,
    )
    exchange = asyncio.create_task(_exchange(run, child, stdin))
    ended = "error"
    try:
        await asyncio.shield(exchange)
    except asyncio.CancelledError:
        await _end(child, exchange)
        ended = "interrupted"
    code = await child.wait()
    run.text = exchange.result() if exchange.done() else ""
    run.outcome = OUTCOMES.get(code, ended)


async def _end(child: asyncio.subprocess.Process, exchange: asyncio.Task[str]) -> None:
    for end in (child.terminate, child.kill):
        with contextlib.suppress(ProcessLookupError):
            end()
        await asyncio.wait([exchange], timeout=TO_END)
        if exchange.done():
            return


async def _exchange(run: Run, child: asyncio.subprocess.Process, stdin: str) -> str:
    """All that the command has to say, once it is over."""
    async with asyncio.TaskGroup() as tasks:
        result = tasks.create_task(_drain(child, stdin))
        messages = tasks.create_task(_listen(run, child))
    text = result.result().decode("utf-8", "replace").strip("\n")
    return "\n\n".join(part for part in (text, "\n".join(messages.result())) if part)


async def _drain(child: asyncio.subprocess.Process, stdin: str) -> bytes:
    assert child.stdout
    if child.stdin:
        with contextlib.suppress(ConnectionError):
            child.stdin.write(stdin.encode("utf-8", "replace"))
            await child.stdin.drain()
        child.stdin.close()
    return await child.stdout.read()


async def _listen(run: Run, child: asyncio.subprocess.Process) -> list[str]:
    """Events become notes. Errors, and all that commands without events say, are returned."""
    assert child.stderr
    said: list[str] = []
    async for raw in child.stderr:
        line = raw.decode("utf-8", "replace").strip().removeprefix("intelli: ")
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            said.append(line)
            continue
        run.session = str(event.get("session") or run.session)
        if event.get("event") == "error":
            said += [str(event[key]) for key in ("message", "hint") if event.get(key)]
        elif note := _note(event):
            run.say(note)
    return said


def _note(event: dict[str, Any]) -> str:
    """What a person would want to know of an event, "" for nothing."""
    match event:
        case {"event": "links_found", "links": links, "backend": backend}:
            return f"{links} links from {backend}"
        case {"event": "page_fetched", "url": url}:
            return f"read {url}"
        case {"event": "page_extracted", "url": url}:
            return f"extracted from {url}"
        case {"event": "page_failed", "url": url, "reason": reason}:
            return f"left out {url}: {reason}"
        case {"event": "stage_started", "stage": stage}:
            return f"{stage}"
    return ""
