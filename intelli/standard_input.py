"""Standard input as text, whatever it holds and however it was opened."""

from __future__ import annotations

import sys


def read() -> str:
    """Everything there is, in UTF-8 with replacements; "" when the stream is closed."""
    if sys.stdin is None:
        return ""
    data = sys.stdin.buffer.read()
    return data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
