"""From Python: records instead of text, events by callable, in a running loop or without one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.world import World
from tests.world.place import Place

SNIPPETS = Path(__file__).parents[2] / "docs" / "python.md"
PUMP = "# Pump\n\nThe pump is fast: it moves 12 litres per minute.\n"
PAGE = ("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])


def python(place: Place, code: str) -> subprocess.CompletedProcess[str]:
    """A script of its own, with no guard around what it does."""
    script = place.project / "script.py"
    script.write_text(code, encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(script)],
        cwd=place.project,
        env=place.env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def said(place: Place, code: str) -> Any:
    done = python(place, code)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_research_returns_the_record_and_tells_events(world: World) -> None:
    world.article(*PAGE)
    place = world.place()
    code = """
import asyncio, json
from intelli import research

async def main():
    events = []
    done = await research("how fast is the pump P1", focus="litres", on_event=events.append)
    print(json.dumps([done.outcome, done.report.claims[0].status, done.session,
                      [type(event).__name__ for event in events]]))

asyncio.run(main())
"""
    outcome, status, session, events = said(place, code)
    assert (outcome, status) == ("completed", "verified")
    assert place.session().name == session
    assert events[0] == "RunStarted" and events[-1] == "RunEnded" and "PageFetched" in events


def test_research_sync_works_inside_a_running_loop(world: World) -> None:
    world.article(*PAGE)
    code = """
import asyncio
from intelli import research_sync

async def cell():
    return research_sync("how fast is the pump P1", engine="local").engine

print('"' + asyncio.run(cell()) + '"')
"""
    assert said(world.place(), code) == "local"


def test_a_wrong_option_is_refused_before_anything_is_asked(world: World) -> None:
    code = """
import json
from intelli import UsageError, research_sync
try:
    research_sync("how fast is it", reuse="soon")
except UsageError as error:
    print(json.dumps([error.code, error.hint]))
"""
    code_word, hint = said(world.place(), code)
    assert code_word == "bad-age" and "7d" in hint
    assert not world.model.asks


def test_a_run_that_ends_early_says_what_is_known_and_how_to_go_on(world: World) -> None:
    world.article(*PAGE)
    world.model.say("collate", world.model.computed("collate", delay=30))
    code = """
import json
from intelli import RunError, research_sync
try:
    research_sync("how fast is the pump P1", timeout=3)
except RunError as error:
    print(json.dumps([error.code, error.hint, error.research.outcome, len(error.research.sources)]))
"""
    code_word, hint, outcome, sources = said(world.place(), code)
    assert (code_word, outcome, sources) == ("deadline", "stopped", 1)
    assert "intelli resume" in hint


def test_a_cancelled_task_is_cancelled_and_its_run_can_be_finished(world: World) -> None:
    world.article(*PAGE)
    world.model.say("collate", world.model.computed("collate", delay=30))
    code = """
import asyncio
from intelli import research

async def main():
    seen = asyncio.Event()
    def hear(event):
        if type(event).__name__ == "PageExtracted":
            seen.set()
    task = asyncio.create_task(research("how fast is the pump P1", on_event=hear))
    await seen.wait()
    task.cancel()
    await asyncio.wait([task])
    print("true" if task.cancelled() else "false")

asyncio.run(main())
"""
    place = world.place()
    assert said(place, code) is True
    world.model.say("collate", world.model.computed("collate"))
    asked = len(world.model.asked("extract"))
    assert place.run("resume", "latest").code == 0
    assert len(world.model.asked("extract")) == asked


def test_importing_it_imports_nothing_heavy_and_changes_nothing(world: World) -> None:
    code = """
import json, os, sys, signal
before = dict(os.environ), signal.getsignal(signal.SIGINT), sys.excepthook
import intelli
from intelli import research, Research, IntelliError
known = {"typer", "rich", "httpx2", "trafilatura", "litellm", "lxml", "diskcache"}
heavy = known & set(sys.modules)
same = before == (dict(os.environ), signal.getsignal(signal.SIGINT), sys.excepthook)
print(json.dumps([sorted(heavy), same]))
"""
    assert said(world.place(), code) == [[], True]


def snippets() -> list[str]:
    blocks = SNIPPETS.read_text(encoding="utf-8").split("```python\n")[1:]
    return [block.partition("```")[0] for block in blocks]


@pytest.mark.parametrize("number", range(len(snippets())))
def test_every_snippet_of_the_documentation_runs(world: World, number: int) -> None:
    world.article(*PAGE)
    place = world.place()
    (place.project / "docs").mkdir()
    (place.project / "docs" / "pump.md").write_text(PUMP, "utf-8")
    done = python(place, snippets()[number])
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
