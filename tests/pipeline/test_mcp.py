"""`intelli mcp` as an editor meets it: the official client, a process, the protocol on a pipe."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from tests.world import World
from tests.world.place import COMMAND, Place

Q = "how fast is the pump P1"
PAGE = ("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])


def talk(place: Place, conversation: Callable[[Client], Awaitable[Any]], **env: str) -> Any:
    """What the conversation with a server of its own returns."""

    async def main() -> Any:
        server = StdioServerParameters(
            command=COMMAND, args=["mcp"], env={**place.env, **env}, cwd=place.project
        )
        async with Client(server) as client:
            return await conversation(client)

    return anyio.run(main)


def call(place: Place, tool: str, **arguments: Any) -> Any:
    return talk(place, lambda client: client.call_tool(tool, arguments))


def test_research_gives_the_report_as_text_and_as_a_record(world: World) -> None:
    world.article(*PAGE)
    place = world.place()
    steps: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert message
        steps.append(progress)

    async def conversation(client: Client) -> Any:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        answer = await client.call_tool("research", {"query": Q}, progress_callback=hear)
        jsonschema.validate(answer.structured_content, tools["research"].output_schema)
        return answer

    answer = talk(place, conversation)
    assert not answer.is_error
    body = answer.structured_content
    assert body["outcome"] == "completed" and body["session"] == place.session().name
    assert "12 litres per minute" in body["text"]
    assert [part.text for part in answer.content] == [body["text"]]
    assert len(steps) > 3 and steps == sorted(set(steps))


def test_what_was_stored_can_be_read_and_verified_and_found(world: World) -> None:
    world.article(*PAGE)
    place = world.place()
    assert place.run("research", Q).code == 0

    async def conversation(client: Client) -> list[str]:
        answers = [
            await client.call_tool("read", {"ref": "latest:1", "find": "12 litres"}),
            await client.call_tool("verify", {"session": "latest"}),
            await client.call_tool("verify", {"session": "latest", "text": "13 litres [1]."}),
            await client.call_tool("related", {"query": "pump P1 speed"}),
        ]
        return [answer.content[0].text for answer in answers]

    read, verified, mine, related = talk(place, conversation)
    assert "12 litres per minute" in read
    assert "1 verified" in verified
    assert "13 litres" in mine
    assert "pump P1" in related


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("research", {"query": Q, "fokus": "x"}, "fokus"),
        ("research", {}, "query"),
        ("research", {"query": 7}, "query"),
        ("research", {"query": Q, "urls": True}, "whole number"),
        ("research", {"query": Q, "docs": []}, "docs"),
        ("research", {"query": "--help"}, ""),
        ("read", {"ref": "nosuch"}, "nosuch"),
        ("status", {"run": "run-9"}, "run-9"),
        ("delete", {}, "delete"),
        ("extract", {"sources": ["/etc/passwd"], "query": Q}, "workspace"),
        ("extract", {"sources": ["../elsewhere.md"], "query": Q}, "workspace"),
        ("extract", {"sources": ["file:///etc/passwd"], "query": Q}, "workspace"),
        ("research", {"query": Q, "docs": ["~"]}, "workspace"),
        ("research", {"query": Q, "docs": ["link"]}, "workspace"),
    ],
)
def test_a_wrong_call_is_answered_with_what_is_wrong(
    world: World, tool: str, arguments: dict[str, Any], words: str
) -> None:
    place = world.place()
    (place.project / "link").symlink_to("/etc")
    answer = call(place, tool, **arguments)
    assert words in answer.content[0].text
    assert answer.structured_content["outcome"] != "completed"


def test_a_broken_configuration_is_said_by_each_call_and_can_be_mended(world: World) -> None:
    world.article(*PAGE)
    place = world.place()
    file = place.project / "intelli.toml"
    file.write_text("urls = 'many'\n", encoding="utf-8")

    async def conversation(client: Client) -> tuple[Any, Any]:
        broken = await client.call_tool("research", {"query": Q})
        file.unlink()
        return broken, await client.call_tool("research", {"query": Q})

    broken, mended = talk(place, conversation)
    assert broken.is_error and "urls" in broken.content[0].text
    assert not mended.is_error


def test_a_cache_outside_of_the_workspace_is_refused(world: World, tmp_path: Path) -> None:
    place = world.place()
    place.env["INTELLI_CACHE_DIR"] = str(tmp_path / "elsewhere")
    answer = call(place, "research", query=Q)
    assert answer.is_error and "workspace" in answer.content[0].text
    assert not world.model.asks


def test_a_long_run_is_handed_over_and_asked_for_later(world: World) -> None:
    world.article(*PAGE)
    world.model.say("collate", world.model.computed("collate", delay=2))

    async def conversation(client: Client) -> tuple[Any, Any]:
        first = await client.call_tool("research", {"query": Q, "wait_seconds": 0.2})
        run = first.structured_content["run"]
        return first, await client.call_tool("status", {"run": run})

    first, last = talk(world.place(), conversation)
    assert first.structured_content["outcome"] == "running" and not first.is_error
    assert last.structured_content["outcome"] == "completed"
    assert len(world.model.asked("collate")) == 1


def test_a_run_that_is_stopped_can_be_resumed_and_pays_nothing_twice(world: World) -> None:
    world.article(*PAGE)
    world.model.say("collate", world.model.computed("collate", delay=30))
    place = world.place()

    async def conversation(client: Client) -> Any:
        first = await client.call_tool("research", {"query": Q, "wait_seconds": 0.1})
        run = first.structured_content["run"]
        while not world.model.asked("collate"):
            await anyio.sleep(0.05)
        return await client.call_tool("status", {"run": run, "stop": True})

    answer = talk(place, conversation)
    assert answer.structured_content["outcome"] == "interrupted"
    assert "intelli resume" in answer.content[0].text
    world.model.say("collate", world.model.computed("collate"))
    assert place.run("resume", "latest").code == 0
    assert len(world.model.asked("extract")) == 1


def test_a_cancelled_call_stops_what_it_began(world: World) -> None:
    world.article(*PAGE)
    world.model.say("collate", world.model.computed("collate", delay=30))
    place = world.place()

    async def conversation(client: Client) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "research", {"query": Q})
            while not world.model.asked("collate"):
                await anyio.sleep(0.05)
            tasks.cancel_scope.cancel()
        while is_running(place):
            await anyio.sleep(0.05)

    talk(place, conversation)
    assert place.run("list", "--json").json["sessions"][0]["outcome"] == "interrupted"


def is_running(place: Place) -> bool:
    """Whether the only session says that its run is still at work."""
    meta = json.loads((place.session() / "meta.json").read_text(encoding="utf-8"))
    return bool(meta["outcome"] == "running")


def test_one_runs_eight_wait_and_the_next_is_told_at_once(world: World) -> None:
    world.article(*PAGE)
    world.model.say("collate", world.model.computed("collate", delay=30))

    async def conversation(client: Client) -> list[str]:
        answers = [
            await client.call_tool("research", {"query": f"{Q} {n}", "wait_seconds": 0.01})
            for n in range(10)
        ]
        for n in range(1, 10):
            await client.call_tool("status", {"run": f"run-{n}", "stop": True})
        return [answer.structured_content["outcome"] for answer in answers]

    assert talk(world.place(), conversation) == ["running"] * 9 + ["busy"]
