"""Pages with one text are paid for once, and the report says that they are one witness."""

from __future__ import annotations

import pytest

from tests.pipeline.kit import Q, asks, fact, statuses
from tests.pipeline.test_streaming import MANUAL
from tests.world import Place, Run, Say, World
from tests.world.pages import Page, article, plain

STEPS = [
    f"{line} This was tested on {n + 3} pumps of {n + 40} kg." for n, line in enumerate(MANUAL)
]
TEXT = [fact(1), *STEPS]


def serve(world: World, name: str, paragraphs: list[str], **behaviour: object) -> str:
    page = article("The pump", paragraphs, **behaviour)  # type: ignore[arg-type]
    return world.serve(f"/{name}", page, title=name, facts=[fact(1)])


def framed(paragraphs: list[str]) -> list[str]:
    return ["This copy is kept by friends of old machines in many towns.", *paragraphs]


def warned(run: Run) -> list[str]:
    return [warning for warning in run.json["warnings"] if "1 origin" in warning]


@pytest.mark.parametrize("delays", [(0.0, 0.0), (0.3, 0.0), (0.0, 0.3)])
def test_a_mirror_is_not_paid_for_whichever_comes_first(
    world: World, delays: tuple[float, float]
) -> None:
    serve(world, "manual", TEXT, delay=delays[0])
    serve(world, "mirror", framed(TEXT), delay=delays[1])
    run = world.place().run("research", Q, "--json")
    assert run.code == 0, run.stderr
    assert sorted(statuses(run.json).values()) == ["duplicate", "ok"]
    assert len(asks(world, "extract")) == 1


def test_a_mirror_names_its_twin_and_another_page_takes_its_place(world: World) -> None:
    serve(world, "manual", TEXT)
    serve(world, "mirror", framed(TEXT), delay=0.3)
    serve(world, "copy", framed(framed(TEXT)), delay=0.3)
    world.serve("/other", plain(fact(2)), title="other", facts=[fact(2)])
    place = world.place()
    run = place.run("research", Q, "--urls", "2", "--json")
    assert statuses(run.json) == {1: "ok", 2: "duplicate", 3: "duplicate", 4: "ok"}
    assert warned(run) == ["sources 1, 2 and 3 have one text: 3 sources, 1 origin"]
    report = place.run("show", "latest").stdout
    assert "nearly the same text as source 1" in report and "3 sources, 1 origin" in report


def test_two_versions_of_a_page_are_both_read(world: World) -> None:
    newer = [line.replace("tested on 5 pumps", "tested on 6 pumps") for line in TEXT]
    assert newer != TEXT
    serve(world, "v1", TEXT)
    serve(world, "v2", newer, delay=0.2)
    run = world.place().run("research", Q, "--json")
    assert statuses(run.json) == {1: "ok", 2: "ok"}
    assert warned(run) == []


def test_a_copy_is_read_when_nothing_could_be_extracted_from_the_first(world: World) -> None:
    serve(world, "manual", TEXT)
    serve(world, "mirror", framed(TEXT), delay=0.5)
    world.model.say("extract", Say(text=""), Say(text=""), world.model.computed("extract"))
    run = world.place().run("research", Q, "--json", INTELLI_MODEL__ATTEMPTS="1")
    assert run.code == 0, run.stderr
    assert statuses(run.json) == {1: "failed", 2: "ok"}


def test_a_resumed_run_knows_the_pages_it_has(world: World) -> None:
    serve(world, "manual", TEXT)
    world.serve("/mirror", Page(status=503), title="mirror")
    world.model.say("collate", Say(text=""))
    place: Place = world.place()
    assert place.run("research", Q, "--json").code == 6
    world.site.add("/mirror", article("The pump", framed(TEXT)))
    world.model.say("collate", world.model.computed("collate"))
    run = place.run("resume", "latest", "--json")
    assert statuses(run.json) == {1: "ok", 2: "duplicate"}
