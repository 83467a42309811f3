"""Sets code apart in Markdown: fenced blocks and code spans that their content cannot end."""

from __future__ import annotations

import re


def fence(code: str, language: str = "") -> str:
    """A fenced block whose fence is longer than any run of backticks inside."""
    longest = max(map(len, re.findall(r"`{3,}", code)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks}{language}\n{code}\n{marks}"


def code_span(text: str) -> str:
    """A code span whose marks differ from every run of backticks inside."""
    runs = {len(run) for run in re.findall(r"`+", text)}
    marks = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{pad}{text}{pad}{marks}"
