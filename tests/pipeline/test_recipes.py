"""Every recipe of docs/models.md is run: up to its price, or on a server here to the report."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world import World

PAGE = Path(__file__).parents[2] / "docs" / "models.md"
RECIPE = re.compile(
    r"^([A-Zl-v][^\n]*?)(?: \([^\n]*\))?:[^\n]*\n\n```console\n(.*?)```", re.M | re.S
)


def recipes() -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """Name, variables, and the arguments of the command at the end."""
    for name, block in RECIPE.findall(PAGE.read_text(encoding="utf-8")):
        lines = [line.removeprefix("$ ") for line in block.splitlines()]
        exports = [line.removeprefix("export ") for line in lines if line.startswith("export ")]
        variables = dict(line.split("=", 1) for line in exports)
        yield name, variables, shlex.split(lines[-1])[1:]


ALL = {name: (variables, arguments) for name, variables, arguments in recipes()}
LOCAL = {
    name for name, (variables, _) in ALL.items() if "INTELLI_MODELS__EXTRACT__API_BASE" in variables
}


def test_the_page_has_a_recipe_for_each_that_is_promised() -> None:
    named = {"OpenRouter", "OpenAI", "Anthropic", "Gemini", "Groq", "Mistral", "DeepSeek"}
    assert set(ALL) - LOCAL == named
    assert sorted(LOCAL) == ["LM Studio", "Ollama", "llama.cpp", "vLLM"]


@pytest.mark.parametrize("name", sorted(set(ALL) - LOCAL))
def test_a_provider_needs_its_key_and_a_model_with_a_known_price(world: World, name: str) -> None:
    variables, arguments = ALL[name]
    run = world.place(model=False).run(*arguments, "--dry-run", "--json", **variables)
    assert run.code == 0, run.stderr
    calls = {call["role"]: call for call in run.json["plan"]["calls"]}
    assert calls["extract"]["usd"] > 0 and calls["collate"]["usd"] > 0, run.json


@pytest.mark.parametrize("name", sorted(LOCAL))
def test_a_local_server_writes_the_report(world: World, name: str) -> None:
    variables, arguments = ALL[name]
    world.article("/log", "Log", ["The write-ahead log is flushed before the pages are."])
    address = {"INTELLI_MODELS__EXTRACT__API_BASE": world.model.server.url("/v1")}
    run = world.place(model=False).run(*arguments, "--json", **{**variables, **address})
    assert run.code == 0, run.stderr
    assert run.json["engine"] == "llm"
    sent = {ask.body["model"] for ask in world.model.asked("extract")}
    assert sent == {variables["INTELLI_MODELS__EXTRACT__MODEL"].partition("/")[2]}
