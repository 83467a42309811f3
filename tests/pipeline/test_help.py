"""Every command has examples in its help: all of them are understood, the local ones are run."""

from __future__ import annotations

import re
import shlex

import pytest
import typer

from intelli.cli.app import build
from intelli.cli.commands import COMMANDS
from tests.world import World
from tests.world.sessions import write_session

THREE = {"research", "read"}
LOCAL = set(
    "list show read grep diff related verify check config doctor schema skill export prune".split()
)
"""Commands that ask no network, whatever their arguments are."""
PLACES = {"3f7a2c": "latest", "3f7a2c:2": "latest:1"}


def examples(world: World, command: str) -> list[str]:
    said = world.place().run(command, "--help", COLUMNS="200")
    assert said.code == 0
    return re.findall(r"^\s+(intelli .*)$", said.stdout.partition("Example")[2], re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_a_command_are_understood_and_work(world: World, command: str) -> None:
    found = examples(world, command)
    assert len(found) >= (3 if command in THREE else 1), found
    place = world.place(model=False)
    write_session(place.cache, "how fast is the pump", {"https://a.test/": "The pump is fast."})
    (place.project / "answer.md").write_text("The pump is fast. [1]\n", encoding="utf-8")
    for line in found:
        words = shlex.split(line.partition(" > ")[0])[1:]
        group = typer.main.get_command(build(words))
        context = group.make_context("intelli", list(words))  # raises for what is no usage
        assert context is not None
        if command in LOCAL and "--open" not in words:  # which needs somebody to see it
            run = place.run(*(PLACES.get(word, word) for word in words))
            assert run.code in (0, 3), f"{line}: {run.stderr}"
