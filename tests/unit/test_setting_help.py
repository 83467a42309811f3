"""Every setting has a meaning, and the file to fill in sets nothing until it is filled in."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from intelli.setting_help import MEANING, general, template
from intelli.setting_table import TABLE
from intelli.settings import load

KEY = re.compile(r"^# ([a-z_]+ = .*)$", re.M)


def test_every_setting_has_a_meaning_and_every_meaning_a_setting() -> None:
    assert {general(key) for key in TABLE} == set(MEANING)


@pytest.mark.parametrize("project", [False, True])
def test_the_file_to_fill_in_changes_nothing(tmp_path: Path, project: bool) -> None:
    file = tmp_path / ("intelli.toml" if project else "config.toml")
    file.write_text(template(project=project), encoding="utf-8")
    environ = {} if project else {"INTELLI_CONFIG": str(file)}
    settings = load(environ=environ, cwd=tmp_path)
    assert set(settings.origins.values()) == {"default"}


def test_every_line_of_it_can_be_taken_into_use(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(KEY.sub(r"\1", template(project=False)), encoding="utf-8")
    settings = load(environ={"INTELLI_CONFIG": str(file)}, cwd=tmp_path)
    assert set(settings.origins.values()) == {str(file)}
    changed = {
        key
        for key, setting in TABLE.items()
        if setting.default is not None and settings.values[key] != setting.default
    }
    assert changed == set()


def test_a_project_s_file_offers_nothing_that_needs_trust(tmp_path: Path) -> None:
    file = tmp_path / "intelli.toml"
    file.write_text(KEY.sub(r"\1", template(project=True)), encoding="utf-8")
    assert tomllib.loads(file.read_text(encoding="utf-8"))["fetch"]["timeout"] == 20
    load(environ={}, cwd=tmp_path)  # raises where a key is guarded


def test_the_reference_says_the_same() -> None:
    page = Path(__file__).parents[2] / "docs" / "settings.md"
    rows = re.findall(r"^\| `([\w.-]+)` \| .*? \| (.*?) \|$", page.read_text("utf-8"), re.M)
    assert {key: said for key, said in rows if key in MEANING} == MEANING
