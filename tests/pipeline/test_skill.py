"""`intelli skill`: the guide for agents names what there is, and never takes a file from anyone."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest

from tests.world import World
from tests.world.place import Place

MOST_WORDS = 330
"""An agent pays for every word of it in each conversation that uses it."""


@pytest.fixture
def place(world: World) -> Place:
    return world.place()


def test_the_guide_names_only_commands_and_options_that_there_are(place: Place) -> None:
    text = place.run("skill").stdout
    commands = set(re.findall(r"`intelli (\w+)", text))
    assert {"research", "fetch", "extract", "read", "check", "related"} <= commands
    for command in commands:
        said = place.run(command, "--help")
        assert said.code == 0, command
        for call in re.findall(rf"`intelli {command}([^`]*)`", text):
            for option in re.findall(r"--[a-z-]+", call):
                assert option in said.stdout, f"{command} {option}"


def test_the_guide_is_short_and_has_the_head_that_agents_read(place: Place) -> None:
    text = place.run("skill").stdout
    assert re.match(r"---\nname: intelli\ndescription: \S[^\n]{40,1000}\n---\n", text)
    assert len(text.split()) <= MOST_WORDS


@pytest.mark.parametrize(
    ("agent", "folder"), [("claude", ".claude/skills"), ("codex", ".codex/skills")]
)
def test_it_is_installed_where_the_agent_looks(place: Place, agent: str, folder: str) -> None:
    file = place.root / "home" / folder / "intelli" / "SKILL.md"
    assert place.run("skill", "install", "--for", agent).code == 0
    assert file.read_text("utf-8") == place.run("skill").stdout
    again = place.run("skill", "install", "--for", agent)
    assert again.code == 0 and "already there" in again.stdout


def test_a_copy_of_another_version_is_renewed(place: Place) -> None:
    folder = place.project / "skills"
    assert place.run("skill", "install", "--dir", "skills").code == 0
    file = folder / "intelli" / "SKILL.md"
    older = "---\nname: intelli\n---\nOlder words.\n"
    file.write_text(
        f"{older}\n<!-- intelli {sha256(older.encode()).hexdigest()[:16]} -->\n", "utf-8"
    )
    assert "renewed" in place.run("skill", "install", "--dir", "skills").stdout
    assert "Older words" not in file.read_text("utf-8")


@pytest.mark.parametrize("change", ["mine: always ask for Rust\n", "x"])
def test_a_copy_that_someone_changed_is_left_alone(place: Place, change: str) -> None:
    place.run("skill", "install", "--dir", "skills")
    file = place.project / "skills" / "intelli" / "SKILL.md"
    changed = file.read_text("utf-8").replace("# intelli\n", f"# intelli\n{change}")
    file.write_text(changed, "utf-8")
    run = place.run("skill", "install", "--dir", "skills")
    assert run.code == 2 and "changed" in run.stderr and "remove the file" in run.stderr
    assert file.read_text("utf-8") == changed


@pytest.mark.parametrize("options", [(), ("--for", "hal"), ("--for", "pi", "--dir", "x")])
def test_it_has_to_be_said_for_whom(place: Place, options: tuple[str, ...]) -> None:
    run = place.run("skill", "install", *options)
    assert run.code == 2 and "claude" in run.stderr


def test_a_place_that_cannot_be_written_is_named(place: Place) -> None:
    (place.project / "plain").write_text("", "utf-8")
    run = place.run("skill", "install", "--dir", "plain")
    assert run.code == 2 and "plain" in run.stderr
