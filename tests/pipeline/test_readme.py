"""Every command that the README shows is run, in its order, by someone who has nothing else."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.world import World

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"```console\n(.*?)```", re.S)


def commands() -> list[str]:
    blocks = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [line for line in lines if not line.startswith("make ")]


def test_the_first_minutes_of_the_readme_are_as_it_says(world: World) -> None:
    world.article("/timeout", "Timeouts", ["asyncio.timeout cancels its body, the inner task too."])
    place = world.place(model=False)
    shutil.copytree(ROOT / "docs", place.project / "docs")
    shutil.copy(ROOT / "README.md", place.project)
    said = {}
    for command in commands():
        run = place.shell(command)
        assert run.code == 0, f"{command}: {run.stderr}"
        said[command] = run.stdout
    assert "exit code 7" in next(said[c] for c in said if "--offline" in c)
    assert "1 unsupported" in next(said[c] for c in said if "check -" in c)
    assert (place.project / "report.html").is_file()
    assert len(said) == len(set(commands())) >= 7
