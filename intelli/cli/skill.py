"""`intelli skill`: the guide for agents, printed or put where they look for it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from intelli.cli.streams import Streams
from intelli.errors import UsageError

FOLDERS: Mapping[str, str] = {
    "claude": "~/.claude/skills",
    "codex": "~/.codex/skills",
    "pi": "~/.pi/agent/skills",
    "gemini": "~/.gemini/skills",
    "agents": "~/.agents/skills",
}
"""Agent to the folder in which it looks for skills, each in a folder of its own."""
For = Annotated[
    str | None, typer.Option("--for", metavar="AGENT", help=f"One of {', '.join(FOLDERS)}.")
]
Dir = Annotated[
    Path | None, typer.Option("--dir", metavar="DIR", help="The folder of skills, for any other.")
]


def show(context: typer.Context) -> None:
    """Print the guide for agents: when to use which command, and how to read on.

    \b
    Example:
      intelli skill
    """
    if context.invoked_subcommand is None:
        Streams().result(_text())


def install(agent: For = None, folder: Dir = None) -> None:
    """Write the guide where an agent looks for it. A file that you changed stays as it is.

    \b
    Examples:
      intelli skill install --for claude
      intelli skill install --dir .claude/skills
    """
    if (agent is None) == (folder is None):
        raise UsageError(
            "say for whom: --for AGENT, or --dir DIR",
            code="usage",
            hint=f"agents: {', '.join(FOLDERS)}",
        )
    if agent is not None and agent not in FOLDERS:
        raise UsageError(
            f"unknown agent `{agent}`; known are {', '.join(FOLDERS)}",
            code="unknown-agent",
            hint="name its folder of skills with --dir",
        )
    path = (folder or Path(FOLDERS[str(agent)])).expanduser() / "intelli" / "SKILL.md"
    Streams().result(f"{_written(path, _text())}: {path}\n")


def _written(path: Path, text: str) -> str:
    """What was done. Raises UsageError where that would overwrite what someone wrote."""
    try:
        there = path.read_text(encoding="utf-8") if path.is_file() else ""
        if there == text:
            return "already there"
        if there and not _is_ours(there):
            raise UsageError(
                f"{path} has been changed since it was written, and stays as it is",
                code="exists",
                hint="`intelli skill` prints the new text; remove the file to have it written",
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot write {path}: {error}", code="not-saved") from error
    return "renewed" if there else "written"


def _text() -> str:
    """The guide, with a mark at its end by which an unchanged copy is known."""
    body = (Path(__file__).parents[1] / "skill.md").read_text(encoding="utf-8")
    return f"{body}\n<!-- intelli {_digest(body)} -->\n"


def _is_ours(text: str) -> bool:
    """Whether a copy is as some version of intelli wrote it."""
    body, _, mark = text.rpartition("\n<!-- intelli ")
    return mark == f"{_digest(body)} -->\n"


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:16]


skill = typer.Typer(
    rich_markup_mode=None,
    help="""Print the guide for agents, or put it where they look.

    \b
    Examples:
      intelli skill
      intelli skill install --for claude
    """,
)
skill.callback(invoke_without_command=True)(show)
skill.command()(install)
