"""Command line: arguments to Settings, a renderer, an exit code. No logic."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of the `intelli` command."""
    from intelli.cli.app import run

    sys.exit(run(sys.argv[1:]))
