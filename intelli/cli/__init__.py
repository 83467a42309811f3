"""Command line: arguments to Settings, a renderer, an exit code. No logic."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of the `intelli` command."""
    try:
        _main(sys.argv[1:])
    except KeyboardInterrupt:  # before there is anything to end in order
        sys.exit(130)


def _main(arguments: list[str]) -> None:
    if arguments == ["--version"]:  # asked by scripts at every start: not worth a parser
        from intelli.version import VERSION

        sys.stdout.write(f"intelli {VERSION}\n")
        return
    if arguments[:1] == ["mcp"] and not {"--help", "-h"} & set(arguments):
        from intelli.mcp.guard import divert

        divert()
    import gc

    gc.disable()  # nothing of a short command is garbage; longer work turns it on again
    from intelli.cli.app import run

    sys.exit(run(arguments))
