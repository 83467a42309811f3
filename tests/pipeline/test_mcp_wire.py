"""The protocol of `intelli mcp` on its pipes, as no well-behaved client would use it."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.world import World
from tests.world.place import COMMAND, Place

Q = "how fast is the pump P1"
PAGE = ("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def server(place: Place, **env: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [COMMAND, "mcp"],
        cwd=place.project,
        env={**place.env, **env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def lines(*messages: object) -> bytes:
    said = [m if isinstance(m, str) else json.dumps(m) for m in messages]
    return "".join(f"{line}\n" for line in said).encode()


def test_nothing_but_the_protocol_reaches_standard_output(world: World, tmp_path: Path) -> None:
    """A library that prints, from Python and past it, while the server is at work."""
    (tmp_path / "sitecustomize.py").write_text(
        "import sys, os, threading\n"
        "def shout():\n"
        "    print('noise of Python', flush=True); os.write(1, b'noise of C\\n')\n"
        "if 'mcp' in sys.argv or 'mcp' in open('/proc/self/cmdline').read():\n"
        "    threading.Timer(0.6, shout).start()\n",
        encoding="utf-8",
    )
    process = server(world.place(), PYTHONPATH=str(tmp_path))
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines(HELLO))
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 0
    time.sleep(1)
    out, err = process.communicate()
    assert b"noise" not in out
    assert b"noise of Python" in err and b"noise of C" in err


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "null", '{"jsonrpc": "2.0"}', '{"jsonrpc": "2.0", "id": 1, "method": "no/such"}'],
)
def test_a_malformed_message_does_not_end_the_server(world: World, line: str) -> None:
    process = server(world.place())
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines(HELLO, initialized, line, listing))
    process.stdin.flush()
    answers = iter(process.stdout.readline, b"")
    assert next(json.loads(a) for a in answers if json.loads(a).get("id") == 2)["result"]["tools"]
    process.communicate()
    assert process.returncode == 0


def test_the_end_of_standard_input_stops_a_run_and_keeps_what_it_did(world: World) -> None:
    world.article(*PAGE)
    world.model.say("collate", world.model.computed("collate", delay=30))
    place = world.place()
    process = server(place)
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    params = {"name": "research", "arguments": {"query": Q}}
    asking = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert process.stdin is not None
    process.stdin.write(lines(HELLO, initialized, asking))
    process.stdin.flush()
    deadline = time.monotonic() + 30
    while not world.model.asked("collate"):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.communicate(timeout=20)
    assert process.returncode == 0
    assert place.run("list", "--json").json["sessions"][0]["outcome"] == "interrupted"


def test_without_the_extra_the_command_says_what_to_install(world: World, tmp_path: Path) -> None:
    (tmp_path / "mcp_types.py").write_text("raise ModuleNotFoundError(name='mcp_types')\n", "utf-8")
    run = world.place().run("mcp", PYTHONPATH=str(tmp_path))
    assert run.code == 2 and "intelli[mcp]" in run.stderr


def test_a_workspace_has_to_exist(world: World) -> None:
    run = world.place().run("mcp", "--workspace", "nowhere")
    assert run.code == 2 and "nowhere" in run.stderr
    assert os.sep not in run.stdout


def test_no_file_of_the_workspace_is_run_as_a_module(world: World) -> None:
    """A cloned repository may hold a file that is named like a module of Python's own."""
    place = world.place()
    for name in ("asyncio", "json", "typing"):
        (place.project / f"{name}.py").write_text(
            "import pathlib\npathlib.Path('run').touch()\n", "utf-8"
        )
    process = server(place)
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    params = {"name": "related", "arguments": {"query": Q}}
    asking = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines(HELLO, initialized, asking))
    process.stdin.flush()
    answers = (json.loads(line) for line in iter(process.stdout.readline, b""))
    answer = next(answer for answer in answers if answer.get("id") == 1)
    process.communicate()
    assert not (place.project / "run").exists()
    assert answer["result"]["structuredContent"]["outcome"] in ("completed", "not-found")
