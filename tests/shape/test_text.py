"""What the repository says: no address of a registry or machine, and nothing left undocumented."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

import intelli.errors
from intelli.records import ROLES
from intelli.settings import TABLE
from tests.shape.source import ROOT
from tests.world.place import COMMAND, home_env

# Written apart, so that this file is not what it looks for.
REGISTRIES = [
    "pypi" + ".org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "npm" + "js.com",
    "conda" + ".io",
    "ana" + "conda.org",
    "proxy" + ".golang.org",
    "crates" + ".io",
]
MACHINE_PATH = re.compile(
    r"(?<![\w./~$}-])/(?:"
    + "|".join(["wo" + "rk", "ro" + "ot", "ho" + "me", "Us" + "ers"])
    + r")/\w"
)
BEYOND_ERRORS = {0, 1, 8, 9}
"""Exit codes of the contract that no error class carries."""


@cache
def tracked() -> tuple[Path, ...]:
    """Every text file that git would commit, ignored ones left out."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listing, cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    names = [name for name in done.stdout.decode().split("\0") if name]
    return tuple(path for name in names if (path := ROOT / name).is_file())


@cache
def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


@cache
def documentation() -> str:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return "\n".join(text_of(page) for page in pages if page.is_file())


def test_no_file_names_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {host}"
        for path in tracked()
        for host in REGISTRIES
        if host in text_of(path)
    ]
    assert found == []


def test_no_file_names_a_path_of_the_machine_it_was_made_on() -> None:
    found = []
    for path in tracked():
        text = text_of(path)
        lines = {text.count("\n", 0, match.start()) + 1 for match in MACHINE_PATH.finditer(text)}
        found += [f"{path.relative_to(ROOT)}:{line}" for line in sorted(lines)]
        if str(ROOT) in text:
            found.append(f"{path.relative_to(ROOT)}: {ROOT.name}")
    assert found == []


def test_machine_paths_are_told_from_addresses() -> None:
    assert MACHINE_PATH.search("see /" + "home/anna/x")
    assert MACHINE_PATH.search('"/' + 'root/x"')
    assert not MACHINE_PATH.search("https://host.test/" + "home/anna")
    assert not MACHINE_PATH.search("~/" + "work/x")


def commands(home: Path) -> list[str]:
    """The commands as the installed program lists them, hidden ones left out."""
    out = subprocess.run(
        [COMMAND, "--help"],
        env={**home_env(home), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return re.findall(r"^  ([a-z]+) {2,}\S", out, re.M)


def test_every_command_is_documented(tmp_path: Path) -> None:
    names = commands(tmp_path)
    assert {"research", "fetch", "list"} <= set(names)
    missing = [name for name in names if not re.search(rf"intelli {name}\b", documentation())]
    assert missing == []


def test_every_setting_is_documented() -> None:
    """A setting of a role may be named once for all roles, with ROLE in its place."""
    text = documentation()
    roles = "|".join(ROLES)
    general = {re.sub(rf"^models\.({roles})\.", "models.ROLE.", key) for key in TABLE}
    missing = [key for key in sorted(general) if f"`{key}`" not in text]
    assert missing == []


def test_every_exit_code_is_documented() -> None:
    classes = [v for v in vars(intelli.errors).values() if isinstance(v, type)]
    codes = {c.exit_code for c in classes if issubclass(c, intelli.errors.RunError)}
    rows = {int(n) for n in re.findall(r"^\|\s*`?(\d+)`?\s*\|", documentation(), re.M)}
    assert sorted((codes | BEYOND_ERRORS) - rows) == []
