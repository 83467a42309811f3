"""`intelli schema`: every document that the tests of commands look at is held against it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from intelli.cli.commands import COMMANDS
from intelli.show.schema import EVENTS, NAMES, schema_of
from tests.world import World
from tests.world.place import validator

WITHOUT_JSON = {"schema", "skill", "mcp"}
"""What they print is one already, or speaks a protocol of its own."""


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_one(world: World, name: str) -> None:
    run = world.place().run("schema", name)
    assert run.code == 0
    schema = json.loads(run.stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema == schema_of(name)


def test_every_command_with_a_document_has_one() -> None:
    assert set(COMMANDS) - WITHOUT_JSON == {name.partition(" ")[0] for name in NAMES} - {EVENTS}


def test_without_a_name_all_of_them_are_printed(world: World) -> None:
    assert set(json.loads(world.place().run("schema").stdout)) == set(NAMES)


def test_an_unknown_name_is_refused_with_the_known(world: World) -> None:
    run = world.place().run("schema", "reserch")
    assert run.code == 2 and "research" in run.stderr


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"extra": 1},
        {"sources": [{"n": "1"}]},
        {"error": {"code": "x"}},
        {"usage": None},
        {"claims": [{"text": "x", "sources": [], "status": "good", "missing": [], "evidence": []}]},
    ],
)
def test_a_document_that_is_not_as_promised_is_refused(
    world: World, change: dict[str, object]
) -> None:
    world.article("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])
    document = world.place().run("research", "how fast is the pump P1", "--json").json
    with pytest.raises(jsonschema.ValidationError):
        validator("research").validate({**document, **change})
