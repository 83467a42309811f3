"""The tools behind the official SDK: calls in, progress and answers out, till the client leaves."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from intelli.errors import IntelliError, UsageError
from intelli.mcp.guard import wire
from intelli.mcp.runs import Run, Runs
from intelli.mcp.tools import OUTPUT_SCHEMA, TOOLS, Tool, check, command_line, paths_in
from intelli.settings import load
from intelli.version import VERSION

WAIT = 50.0
"""Seconds; many clients give up on a call after 60."""
HEARTBEAT = 10.0
INSTRUCTIONS = """Search first for a quick look, research for what needs several pages; give a \
focus, which decides what is kept. Reports carry [n] marks, and what could not be found in the \
stored pages is flagged. Read further with the refs (SESSION:N) that answers name, and check your \
own text with verify. A command named in an answer, such as `intelli read REF --from N`, is the \
tool of that name with those arguments."""


async def serve(workspace: Path) -> None:
    """Answer until standard input ends; then what is at work is stopped, and can be resumed."""
    runs = Runs(workspace)
    tools = Tools(workspace, runs)
    server: Server[Any] = Server(
        "intelli",
        version=VERSION,
        instructions=INSTRUCTIONS,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
    )
    out = TextIOWrapper(os.fdopen(wire(), "wb"), encoding="utf-8")
    try:
        async with stdio_server(stdout=anyio.wrap_file(out)) as (read, write):
            await server.run(read, write, server.create_initialization_options())
    finally:
        with anyio.CancelScope(shield=True):
            await runs.stop_all()


class Tools:
    """What a client may list and call."""

    def __init__(self, workspace: Path, runs: Runs) -> None:
        self._workspace = workspace
        self._runs = runs

    async def list(
        self, context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """All tools; there is one page of them."""
        del context, params
        return types.ListToolsResult(tools=[_told(name, tool) for name, tool in TOOLS.items()])

    async def call(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """The answer of one call; what is wrong with it is an answer too, marked as an error."""
        arguments = params.arguments or {}
        try:
            tool = check(params.name, arguments)
            run = self._run(params.name, tool, arguments)
        except IntelliError as error:
            text = f"{error.message}\n{error.hint}".strip()
            return _answer({"outcome": error.code, "text": text}, is_error=True)
        is_polled = "wait_seconds" in tool.parameters
        patience = float(arguments.get("wait_seconds", WAIT)) if is_polled else None
        try:
            await _follow(run, patience, context)
        except asyncio.CancelledError:
            if params.name != "status":
                run.stop()
            raise
        return _result(run)

    def _run(self, name: str, tool: Tool, arguments: Mapping[str, Any]) -> Run:
        if name == "status":
            run = self._runs.get(str(arguments["run"]))
            if arguments.get("stop"):
                run.stop()
            return run
        self._check_workspace(tool, arguments)
        words = command_line(name, tool, arguments)
        stdin = str(arguments.get("text", "")) if name == "verify" else ""
        return self._runs.start(words, pays=tool.pays, stdin=stdin)

    def _check_workspace(self, tool: Tool, arguments: Mapping[str, Any]) -> None:
        """Raises UsageError for a file, or a cache directory, that is outside of the workspace, and
        for settings that are broken."""
        cache = load(cwd=self._workspace).cache_dir
        self._check_inside(str(cache), "the cache directory")
        for path in paths_in(tool, arguments):
            if not path.startswith(("http://", "https://")):
                self._check_inside(path.removeprefix("file://"), "a file")

    def _check_inside(self, path: str, what: str) -> None:
        real = Path(os.path.realpath(self._workspace / Path(path).expanduser()))
        if not real.is_relative_to(self._workspace):
            raise UsageError(
                f"{what} is outside of the workspace: {path}",
                code="outside-workspace",
                hint=f"the workspace is {self._workspace}; `intelli mcp --workspace` names another",
            )


async def _follow(run: Run, patience: float | None, context: ServerRequestContext[Any]) -> None:
    """Wait for the end of a run, telling the client what happens, at most `patience` seconds."""
    end = None if patience is None else time.monotonic() + patience
    told = 0.0
    while not run.outcome:
        left = HEARTBEAT if end is None else min(HEARTBEAT, end - time.monotonic())
        if left <= 0:
            return
        run.news.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(run.news.wait(), left)
        told = max(told + 0.01, run.steps)  # it has to grow, also where nothing is new
        if not run.outcome:
            await context.session.report_progress(told, None, run.note)


def _result(run: Run) -> types.CallToolResult:
    if not run.outcome:
        text = (
            f"Still at work ({run.note}). Call status with run {run.name!r} for the answer; "
            "`stop` ends it and keeps what was done."
        )
        return _answer({"outcome": "running", "text": text, "run": run.name})
    body = {"outcome": run.outcome, "text": run.text}
    if run.session:
        body["session"] = run.session
    return _answer(body, is_error=run.outcome in ("error", "usage"))


def _answer(body: dict[str, str], *, is_error: bool = False) -> types.CallToolResult:
    """The text for clients that show only text, and all of it for those that show only records."""
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=body["text"])]
    return types.CallToolResult(content=content, structured_content=body, is_error=is_error)


def _told(name: str, tool: Tool) -> types.Tool:
    return types.Tool(
        name=name,
        description=tool.about,
        input_schema=tool.input_schema,
        output_schema=OUTPUT_SCHEMA,
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=False,
            idempotent_hint=not tool.pays,
            open_world_hint=tool.online,
        ),
    )
