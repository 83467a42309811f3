"""The embedded collator quotes what answers the question over all sources, each with its marks."""

from __future__ import annotations

import pytest

from intelli.records import Extract, Source, SourceType
from tests.unit.collate.ranked import CODE, LEASE, ROSES, TABLE, collate, source


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
    assert summary == f"From *Lease timeout*: [4]\n\n{block}"


def test_numbers_in_a_title_are_not_taken_for_marks() -> None:
    titled = source(4, CODE, title="Queues [12] by *hand*")
    assert collate("mail queue lease", titled).summary == f"From *Queues by hand*: [4]\n\n{CODE}"


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
