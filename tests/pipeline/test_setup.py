"""`intelli config init` and `intelli doctor`: the first minutes."""

from __future__ import annotations

import stat

from tests.pipeline.kit import failed
from tests.world import World


def test_config_init_writes_a_file_for_the_user_alone(world: World) -> None:
    place = world.place()
    file = place.root / "settings" / "config.toml"
    run = place.run("config", "init", INTELLI_CONFIG=str(file))
    assert run.code == 0 and str(file) in run.stdout
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "# concurrency = 8" in file.read_text(encoding="utf-8")
    assert place.run("config", INTELLI_CONFIG=str(file)).code == 0


def test_config_init_leaves_a_file_that_is_there_as_it_is(world: World) -> None:
    place = world.place()
    file = place.project / "intelli.toml"
    file.write_text("urls = 3\n", encoding="utf-8")
    error = failed(place.run("config", "init", "--project", "--json"), 2, "usage")["error"]
    assert "intelli.toml" in error["message"]
    assert file.read_text(encoding="utf-8") == "urls = 3\n"


def test_config_init_says_where_it_cannot_write(world: World) -> None:
    place = world.place()
    (place.root / "plain").write_text("", encoding="utf-8")
    file = place.root / "plain" / "config.toml"
    error = failed(place.run("config", "init", "--json", INTELLI_CONFIG=str(file)), 2, "usage")
    assert "plain" in error["error"]["message"]


def test_doctor_says_what_works_without_anything_and_what_a_key_adds(world: World) -> None:
    place = world.place(model=False)
    checks = {check["name"]: check for check in place.run("doctor", "--json").json["checks"]}
    assert checks["engine"]["group"] == "works" and "no key" in checks["engine"]["message"]
    assert checks["BRAVE_API_KEY"]["group"] == "adds"
    assert not [check for check in checks.values() if check["group"] == "problem"]


def test_doctor_names_a_stopped_run_and_how_to_finish_it(world: World) -> None:
    place = world.place()
    folder = place.project / ".search" / "2026-01-02-a-pump-0a1b2c"
    (folder / "sources").mkdir(parents=True)
    (folder / "meta.json").write_text('{"query": "a pump", "outcome": "stopped"}', "utf-8")
    run = place.run("doctor")
    assert run.code == 0
    assert "! sessions" in run.stdout and f"intelli resume {folder.name}" in run.stdout


def test_doctor_names_what_cannot_be_written(world: World) -> None:
    place = world.place()
    (place.project / "plain").write_text("", encoding="utf-8")
    run = place.run("doctor", "--json", INTELLI_CACHE_DIR="plain/sessions")
    (check,) = [check for check in run.json["checks"] if not check["ok"]]
    assert check["name"] == "sessions" and "plain" in check["message"] and check["hint"]


def test_doctor_keeps_one_thing_on_one_line_in_a_pipe(world: World) -> None:
    lines = world.place().run("doctor").stdout.splitlines()
    assert all(
        line.startswith(("Works", "Would", "Needs", "  ", "! ")) or not line for line in lines
    )


def test_the_first_run_without_a_key_says_what_it_uses_instead(world: World) -> None:
    world.article("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])
    place = world.place(model=False)
    first, second = (place.run("research", f"how fast is the pump P1 {n}") for n in "ab")
    assert first.stderr.count("no key is set") == 1 and "intelli doctor" in first.stderr
    assert "no key is set" not in second.stderr
    assert "no key" not in world.place(model=False).run("research", "pump P1", "--json").stderr
    assert "no key" not in world.place().run("research", "how fast is the pump P1").stderr
