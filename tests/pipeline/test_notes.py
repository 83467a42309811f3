"""What a model copies from a page is held against it before anything is built on it."""

from __future__ import annotations

from tests.pipeline.kit import Q, fact, pump
from tests.world import Say, World

NOTES = (
    "Source type: blog · of 2031\n\n{}\n\nStart it with `--rate-7`.\n\n```sh\nrm -rf /tmp/pump\n```"
)


def test_what_was_copied_wrongly_is_said_by_v_and_as_an_event(world: World) -> None:
    pump(world, 1)
    world.model.say("extract", Say(text=NOTES.format(fact(1))))
    place = world.place()
    run = place.run("research", Q, "-v")
    assert run.code == 0, run.stderr
    assert "held against the page" in run.stderr
    assert "`--rate-7` -> `--rate-1`" in run.stderr
    assert "not on the page: rm -rf /tmp/pump" in run.stderr
    quiet = world.place().run("research", Q)
    assert "held against" not in quiet.stderr
    events = world.place().run("research", Q, "--events").events
    (event,) = [event for event in events if event["event"] == "notes_checked"]
    assert event["repaired"] == ["`--rate-7` -> `--rate-1`"]
    assert event["dropped"] == ["rm -rf /tmp/pump"]


def test_what_is_stored_and_passed_on_is_what_the_page_says(world: World) -> None:
    pump(world, 1)
    world.model.say("extract", Say(text=NOTES.format(fact(1))))
    place = world.place()
    assert place.run("research", Q, "--json").code == 0
    (shown,) = world.model.asked("collate")
    kept = place.run("read", "latest:1", "--extraction").stdout
    for text in (shown.user, kept):
        assert "--rate-1" in text and "--rate-7" not in text and "rm -rf" not in text
        assert "2031" not in text
