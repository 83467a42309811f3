"""The embedded extractor keeps what answers the question, word for word, within its budget."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intelli.extract.by_ranking import BUDGET, RankingExtractor
from intelli.records import Extract, Link, Page, Query

FILLER = [
    "The harbour opens at dawn and the ferries leave in the order in which they arrived.",
    "A gardener waters the roses twice a week, and more often when the wind is dry.",
    "Most visitors take the upper path, since the lower one floods after heavy rain.",
    "The bakery on the corner sells rye bread until noon and closes when it is gone.",
]
CODE = """```python
queue = Queue(capacity=64)

async with queue.lease(timeout=30) as job:
    await job.run()
```"""
TABLE = """| Plan | Jobs a day | Price |
| --- | --- | --- |
| Free | 1,000 | 0 |
| Team | 250,000 | 49 |"""


def page(text: str, title: str = "Manual", url: str = "https://docs.example.com/q") -> Page:
    return Page(link=Link(url=url), final_url=url, text=text, title=title)


def extract(text: str, question: str, focus: str = "", title: str = "Manual") -> Extract:
    query = Query(text=question, focus=focus)
    return asyncio.run(RankingExtractor().extract(page(text, title), query))


def filler(paragraphs: int) -> str:
    return "\n\n".join(" ".join([FILLER[n % 4]] * 4) for n in range(paragraphs))


def long_page(middle: str) -> str:
    return f"# Start\n\n{filler(20)}\n\n## Leases\n\n{middle}\n\n## End\n\n{filler(20)}"


def test_the_answer_is_found_in_a_long_page() -> None:
    answer = "A lease expires after thirty seconds unless the worker renews it."
    kept = extract(long_page(answer), "When does a lease expire?")
    assert answer in kept.text
    assert len(kept.text) <= BUDGET


def test_the_heading_of_a_kept_passage_stands_above_it() -> None:
    kept = extract(long_page("It expires after thirty seconds."), "lease expires").text
    assert kept.index("Leases") < kept.index("It expires after thirty seconds.")
    assert "## End" not in kept.split("It expires")[0]


@pytest.mark.parametrize("block", [CODE, TABLE])
def test_a_block_is_kept_whole_with_the_sentence_that_announces_it(block: str) -> None:
    text = long_page(f"This is how jobs are leased from the queue each day:\n\n{block}")
    kept = extract(text, "How are jobs leased from a queue?").text
    assert f"leased from the queue each day:\n\n{block}" in kept


def test_a_block_without_a_word_of_the_question_comes_with_its_introduction() -> None:
    block = "```sh\nmake -j4 all\n```"
    kept = extract(long_page(f"To compile the lease daemon, type:\n\n{block}"), "compile daemon")
    assert block in kept.text


def test_what_is_kept_is_the_page_word_for_word_and_spans_say_where() -> None:
    text = long_page(f"A lease expires by itself.\n\n{CODE}\n\nRenew it in time.")
    kept = extract(text, "lease renew")
    assert kept.spans
    assert list(kept.spans) == sorted(kept.spans)
    for start, end in kept.spans:
        assert text[start:end].strip()
        for line in text[start:end].splitlines():
            assert line in kept.text


def test_what_was_left_out_is_marked() -> None:
    kept = extract(long_page("A lease expires by itself."), "lease")
    assert re.search(r"^…$", kept.text, re.MULTILINE)


def test_a_short_page_that_matches_is_kept_whole_but_for_its_furniture() -> None:
    text = (
        "[Home](/) [Docs](/docs) [Blog](/blog) [About](/about)\n\n"
        "# Leases\n\nA lease is a promise.\n\nNothing else is said here of roses.\n\n"
        "Was this page helpful?\n\n![logo](logo.png)"
    )
    kept = extract(text, "lease").text
    assert "A lease is a promise." in kept
    assert "Nothing else is said here of roses." in kept
    assert "helpful" not in kept
    assert "Home" not in kept
    assert "logo.png" not in kept


def test_a_page_without_a_word_of_the_question_gives_nothing() -> None:
    kept = extract(filler(30), "lease expiry of queue workers")
    assert kept.text == ""
    assert kept.spans == ()


def test_one_chance_word_of_many_is_no_match_but_a_recurring_one_is() -> None:
    question = "bread queue lease expiry worker"
    assert extract("They sell rye bread.", question).text == ""
    assert extract("Bread. More bread. Bread again.", question).text


def test_ordinary_sentences_that_sound_like_furniture_stay() -> None:
    text = "Sign in to the console, then subscribe to the lease topic."
    assert extract(text, "lease topic").text == text


def test_common_words_alone_do_not_make_a_page_relevant() -> None:
    assert extract("This is what we do when it is there.", "what is the lease").text == ""


def test_the_title_counts_as_part_of_the_page() -> None:
    text = "It is renewed every thirty seconds."
    assert extract(text, "lease", title="Lease").text == text


def test_the_focus_weighs_more_than_the_question() -> None:
    about_queue = " ".join(["The queue holds jobs in the order of their arrival."] * 12)
    about_price = "A seat costs nine euros a month."
    text = "\n\n".join([*[about_queue] * 12, about_price, *[about_queue] * 12])
    kept = extract(text, "How does the queue hold jobs?", focus="What does a seat cost?")
    assert about_price in kept.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("租约多久过期？", "租约在三十秒之后过期，除非工作者续约。"),
        ("Когда истекает аренда?", "Аренда истекает через тридцать секунд."),
        ("متى ينتهي عقد الإيجار؟", "ينتهي عقد الإيجار بعد ثلاثين ثانية."),
        ("Wann läuft eine Warteschlange über?", "Eine Warteschlange läuft nach 64 Aufträgen über."),
    ],
)
def test_questions_in_other_languages(question: str, answer: str) -> None:
    assert answer in extract(long_page(answer), question).text


@pytest.mark.parametrize("question", ["", "?", "?!… --", "   "])
def test_a_question_without_words_gets_the_lead_of_the_page(question: str) -> None:
    kept = extract(long_page("A lease expires."), question).text
    assert FILLER[0] in kept
    assert 0 < len(kept) <= BUDGET


def test_a_question_of_common_words_only_falls_back_to_them() -> None:
    assert extract(long_page("To be or not to be."), "to be or not to be").text


@pytest.mark.parametrize("question", ["a", "x " * 5_000, "lease" * 2_000])
def test_questions_of_odd_length_do_no_harm(question: str) -> None:
    assert len(extract(long_page("A lease expires."), question).text) <= BUDGET


def test_a_cut_code_block_is_whole_markdown_in_each_of_its_pieces() -> None:
    lines = "\n".join(f"    step_{n} = lease.renew({n})" for n in range(400))
    kept = extract(f"# Long\n\n```python\n{lines}\n```\n\n{filler(9)}", "lease renew step").text
    assert len(kept) <= BUDGET
    assert len(re.findall(r"^```", kept, re.MULTILINE)) % 2 == 0
    assert kept.count("```python") >= 2


def test_a_cut_table_keeps_its_head_in_each_of_its_pieces() -> None:
    rows = "\n".join(f"| plan {n} | {n * 10} leases |" for n in range(300))
    kept = extract(
        f"| Plan | Leases |\n| --- | --- |\n{rows}\n\n{filler(9)}", "plan 290 leases"
    ).text
    assert "| plan 290 | 2900 leases |" in kept
    pieces = [part for part in kept.split("\n\n") if part.startswith("|")]
    assert all(piece.startswith("| Plan | Leases |\n| --- | --- |") for piece in pieces)


def test_code_in_a_quoted_block_stays_in_one_piece() -> None:
    quoted = "\n".join(f"> lease.renew({n})" for n in range(60))
    kept = extract(long_page(f"> Renew the lease:\n>\n> ```\n{quoted}\n> ```"), "renew lease").text
    assert "> ```\n> lease.renew(0)" in kept
    assert "> lease.renew(59)\n> ```" in kept


@pytest.mark.parametrize(
    ("text", "published", "expected"),
    [
        ("A lease.", "2024-05-01", "2024-05-01"),
        ("A lease.\n\nLast updated: May 3, 2024", None, "updated May 3, 2024"),
        ("New in version 3.11: a lease.", None, "New in version 3.11"),
        ("A lease.", None, ""),
    ],
)
def test_currency_comes_from_the_page(text: str, published: str | None, expected: str) -> None:
    dated = Page(link=Link(url="u"), final_url="u", text=text, published=published)
    kept = asyncio.run(RankingExtractor().extract(dated, Query(text="lease")))
    assert kept.currency == expected


def test_the_extract_names_its_page_and_the_kind_of_source() -> None:
    given_page = page("A lease.")
    kept = asyncio.run(RankingExtractor().extract(given_page, Query(text="lease")))
    assert kept.page is given_page
    assert kept.source_type == "official-docs"


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(st.sampled_from("ab #`|->[]()!*_\n\t.:。字é"), max_size=600),
    question=st.text(st.sampled_from("ab 字?"), max_size=12),
)
def test_odd_markdown_is_survived_and_quoted_in_order(text: str, question: str) -> None:
    kept = extract(text, question)
    assert len(kept.text) <= BUDGET
    assert list(kept.spans) == sorted(kept.spans)
    assert all(0 <= start < end <= len(text) for start, end in kept.spans)


def test_recall_on_public_questions_does_not_fall() -> None:
    data = Path(__file__).parents[3] / ".." / "shared" / "bench" / "qa"
    if not data.is_dir():
        pytest.skip("the public questions are not here")
    import json

    pages = {
        row["page_id"]: row["text"]
        for row in map(json.loads, (data / "pages.jsonl").read_text("utf-8").splitlines())
    }
    asked = [
        row
        for row in map(json.loads, (data / "questions.jsonl").read_text("utf-8").splitlines())
        if row["qid"].startswith(("xquad-en", "xquad-ru"))
    ][::5]
    hits = [
        any(
            answer in " ".join(kept.text.split())
            for answer in (" ".join(each.split()) for each in row["answers"])
        )
        for row in asked
        for kept in [extract(pages[row["page_id"]], row["question"])]
    ]
    assert sum(hits) / len(hits) >= 0.95


MANUAL = (
    "## Retries\n\nKestrel retries a request that failed. Set `attempts=1` to disable that.\n\n"
    "## Logging\n\nTo configure logging, use the logger of Kestrel and set its level."
)


@pytest.mark.parametrize(
    "question",
    [
        "How do I configure kubernetes ingress?",
        "Who is the CEO of Kestrel?",
        "who is the ceo of kestrel",
        "How do I set the default palette?",
    ],
)
def test_words_of_every_manual_and_the_name_of_the_subject_carry_no_page(question: str) -> None:
    assert extract(MANUAL, question).text == ""


@pytest.mark.parametrize(
    "question",
    ["How do I configure logging?", "Does Kestrel retry requests?", "kestrel", "How do I set it?"],
)
def test_a_page_that_says_what_is_asked_is_kept(question: str) -> None:
    assert extract(MANUAL, question).text
