"""The whole documentation of a site, kept beside the sources of a run."""

from __future__ import annotations

import time

from tests.pipeline.kit import Q, statuses, words
from tests.world import World
from tests.world.pages import MARKDOWN, Page, markdown

WHOLE = "# Pumps\n\n" + "\n\n".join(f"## Part {n}\n\n{words(n)[0]}" for n in range(40))


def documentation(world: World, *, fault: str = "") -> None:
    page = Page(body=markdown("Pump 1", words(1)).encode(), content_type=MARKDOWN)
    world.serve("/docs/p1", page, title="Pump 1", facts=words(1))
    whole = Page(body=WHOLE.encode(), content_type="text/plain", fault=fault)  # type: ignore[arg-type]
    world.site.add("/docs/llms-full.txt", whole)


def test_it_is_stored_once_and_is_no_source(world: World) -> None:
    documentation(world)
    place = world.place()
    for _ in range(2):
        run = place.run("research", Q, "--json")
        assert run.code == 0, run.stderr
        assert statuses(run.json) == {1: "ok"}
        (stored,) = (place.sessions()[-1] / "sources").glob("llms-full-*.md")
        assert stored.read_text(encoding="utf-8") == WHOLE
    assert world.site.server.log.paths().count("/docs/llms-full.txt") == 1


def test_a_host_that_never_answers_holds_nothing_back(world: World) -> None:
    documentation(world, fault="hang")
    started = time.monotonic()
    run = world.place().run("research", Q, "--json")
    assert run.code == 0, run.stderr
    assert time.monotonic() - started < 10  # it would be asked for ten seconds


def test_it_can_be_turned_off(world: World) -> None:
    documentation(world)
    place = world.place()
    assert place.run("research", Q, "--json", INTELLI_FETCH__LLMS_FULL="false").code == 0
    assert "/docs/llms-full.txt" not in world.site.server.log.paths()
