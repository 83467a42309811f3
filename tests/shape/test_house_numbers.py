"""Files, functions and parameter lists stay small, and everything says what it is."""

from __future__ import annotations

import ast
import statistics

from tests.shape.source import Function, files, functions, shown, tree

FILE_LINES = 300
FUNCTION_LINES = 60
FUNCTION_LINES_P95 = 40
PARAMETERS = 6


def test_no_file_is_long() -> None:
    found = []
    for folder in ("intelli", "tests", "bench"):
        for path in files(folder):
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines > FILE_LINES:
                found.append(f"{shown(path)} {lines} lines")
    assert found == []


def test_no_function_is_long() -> None:
    found = [
        f"{shown(path, node.lineno)} {node.name} {_lines(node)} lines"
        for path in files()
        for node in functions(tree(path))
        if _lines(node) > FUNCTION_LINES
    ]
    assert found == []


def test_nearly_all_functions_are_short() -> None:
    lengths = [_lines(node) for path in files() for node in functions(tree(path))]
    assert statistics.quantiles(lengths, n=20)[-1] <= FUNCTION_LINES_P95


def test_parameter_lists_are_short() -> None:
    found = [
        f"{shown(path, node.lineno)} {node.name} {_parameters(node)} parameters"
        for path in files()
        if "cli" not in path.parts  # a command has as many parameters as it has options
        for node in functions(tree(path))
        if _parameters(node) > PARAMETERS
    ]
    assert found == []


def test_every_function_is_annotated() -> None:
    found = [
        f"{shown(path, node.lineno)} {node.name}"
        for path in files()
        for node in functions(tree(path))
        if (node.returns is None and node.name != "__init__")
        or any(arg.annotation is None for arg in _arguments(node))
    ]
    assert found == []


def test_every_module_opens_with_a_sentence() -> None:
    found = []
    for folder in ("intelli", "tests", "bench"):
        for path in files(folder):
            first = (ast.get_docstring(tree(path)) or "").partition("\n\n")[0].strip()
            # A title line may be followed by a drawing; a sentence ends in a mark.
            if not first or first[-1] not in ".:?!;":
                found.append(shown(path))
    assert found == []


def _lines(node: Function) -> int:
    """Lines of a function without its docstring, which of a command is its help."""
    docstring = node.body[0] if ast.get_docstring(node) is not None else None
    own = (node.end_lineno or node.lineno) - node.lineno + 1
    return own - ((docstring.end_lineno or 0) - docstring.lineno + 1 if docstring else 0)


def _arguments(node: Function) -> list[ast.arg]:
    spec = node.args
    named = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    starred = [arg for arg in (spec.vararg, spec.kwarg) if arg]
    return [arg for arg in [*named, *starred] if arg.arg not in ("self", "cls")]


def _parameters(node: Function) -> int:
    return len(_arguments(node))
