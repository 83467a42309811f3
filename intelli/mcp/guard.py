"""Standard output belongs to the protocol: taken out of reach before anything else is imported."""

from __future__ import annotations

import os

SERVER = "_INTELLI_SERVER"
"""The variable by which a command knows the process that it works for, and ends with it."""
_wire: list[int] = []


def divert() -> None:
    """From now on all that is written to descriptor 1, by Python, by C or by a child, goes to
    standard error; `wire` alone leads to the client."""
    _wire.append(os.dup(1))
    os.dup2(2, 1)


def wire() -> int:
    """The descriptor that leads to the client. Only after `divert`."""
    return _wire[0]
