"""`intelli mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from intelli.errors import UsageError

Workspace = Annotated[
    Path,
    typer.Option(
        "--workspace",
        metavar="DIR",
        help="Where commands run; the cache and all files have to be inside of it.",
    ),
]


def mcp(workspace: Workspace = Path()) -> int:
    """Serve the commands as tools over the Model Context Protocol, on standard input and output.

    For editors and agents that start it themselves. Needs the extra `mcp`.

    \b
    Example:
      intelli mcp --workspace ~/project
    """
    real = workspace.expanduser().resolve()
    if not real.is_dir():
        raise UsageError(
            f"the workspace {workspace} is no directory", code="no-directory", hint="name another"
        )
    try:
        import anyio

        from intelli.mcp.server import serve
    except ModuleNotFoundError as error:
        raise UsageError(
            f"`intelli mcp` needs the package {error.name}",
            code="no-mcp",
            hint="pip install 'intelli[mcp]'",
        ) from error
    anyio.run(serve, real)
    return 0
