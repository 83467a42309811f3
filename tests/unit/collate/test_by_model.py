"""Whatever a model writes becomes the report; what it must not do is said."""

from __future__ import annotations

import asyncio

import pytest

from intelli.collate.by_model import ModelCollator
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


def collate(world: World, *says: Say, sources: tuple[Source, ...] = SOURCES) -> Report:
    async def ask() -> Report:
        settings = load(environ={"INTELLI_MODEL__ATTEMPTS": "1", **world.env()})
        async with Network(allow_private=True, max_bytes=1_000_000) as network:
            models = Models(settings, network, Ledger(), lambda _: None)
            query = Query(text="How much?", focus="litres")
            return await ModelCollator(models).collate(query, sources, "an answer nobody checked")

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


FORM = (
    "## Summary\n\nIt moves 12 litres [1].\n\n## Conflicts\n\nNone.\n\n## Source assessment\n\n- x"
)


@pytest.mark.parametrize("at", [30, 41, 45, 60, 75])
def test_a_report_that_breaks_off_is_gone_on_with(world: World, at: int) -> None:
    cut = Say(text=FORM[:at].rstrip(), finish_reason="length")
    report = collate(world, cut, Say(text=FORM[at:].strip()))
    assert report.summary == "It moves 12 litres [1]."
    assert report.warnings == ()
    first, second = world.model.asked("collate")
    assert FORM[:at].rstrip() in second.user and "Source [1]" in second.user
    assert second.body["max_tokens"] == 2 * first.body["max_tokens"]  # type: ignore[operator]


def test_what_a_continuation_repeats_stands_there_once(world: World) -> None:
    cut = Say(text=FORM[:40], finish_reason="length")
    assert collate(world, cut, Say(text=FORM[15:])).summary == "It moves 12 litres [1]."


def test_a_report_that_is_begun_anew_takes_the_place_of_the_first(world: World) -> None:
    cut = Say(text="## Summary\n\nIt moves some", finish_reason="length")
    assert collate(world, cut, Say(text=FORM)).summary == "It moves 12 litres [1]."


@pytest.mark.parametrize(
    "second", [refuse(500, "away"), Say(text=""), Say(text="", finish_reason="length")]
)
def test_what_there_is_of_a_report_is_kept_when_the_rest_cannot_be_had(
    world: World, second: Say
) -> None:
    report = collate(world, Say(text=FORM[:40], finish_reason="length"), second)
    assert report.summary == FORM[12:40].strip()
    assert any("max_tokens" in warning for warning in report.warnings)


def test_an_empty_report_is_asked_for_once_more(world: World) -> None:
    assert collate(world, Say(text=""), Say(text=FORM)).summary == "It moves 12 litres [1]."
    assert len(world.model.asked("collate")) == 2


@pytest.mark.parametrize(
    "text",
    [
        f"<think>hm\n\n## Summary\n\nno</think>\n{FORM}",
        f"Reasoning: they agree.\n\n{FORM}",
        f"the user wants\n</think>\n\n{FORM}",
        f"```markdown\n{FORM}\n```",
        FORM.replace("## Summary", "**Summary**").replace("## Conflicts", "**Conflicts:**"),
        FORM.replace("## Summary", "## 1. Summary").replace("## Conf", "# Conf"),
        FORM.replace("## Summary", "### **Summary**:"),
    ],
)
def test_a_report_in_another_wrapping_is_the_same_report(world: World, text: str) -> None:
    report = collate(world, Say(text=text))
    assert (report.summary, report.warnings) == ("It moves 12 litres [1].", ())
    assert report.assessment == "- x"


def test_a_comment_in_code_and_a_heading_of_the_third_level_end_no_section(world: World) -> None:
    code = (
        "```sh\n# Conflicts are shown by\npump --conflicts\n```\n\n### Conflicts of ports\n\nMore."
    )
    report = collate(world, Say(text=FORM.replace("It moves", f"{code}\n\nIt moves")))
    assert report.summary == f"{code}\n\nIt moves 12 litres [1]."
    assert report.conflicts == ()


def test_a_code_block_left_open_ends_before_the_next_section(world: World) -> None:
    text = "## Summary\n\nRun it [1]:\n\n```sh\npump\n\n## Conflicts\n\n- **x**: [1] a 1; [3] a 2\n"
    report = collate(world, Say(text=text))
    assert report.summary == "Run it [1]:\n\n```sh\npump\n```"
    assert [conflict.topic for conflict in report.conflicts] == ["x"]


@pytest.mark.parametrize("name", ["Sources", "Warnings", "Verification"])
def test_a_heading_of_our_own_in_a_summary_is_lowered(world: World, name: str) -> None:
    report = collate(world, Say(text=f"## Summary\n\nTwelve [1].\n\n## {name}\n\n## Note\n\nMore."))
    assert report.summary == f"Twelve [1].\n\n### {name}\n\n## Note\n\nMore."


def test_what_nobody_can_see_is_taken_out(world: World) -> None:
    report = collate(world, Say(text="## Summary\r\n\r\nIt \x1b[31mmoves\u202e\u200b [1].\r\n"))
    assert report.summary == "It [31mmoves [1]."


def test_a_refusal_for_size_cuts_the_sources_and_not_the_question(world: World) -> None:
    big = (source(1, "The pump moves 12 litres.\n\n" * 400), source(3, "x" * 9000))
    report = collate(world, refuse(413, "too large"), Say(text=FORM), sources=big)
    assert report.summary == "It moves 12 litres [1]."
    assert "How much?" in world.model.asked("collate")[1].user
