"""Imports go down only, every outside package has one owner, some things happen in one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.shape.source import files, name_of, tree

LAYERS = (
    ("cli", "__main__"),
    ("batch_on_dask",),
    ("mcp", "api", "batch"),
    ("asking",),
    ("pipeline", "show"),
    ("lanes", "materials", "compare", "planning"),
    ("saving", "toolbox"),
    ("inputs",),
    ("job",),
    ("search", "fetch", "extract", "collate", "suggest"),
    ("model", "store"),
    ("net", "text"),
    ("clock", "progress"),
    ("events", "settings", "report_text", "changes"),
    ("trust", "model_choice", "setting_help"),
    ("setting_table", "version", "standard_input"),
    ("plans",),
    ("errors",),
    ("records",),
)
LEVEL = {name: level for level, names in enumerate(reversed(LAYERS)) for name in names}
FACADE = "intelli"
"""The package itself re-exports from below and is imported by nobody inside."""

OWNERS = {
    "typer": {"cli"},
    "click": {"cli"},
    "rich": {"show"},
    "markdown_it": {"show"},
    "httpx2": {"net"},
    "trafilatura": {"text"},
    "lxml": {"text", "search.backends.duckduckgo"},
    "curl_cffi": {"net"},
    "playwright": {"net"},
    "pypdfium2": {"text"},
    "litellm": {"model"},
    "diskcache": {"store"},
    "filelock": {"store", "search.pacing"},
    "platformdirs": {"settings"},
    "mcp": {"mcp"},
    "distributed": {"batch_on_dask"},
    "mcp_types": {"mcp"},
    "anyio": {"mcp", "cli.serving"},
}
FORBIDDEN = {"httpx", "requests", "aiohttp", "urllib3", "pydantic", "bs4"}
SHOW_SEES = {"show", "records", "errors", "events", "report_text", "changes", "plans"}
BROAD_CATCHES = {"text", "model", "store", "cli.app"}
"""The three seams with foreign code: the HTML and PDF parser, litellm, the cache; and the entry
point, where a fault of ours still has to leave as a message or a document."""


def breaches(module: str, source: ast.Module, text: str) -> list[str]:
    """Every rule that `module` (a dotted name) breaks, as `line: what`."""
    own = module.removeprefix("intelli").lstrip(".")
    found = [*_import_breaches(own, source), *_call_breaches(own, source)]
    found += _catch_breaches(own, source, text.splitlines())
    return [f"{module}:{line}: {what}" for line, what in sorted(found)]


def _imports(source: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of each import, also those inside functions and by name."""
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            deep = base in (FACADE, ".") or node.level
            names = [f"{base}.{alias.name}" for alias in node.names] if deep else [base]
            yield from ((node.lineno, name) for name in names)
        elif isinstance(node, ast.Call) and _called(node).endswith("import_module") and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, first.value


def _import_breaches(own: str, source: ast.Module) -> Iterator[tuple[int, str]]:
    for line, name in _imports(source):
        top, _, rest = name.partition(".")
        if name.startswith("."):
            yield line, f"relative import of {name}"
        elif top == FACADE:
            yield from ((line, what) for what in _layer_breach(own, rest))
        elif top in FORBIDDEN:
            yield line, f"{top} is not a dependency of ours"
        elif top in OWNERS and not any(_inside(own, owner) for owner in OWNERS[top]):
            yield line, f"{top} belongs to {' and '.join(sorted(OWNERS[top]))}"


def _layer_breach(own: str, target: str) -> Iterator[str]:
    mine, theirs = own.partition(".")[0], target.partition(".")[0]
    if not mine or mine == theirs:
        return
    if theirs not in LEVEL:
        yield f"{target or FACADE} has no place in the layers"
    elif mine not in LEVEL:
        yield f"{mine} has no place in the layers"
    elif LEVEL[theirs] >= LEVEL[mine] and mine != "__main__":
        yield f"{mine} may not import {theirs}"
    elif mine == "show" and theirs not in SHOW_SEES:
        yield f"show sees only records, errors and events, not {theirs}"


def _call_breaches(own: str, source: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(source):
        if isinstance(node, ast.Call) and _called(node) == "print":
            yield node.lineno, "print: stdout belongs to show"
        if isinstance(node, ast.Call) and _called(node) == "asyncio.gather":
            yield node.lineno, "asyncio.gather: a task group cancels the siblings, gather does not"
        if own != "settings" and _reads_environment(node):
            yield getattr(node, "lineno", 1), "the environment is read in settings only"


def _reads_environment(node: ast.AST) -> bool:
    names = ("environ", "environb", "getenv", "putenv")
    if isinstance(node, ast.ImportFrom) and node.module == "os":
        return any(alias.name in names for alias in node.names)
    return isinstance(node, ast.Attribute) and _dotted(node) in {f"os.{name}" for name in names}


def _catch_breaches(own: str, source: ast.Module, lines: list[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(source):
        if not isinstance(node, ast.ExceptHandler) or not _broad(node.type):
            continue
        if not any(_inside(own, seam) for seam in BROAD_CATCHES):
            yield node.lineno, "broad catch outside the seams with foreign code"
        elif not any("#" in line for line in lines[node.lineno - 2 : node.lineno + 1]):
            yield node.lineno, "broad catch without a comment that says why"


def _broad(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(_broad(part) for part in caught.elts)
    return caught is None or _dotted(caught) in ("Exception", "BaseException")


def _inside(own: str, place: str) -> bool:
    return own == place or own.startswith(f"{place}.")


def _called(node: ast.Call) -> str:
    return _dotted(node.func)


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def test_no_module_breaks_a_rule() -> None:
    found = []
    for path in files():
        found += breaches(name_of(path), tree(path), path.read_text(encoding="utf-8"))
    assert found == []


def test_every_module_has_a_place_in_the_layers() -> None:
    tops = {name_of(path).partition(".")[2].partition(".")[0] for path in files()} - {""}
    assert tops <= set(LEVEL)


PLANTED = [
    ("records", "import intelli.errors", "records may not import errors"),
    ("text.html", "from intelli.net.client import Network", "text may not import net"),
    ("text.html", "from intelli import store", "text may not import store"),
    ("net.client", "def f():\n    from intelli.model import retry", "net may not import model"),
    ("search.chain", "from intelli.fetch.page import fetch_page", "search may not import fetch"),
    ("search.chain", "from importlib import import_module\nimport_module('intelli.pipeline')",
     "search may not import pipeline"),
    ("store.index", "from intelli.model.reply import Reply", "store may not import model"),
    ("mcp.server", "import intelli.cli.app", "mcp may not import cli"),
    ("show.screen", "from intelli.settings import load", "show sees only"),
    ("show.screen", "from intelli.toolbox import Toolbox", "show sees only"),
    ("fetch.page", "import intelli", "intelli has no place"),
    ("fetch.page", "from intelli.stray import thing", "stray has no place"),
    ("fetch.page", "from .verdict import judge", "relative import"),
    ("fetch.page", "import httpx2", "httpx2 belongs to net"),
    ("net.client", "import httpx", "httpx is not a dependency"),
    ("search.rpc", "import lxml.html", "lxml belongs to search.backends.duckduckgo and text"),
    ("pipeline", "import rich.console", "rich belongs to show"),
    ("text.html", "print('x')", "print"),
    ("pipeline", "import asyncio\nasyncio.gather()", "asyncio.gather"),
    ("net.proxy", "import os\nx = os.environ['A']", "environment"),
    ("net.proxy", "import os\nx = os.getenv('A')", "environment"),
    ("net.proxy", "from os import environ", "environment"),
    ("pipeline", "try:\n    x\nexcept Exception:  # why\n    pass", "outside the seams"),
    ("pipeline", "try:\n    x\nexcept:  # why\n    pass", "outside the seams"),
    ("pipeline", "try:\n    x\nexcept (KeyError, Exception):  # why\n    y", "outside the seams"),
    ("text.html", "try:\n    x\nexcept Exception:\n    pass", "without a comment"),
]  # fmt: skip

ALLOWED = [
    ("search.backends.duckduckgo", "import lxml.html"),
    ("fetch.page", "from intelli.net.client import Network\nfrom intelli.records import Page"),
    ("settings", "import os\nx = os.environ"),
    ("cli.app", "import typer\nfrom intelli.pipeline import research"),
    ("text.html", "try:\n    x\nexcept Exception:  # lxml raises anything\n    pass"),
    ("show.screen", "from intelli.events import Event\nimport rich"),
    ("", "from intelli.pipeline import research"),
]


@pytest.mark.parametrize(("module", "source", "expected"), PLANTED)
def test_a_planted_breach_is_caught(module: str, source: str, expected: str) -> None:
    (found,) = breaches(f"intelli.{module}", ast.parse(source), source)
    assert expected in found


@pytest.mark.parametrize(("module", "source"), ALLOWED)
def test_what_is_allowed_passes(module: str, source: str) -> None:
    assert breaches(f"intelli.{module}".rstrip("."), ast.parse(source), source) == []
