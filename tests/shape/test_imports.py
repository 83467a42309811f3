"""Commands that need no model, page or parser start without loading any of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.world.place import COMMAND, home_env
from tests.world.sessions import write_session

HEAVY = {"litellm", "trafilatura", "httpx2", "httpx", "pydantic", "lxml", "pypdfium2", "diskcache"}


def imported(args: list[str], cwd: Path) -> set[str]:
    """Top names of all modules that the installed command imported, as the interpreter tells."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", COMMAND, *args],
        cwd=cwd,
        env=home_env(cwd / "home"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    timed = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    said = [line for line in done.stderr.splitlines() if not line.startswith("import time:")]
    assert done.returncode == 0, "\n".join(said)
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in timed}


@pytest.mark.parametrize(
    "args",
    [
        ["--version"],
        ["--help"],
        ["list"],
        ["list", "--json"],
        ["show", "latest"],
        ["show", "latest", "--json"],
        ["read", "latest:1"],
    ],
    ids=" ".join,
)
def test_a_light_command_imports_nothing_heavy(tmp_path: Path, args: list[str]) -> None:
    write_session(tmp_path / ".search", "how fast is the pump", {"https://pumps.test/a": "Fast."})
    names = imported(args, tmp_path)
    assert "intelli" in names
    assert names & HEAVY == set()
