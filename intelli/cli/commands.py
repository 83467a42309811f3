"""Every command by what it is for: its module, its function and its line in the help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typer.core import TyperGroup

GROUPS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Research": {
        "research": ("research:research", "Search, read, extract and report, every detail checked"),
        "resume": ("research:resume", "Finish a stopped run, paying only for what is missing"),
        "batch": ("batching:batch", "Many questions, a few at a time, as JSON lines"),
    },
    "One stage alone": {
        "search": ("stages:search", "Links for one to six questions"),
        "fetch": ("stages:fetch", "Pages as clean Markdown"),
        "extract": ("engines:extract", "What a question asks for, from pages or files"),
        "collate": ("engines:collate", "One report from extractions, pages or files"),
        "related": ("stages:related", "Earlier sessions that may help with a question"),
    },
    "What is stored": {
        "list": ("sessions:list_sessions", "The sessions, newest first"),
        "show": ("sessions:show", "A stored report, --open in the browser"),
        "read": ("reading:read", "A stored source, a window at a time"),
        "grep": ("grepping:grep", "A pattern in all reports, extractions and sources"),
        "diff": ("comparing:diff", "What changed between two sessions, or since the last run"),
        "refresh": ("refreshing:refresh", "Read its pages again; a new report where one changed"),
        "replay": ("replaying:replay", "A report again from what is stored, or by another model"),
        "export": ("caring:export", "A session as one HTML file, or as a zip archive"),
        "prune": ("caring:prune", "Remove sessions by name, age, number or size"),
    },
    "Verification": {
        "verify": ("checking:verify", "A stored report against its stored sources"),
        "check": ("checking:check", "Any text against the sources of a session"),
    },
    "Setting up": {
        "doctor": ("doctor:doctor", "What works here, and what a key would add"),
        "config": ("configuring:config", "Settings and their origin; a file of them; trust"),
        "schema": ("guiding:schema", "JSON Schemas of all that --json and --events print"),
        "skill": ("skill:skill", "The guide for agents, printed or installed"),
        "mcp": ("serving:mcp", "The same for editors and agents, over MCP"),
    },
}
COMMANDS: Mapping[str, str] = {
    name: place for commands in GROUPS.values() for name, (place, _) in commands.items()
}
"""Module and function of each command."""


class Commands(TyperGroup):
    """The group of all commands; its help needs none of them imported."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        del ctx
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<8}", line) for name, (_, line) in commands.items()])
