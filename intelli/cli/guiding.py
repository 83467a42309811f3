"""`intelli schema`: what programs may rely on."""

from __future__ import annotations

from typing import Annotated

import typer

from intelli.cli.streams import Streams
from intelli.errors import UsageError

Name = Annotated[
    str | None, typer.Argument(metavar="COMMAND", help="Only this one; `events` for --events.")
]


def schema(name: Name = None) -> None:
    """Print the JSON Schema of what a command prints with --json, or of all commands.

    \b
    Examples:
      intelli schema research
      intelli schema events
    """
    from intelli.show.documents import dump
    from intelli.show.schema import NAMES, schema_of

    if name is not None and name not in NAMES:
        raise UsageError(
            f"there is no schema of {name!r}",
            code="no-schema",
            hint=f"there are {', '.join(NAMES)}",
        )
    body = schema_of(name) if name else {each: schema_of(each) for each in NAMES}
    Streams().result(dump(body))
