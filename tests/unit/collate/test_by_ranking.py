"""The embedded collator quotes what answers the question over all sources, each with its marks."""

from __future__ import annotations

import asyncio
import re

import pytest

from intelli.collate.by_ranking import RankingCollator
from intelli.collate.verify import verify
from intelli.errors import CollationFailed
from intelli.records import Extract, Link, Page, Query, Report, Source, SourceType

LEASE = (
    "A lease gives one worker the exclusive right to run a job. It expires after 30 seconds unless"
    " the worker renews it in time."
)
CODE = '```python\nasync with queue.lease("mail") as job:\n    results[3] = await job.run()\n```'
TABLE = "| Setting | Default |\n| --- | --- |\n| `timeout` | 30 s |\n| `batch` | 1 |"
ROSES = "Roses want water twice a week, and more often when the wind is dry and the sun is high."


def source(
    n: int,
    text: str,
    kind: SourceType = "official-docs",
    *,
    title: str = "Guide to leases",
    published: str = "",
) -> Source:
    url = f"https://s{n}.example.com/"
    page = Page(link=Link(url=url), final_url=url, text=text, title=title)
    extract = Extract(page=page, text=text, source_type=kind, currency=published)
    return Source(n=n, link=page.link, status="ok", page=page, extract=extract)


def collate(question: str, *sources: Source, focus: str = "") -> Report:
    query = Query(text=question, focus=focus)
    return asyncio.run(RankingCollator().collate(query, sources, "an answer that is no source"))


def stored(*sources: Source) -> dict[int, str]:
    return {
        each.n: f"# {each.page.title}\n\n> Source: {each.page.final_url}\n\n---\n\n{each.page.text}"
        for each in sources
        if each.page
    }


def test_the_answer_comes_first_with_its_mark() -> None:
    summary = collate(
        "When does a lease expire?",
        source(1, ROSES, title="Roses"),
        source(2, f"{ROSES}\n\n{LEASE}"),
    ).summary
    assert summary.startswith(LEASE)
    assert summary[len(LEASE) :].startswith(" [2]")


def test_the_answer_of_a_search_backend_is_not_used() -> None:
    assert "no source" not in collate("answer that is no source", source(1, LEASE)).summary


def test_near_duplicates_appear_once_and_cite_all() -> None:
    copy = LEASE.replace("It expires", "It  expires")
    summary = collate(
        "When does a lease expire?",
        source(1, copy, "blog"),
        source(2, LEASE),
        source(3, f"{ROSES}\n\n{LEASE}", "forum"),
    ).summary
    assert summary.count("exclusive right") == 1
    assert f"{LEASE} [1][2][3]" in summary


def test_of_near_duplicates_the_wording_of_the_highest_authority_is_kept() -> None:
    longer = LEASE.replace("in time.", "in good time.")
    for kinds in (("forum", "official-docs"), ("official-docs", "forum")):
        first, second = source(1, LEASE, kinds[0]), source(2, longer, kinds[1])
        summary = collate("When does a lease expire?", first, second).summary
        official = LEASE if kinds[0] == "official-docs" else longer
        assert summary == f"{official} [1][2]"


@pytest.mark.parametrize(
    "changed",
    [
        LEASE.replace("30 seconds", "60 seconds"),
        LEASE.replace("It expires", "It never expires"),
        LEASE.replace("one worker", "one Celery worker"),
    ],
)
def test_a_different_figure_name_or_negation_is_another_statement(changed: str) -> None:
    summary = collate("When does a lease expire?", source(1, LEASE), source(2, changed)).summary
    assert f"{LEASE} [1]" in summary
    assert f"{changed} [2]" in summary


def test_equally_relevant_passages_are_ordered_by_authority() -> None:
    said = {
        "forum": "A lease expires when the clock of the server says so, I was told.",
        "blog": "A lease expires once its owner has been silent for the whole timeout.",
        "official-docs": "A lease expires at the moment agreed upon when it was handed out.",
    }
    kinds: tuple[SourceType, ...] = ("forum", "blog", "official-docs")
    sources = [source(n, said[kind], kind) for n, kind in enumerate(kinds, start=1)]
    summary = collate("lease expires", *sources).summary
    places = [summary.index(said[kind]) for kind in reversed(kinds)]
    assert places == sorted(places)


@pytest.mark.parametrize("block", [CODE, TABLE])
def test_blocks_are_whole_and_follow_the_sentence_that_announces_them(block: str) -> None:
    text = f"Set the lease of a queue like this:\n\n{block}\n\n{ROSES}"
    assert (
        f"Set the lease of a queue like this: [1]\n\n{block}"
        in collate("How do I set the lease of a queue?", source(1, text)).summary
    )


@pytest.mark.parametrize("block", [CODE, TABLE])
def test_a_bare_block_gets_a_line_with_its_heading_and_marks(block: str) -> None:
    summary = collate(
        "timeout batch mail queue lease", source(4, f"## Lease timeout\n\n{block}")
    ).summary
    assert summary == f"**Lease timeout**: [4]\n\n{block}"


def test_numbers_in_a_title_are_not_taken_for_marks() -> None:
    titled = source(4, CODE, title="Queues [12] by *hand*")
    assert collate("mail queue lease", titled).summary == f"**Queues by hand**: [4]\n\n{CODE}"


def test_every_item_of_a_list_bears_the_mark() -> None:
    text = "The lease takes:\n\n- `timeout`: seconds\n  until it ends\n- `name`:\n\n  the queue\n"
    assert collate("lease timeout", source(1, text)).summary == (
        "The lease takes: [1]\n\n- `timeout`: seconds until it ends [1]\n- `name`: the queue [1]"
    )


def test_an_introduction_with_nothing_after_it_is_left_out() -> None:
    summary = collate("lease", source(1, f"{LEASE}\n\nThe lease settings are as follows:")).summary
    assert "as follows" not in summary


@pytest.mark.parametrize(
    ("quoted", "shown"),
    [
        ("A lease ends after a while.[3] It is renewed [12, 13] by the worker.",
         "A lease ends after a while. It is renewed by the worker."),
        ("As shown in [3], a lease ends after a while.",
         r"As shown in \[3\], a lease ends after a while."),
        ("A lease sets job.args[2] and `argv[1]` for the worker.",
         r"A lease sets job.args\[2\] and `argv[1]` for the worker."),
        ("A lease[^note] ends after a while [[4]](#cite).",
         "A lease ends after a while."),
    ],
)  # fmt: skip
def test_brackets_of_the_source_are_never_taken_for_marks(quoted: str, shown: str) -> None:
    assert collate("lease", source(1, quoted)).summary == f"{shown} [1]"


def test_links_become_their_labels_and_images_and_tags_go() -> None:
    text = (
        'A [lease](https://example.com/a_(b) "t") <b>ends</b> after ![clock](c.png)30 seconds,'
        " see <https://example.com/x>."
        "<!-- not for\nreaders -->"
    )
    assert collate("lease", source(1, text)).summary == (
        "A lease ends after 30 seconds, see https://example.com/x. [1]"
    )


def test_a_quoted_block_is_set_out_as_text() -> None:
    quoted = CODE.replace("\n", "\n> ")
    text = f"> [!NOTE]\n> A lease can be renewed like this:\n>\n> {quoted}"
    assert collate("renew a lease", source(1, text)).summary == (
        f"A lease can be renewed like this: [1]\n\n{CODE}"
    )


def test_a_cut_sentence_is_made_whole_from_the_page() -> None:
    page_text = f"{ROSES} {LEASE}"
    whole = source(1, page_text)
    assert whole.page and whole.extract
    cut = Extract(page=whole.page, text=LEASE[LEASE.index("exclusive") : -10])
    summary = collate("exclusive right", Source(n=1, link=whole.link, status="ok", page=whole.page,
                                                extract=cut)).summary  # fmt: skip
    assert summary == f"{LEASE} [1]"


def test_a_quotation_never_grows_into_the_block_beside_it() -> None:
    page_text = f"> A lease may be renewed as often as the worker likes to\n>\n> {CODE}"
    kept = "A lease may be renewed as often as the worker likes to"
    whole = source(1, page_text)
    assert whole.page
    cut = Extract(page=whole.page, text=kept)
    summary = collate("renew lease", Source(n=1, link=whole.link, status="ok", page=whole.page,
                                            extract=cut)).summary  # fmt: skip
    assert summary == f"{kept} [1]"


def test_a_paragraph_is_shown_once_though_longer_passages_repeat_it() -> None:
    again = f"{LEASE}\n\nA lease that expires puts its job back at the head of the queue."
    summary = collate("lease expires", source(1, f"## A\n\n{LEASE}\n\n## B\n\n{again}")).summary
    assert summary.count("exclusive right") == 1
    assert "head of the queue" in summary


def test_a_sentence_that_leans_on_the_one_before_brings_it_along() -> None:
    page_text = f"{ROSES} A lease has an owner. It expires when the owner has been silent for long."
    whole = source(1, page_text)
    assert whole.page
    cut = Extract(page=whole.page, text="It expires when the owner has been silent for long.")
    summary = collate("expires silent", Source(n=1, link=whole.link, status="ok", page=whole.page,
                                               extract=cut)).summary  # fmt: skip
    assert summary.startswith("A lease has an owner. It expires")


def sections(*names: str) -> str:
    return "\n\n".join(
        f"## {name}\n\nA lease has {name.lower()} of its own, and the manual has this to say:"
        f" {' '.join(f'The {name.lower()} of a lease matter in case {n}.' for n in range(9))}"
        for name in names
    )


def test_a_long_report_has_headings_each_with_text_under_it() -> None:
    summary = collate("lease", source(1, sections("Owners", "Clocks", "Limits", "Errors"))).summary
    assert not summary.startswith("#")
    parts = summary.split("\n\n")
    headings = [n for n, part in enumerate(parts) if part.startswith("#")]
    assert headings
    for n in headings:
        assert parts[n].startswith("### ")
        assert not parts[n + 1].startswith("#")
    assert len(set(parts)) == len(parts)


def test_a_heading_that_says_nothing_by_itself_gets_what_it_is_about() -> None:
    text = f"# Queues\n\n{sections('Clocks')}\n\n# Leases\n\n{sections('Parameters')}"
    summary = collate("lease", source(1, text), source(2, sections("Owners"))).summary
    assert "### Leases: Parameters" in summary or "Parameters\n" not in summary


def test_the_length_stays_within_bounds_however_much_there_is() -> None:
    many = [source(n, sections(f"Part{n}a", f"Part{n}b", f"Part{n}c")) for n in range(1, 13)]
    assert 3_000 <= len(collate("lease matter case manual", *many).summary) <= 5_500


def test_what_hardly_touches_the_question_is_left_out() -> None:
    text = "\n\n".join(
        f"## Lease {n}\n\n{LEASE.replace('30', str(n))} {' '.join([f'Lease {n} expires.'] * 20)}"
        for n in range(5)
    )
    summary = collate(
        "When does a lease expire?", source(1, text), source(2, f"{ROSES} One lease.")
    )
    assert "Roses" not in summary.summary


def test_the_focus_decides_what_opens_the_report() -> None:
    price = "A seat costs nine euros a month for every member of the team that uses it."
    sources = (source(1, f"## Leases\n\n{LEASE}"), source(2, f"## Prices\n\n{price}"))
    assert collate("lease", *sources, focus="What does a seat cost?").summary.startswith(price)


def test_the_assessment_has_a_line_for_every_source() -> None:
    assessment = collate(
        "When does a lease expire?",
        source(1, LEASE, title="Leases", published="2024-05-01"),
        source(2, ROSES, "blog", title="Roses"),
    ).assessment.splitlines()
    assert assessment[0] == "- [1] Leases — official-docs, 2024-05-01: 1 passage used"
    assert assessment[1].startswith("- [2] Roses — blog: ")
    assert len(assessment) == 2


def test_every_claim_of_the_report_stands_in_the_source_it_cites() -> None:
    sources = (
        source(1, f"## Use\n\nOpen it like this:\n\n{CODE}\n\n- `timeout`: 30 s\n- `batch`: 1\n"),
        source(2, f"{LEASE}[7]\n\n{ROSES}", "blog"),
        source(3, "Since version 2.4 of 2024-05-01 a lease may last 900 s.", "forum"),
    )
    report = collate("How long may a lease last, when does it expire, how do I open it?", *sources)
    claims = verify(report.summary, stored(*sources))
    assert len(claims) >= 5
    assert {claim.status for claim in claims} <= {"verified", "prose"}


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("租约多久过期？", "租约在三十秒之后过期，除非工作者及时续约，否则任务会回到队列之中。"),
        ("Когда истекает аренда?", "Аренда истекает через тридцать секунд, если её не продлить."),
        ("متى ينتهي عقد الإيجار؟", "ينتهي عقد الإيجار بعد ثلاثين ثانية إلا إذا جدده العامل."),
        ("???", LEASE),
        ("what is it", LEASE),
        ("x" * 10_000, LEASE),
    ],
)  # fmt: skip
def test_any_question_gets_a_report(question: str, text: str) -> None:
    assert collate(question, source(1, text)).summary == f"{text} [1]"


@pytest.mark.parametrize("text", ["Paris", "巴黎", "Paris, France", "Yes."])
def test_a_scrap_is_quoted_where_there_is_nothing_better(text: str) -> None:
    assert collate("capital of France", source(1, text)).summary == f"{text} [1]"


def test_labels_and_buttons_are_not_quoted_beside_real_text() -> None:
    text = f"Lease guide\n\n{LEASE}\n\nNext: Queues\n\nCopy lease"
    summary = collate("lease", source(1, text)).summary
    assert "Lease guide" not in summary
    assert "Copy lease" not in summary


def test_an_introduction_is_not_attached_to_a_block_of_another_section() -> None:
    text = f"{LEASE}\n\nThe lease has options:\n\n## Code of lease\n\n{CODE}"
    assert "options" not in collate("lease code", source(1, text)).summary


def test_the_same_sources_give_the_same_report() -> None:
    sources = [source(n, sections("Owners", "Clocks")) for n in range(1, 4)]
    assert collate("lease", *sources) == collate("lease", *sources)


def test_the_gap_marks_of_an_extract_do_not_reach_the_report() -> None:
    summary = collate(
        "lease expires", source(1, f"…\n\n{LEASE}\n\n…\n\nA lease expires at noon.")
    ).summary
    assert not re.search(r"^…", summary, re.MULTILINE)


@pytest.mark.parametrize("sources", [(), (source(1, "## Only a heading"),)])
def test_nothing_to_quote_fails_the_collation(sources: tuple[Source, ...]) -> None:
    with pytest.raises(CollationFailed) as failure:
        collate("lease", *sources)
    assert failure.value.hint
