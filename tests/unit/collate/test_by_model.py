"""Whatever a model writes becomes the report; what it must not do is said."""

from __future__ import annotations

import asyncio

import pytest

from intelli.collate.by_model import ModelCollator, unknown_marks
from intelli.errors import CollationFailed
from intelli.model.client import Models
from intelli.model.ledger import Ledger
from intelli.net.client import Network
from intelli.records import Extract, Link, Page, Query, Report, Source
from intelli.settings import load
from tests.world import Say, World, refuse


def source(n: int, text: str) -> Source:
    link = Link(url=f"https://s{n}.example/page")
    page = Page(link=link, final_url=link.url, text=text, title=f"Page {n}")
    extract = Extract(page=page, text=text, source_type="blog")
    return Source(n=n, link=link, status="ok", page=page, extract=extract)


SOURCES = (source(1, "The pump moves 12 litres."), source(3, "The pump moves 14 litres."))


def collate(world: World, *says: Say) -> Report:
    async def ask() -> Report:
        settings = load(environ={"INTELLI_MODEL__ATTEMPTS": "1", **world.env()})
        async with Network(allow_private=True, max_bytes=1_000_000) as network:
            models = Models(settings, network, Ledger(), lambda _: None)
            query = Query(text="How much?", focus="litres")
            return await ModelCollator(models).collate(query, SOURCES, "an answer nobody checked")

    world.model.say("collate", *says)
    return asyncio.run(ask())


def test_the_three_sections_are_told_apart(world: World) -> None:
    text = (
        "Sure, here it is:\n\n## Summary\n\nIt moves 12 [1] or 14 litres [3].\n\n### More\n\nx\n\n"
        "## Conflicts\n\n- **rate**: [1] 12 litres; [3] 14 litres\n\n"
        "## Source assessment\n\n- [1] dated\n"
    )
    report = collate(world, Say(text=text))
    assert report.summary.startswith("It moves 12 [1]")
    assert "### More" in report.summary
    assert [p.sources for p in report.conflicts[0].positions] == [(1,), (3,)]
    assert report.assessment == "- [1] dated"
    assert report.warnings == ()


@pytest.mark.parametrize("text", ["Twelve litres [1].", "# Report\n\nTwelve.", "[]", "{}"])
def test_text_of_another_form_is_kept_as_it_is(world: World, text: str) -> None:
    report = collate(world, Say(text=text))
    assert report.summary == text
    assert any("form" in warning for warning in report.warnings)


def test_a_report_that_was_cut_off_says_so(world: World) -> None:
    report = collate(world, Say(text="## Summary\n\nTwel", finish_reason="length"))
    assert report.summary == "Twel"
    assert any("max_tokens" in warning for warning in report.warnings)


def test_nothing_is_a_failure_that_names_the_setting(world: World) -> None:
    with pytest.raises(CollationFailed) as caught:
        collate(world, Say(text="", finish_reason="length"))
    assert "models.collate.max_tokens" in caught.value.hint


def test_a_refusal_is_a_failed_collation(world: World) -> None:
    with pytest.raises(CollationFailed, match="no such model"):
        collate(world, refuse(404, "no such model"))


def test_the_model_sees_every_source_by_its_number_and_no_search_answer(world: World) -> None:
    collate(world, Say(text="## Summary\n\nx"))
    prompt = world.model.asked("collate")[0].user
    assert "Source [1]" in prompt
    assert "Source [3]" in prompt
    assert "Focus: litres" in prompt
    assert "nobody checked" not in prompt


def test_marks_without_a_source_are_found() -> None:
    assert unknown_marks("a [1] b [9][2] c `x[7]`", SOURCES) == (2, 9)
