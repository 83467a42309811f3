"""The source as the shape tests see it: every module of the package, parsed once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "intelli"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def files(folder: str = "intelli") -> tuple[Path, ...]:
    return tuple(sorted((ROOT / folder).rglob("*.py")))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def functions(module: ast.Module) -> Iterator[Function]:
    return (n for n in ast.walk(module) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def name_of(path: Path) -> str:
    """`intelli/fetch/page.py` -> `intelli.fetch.page`; a package is named after its folder."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def shown(path: Path, line: int = 1) -> str:
    return f"{path.relative_to(ROOT).as_posix()}:{line}"
