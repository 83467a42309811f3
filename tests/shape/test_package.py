"""What is installed is whole: the wheel runs from any directory and carries its prompts."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.shape.source import ROOT
from tests.world.place import home_env

SITE = Path(sysconfig.get_path("purelib"))


def call(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=home_env(cwd / "home"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    options = ["--wheel", "--no-isolation", "--outdir"]
    call(sys.executable, "-m", "build", *options, folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of an environment that has the wheel; dependencies come from this one."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    options = ["--no-deps", "--no-index", "--no-compile", "--quiet"]
    call(sys.executable, "-m", "pip", "--python", python, "install", *options, wheel, cwd=folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    # A plain line is searched after the wheel, and the editable install of this checkout, which
    # is itself such a file, is not followed from there.
    (packages / "dependencies.pth").write_text(f"{SITE}\n", encoding="utf-8")
    return folder / "bin" / "intelli"


def test_the_wheel_holds_the_package_and_every_prompt(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    prompts = {f"intelli/prompts/{path.name}" for path in (ROOT / "prompts").glob("*.md")}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "intelli").rglob("*.py")}
    assert prompts and prompts | modules <= names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"intelli"}


def test_the_installed_command_is_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert call(installed, "--version", cwd=tmp_path).strip()
    code = "import intelli, sys; sys.stdout.write(intelli.__file__)"
    where = call(installed.parent / "python", "-c", code, cwd=tmp_path)
    assert Path(where).is_relative_to(installed.parents[1])


def test_the_installed_command_finds_its_prompts(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from intelli.model.prompts import _template;"
        "[_template(name) for name in sys.argv[1:]]"
    )
    names = [path.stem for path in (ROOT / "prompts").glob("*.md")]
    call(installed.parent / "python", "-c", code, *names, cwd=tmp_path)


def test_the_installed_command_does_research(installed: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    fact = "The intake pump of the greenhouse moves 4200 litres of water an hour."
    (notes / "pump.md").write_text(f"# Pumps\n\n{fact}\n", encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    question = "how much water does the intake pump move"
    out = call(installed, "research", question, "--docs", notes, cwd=elsewhere)
    assert "4200 litres" in out
    (session,) = (elsewhere / ".search").glob("20*")
    assert "4200 litres" in (session / "report.md").read_text(encoding="utf-8")
