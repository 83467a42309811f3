"""Which passage opens the report, what is cut to the point, and what no passage speaks of."""

from __future__ import annotations

import pytest

from tests.unit.collate.ranked import LEASE, collate, source

STEPS = "1. Create a new key.\n2. Set `LEASE_KEY` to the new key.\n3. Restart the workers."
NOTE = "If step 3 fails, set `LEASE_KEY` back to the old key and rotate the key of the API again."


def tiers(count: int) -> str:
    return "\n\n".join(
        f"Accounts of tier {n} have a quota of {n * 137} leases per minute and {n * 2} workers."
        for n in range(1, count + 1)
    )


def test_the_figure_asked_for_leads_and_its_siblings_stay_out() -> None:
    summary = collate("What is the quota of tier 9?", source(1, tiers(60))).summary
    assert summary == (
        "Accounts of tier 9 have a quota of 1233 leases per minute and 18 workers. [1]"
    )


def test_rows_about_other_figures_are_left_out_of_a_table() -> None:
    rows = "\n".join(f"| tier {n} | {n * 137} |" for n in range(1, 20))
    table = f"| Tier | Quota |\n| --- | --- |\n{rows}"
    summary = collate("What is the quota of tier 9?", source(1, table)).summary
    assert "| tier 9 | 1233 |" in summary
    assert "| Tier | Quota |" in summary
    assert "tier 10" not in summary


def test_steps_go_before_the_note_on_what_to_do_when_one_fails() -> None:
    text = f"## Rotate the API key\n\n{STEPS}\n\n{NOTE}"
    summary = collate("How do I rotate the API key?", source(1, text)).summary
    assert summary.startswith("1. Create a new key.")
    assert "If step 3 fails" in summary


def test_the_rule_after_a_list_goes_with_the_list() -> None:
    kinds = "- API key: sent in a header\n- OAuth: a token\n- mTLS: a client certificate"
    rule = "With several of them mTLS wins, then OAuth, then the API key."
    text = f"## Kinds\n\nThe client knows three kinds of credentials:\n\n{kinds}\n\n{rule}"
    summary = collate("Which kinds of credentials are there?", source(1, text)).summary
    assert summary.index("- mTLS") < summary.index(rule)


@pytest.mark.parametrize("kind", ["blog", "forum"])
def test_an_official_page_leads_where_it_says_the_same_otherwise(kind: str) -> None:
    blog = "The read timeout of a lease is 30 seconds by default, the default read timeout."
    docs = "The read timeout is 20 seconds by default. To change it, use the constructor."
    summary = collate(
        "What is the default read timeout?",
        source(1, blog, kind),  # type: ignore[arg-type]
        source(2, docs),
    ).summary
    assert summary.startswith(docs)


def test_a_question_that_one_passage_answers_gets_a_short_report() -> None:
    others = "\n\n".join(
        f"## Part {n}\n\nA worker of part {n} may hold a lease beside {n} others, as it likes."
        for n in range(20)
    )
    summary = collate(
        "When does the exclusive right of a lease expire?", source(1, f"{LEASE}\n\n{others}")
    ).summary
    assert summary.startswith(LEASE)
    assert len(summary) < 600


def test_words_of_the_question_that_no_passage_holds_are_named() -> None:
    report = collate("Does a lease work with kubernetes ingress?", source(1, LEASE))
    assert report.warnings == ("no passage speaks of: kubernetes, ingress",)


@pytest.mark.parametrize("question", ["When does a lease expire?", "租约多久过期？", "???"])
def test_nothing_is_warned_of_where_all_is_said_or_nothing_can_be_told(question: str) -> None:
    assert collate(question, source(1, LEASE)).warnings == ()


def test_names_of_files_and_versions_stay_whole_in_headings() -> None:
    body = "A lease has limits of its own, and the manual has this to say of them. " * 6
    text = (
        f"## 3.1.0 (2023-11-02)\n\n{body}One.\n\n## `__init__.py`\n\n{body}Two.\n\n"
        f"## lease_http_handler.py\n\n{body}Three.\n\n## *Clocks*\n\n{body}Four."
    )
    summary = collate("lease", source(1, text)).summary
    for name in ("3.1.0 (2023-11-02)", "`__init__.py`", "lease_http_handler.py", "Clocks"):
        assert f"### {name}\n" in summary or summary.startswith(body.strip())
    assert "### (2023" not in summary
    assert "leasehttp" not in summary


@pytest.mark.parametrize("label", ["**Warning**", "- Option", "*Posted on March 3, 2022 by Dana.*"])
def test_a_lone_label_is_not_worth_a_line(label: str) -> None:
    summary = collate("lease warning option", source(1, f"{label}\n\n{LEASE}")).summary
    assert summary == f"{LEASE} [1]"


def test_of_a_long_list_the_few_items_that_answer_are_quoted() -> None:
    items = [f"- worker {n} is fast and needs no care" for n in range(12)]
    items[5] = "- a lease may be renewed by the owner"
    text = "\n".join(items)
    summary = collate("How is a lease renewed?", source(1, text)).summary
    assert summary == "- a lease may be renewed by the owner [1]"
    under = f"## Renewing a lease\n\n{text}"
    assert "worker 11" in collate("How is a lease renewed?", source(1, under)).summary
