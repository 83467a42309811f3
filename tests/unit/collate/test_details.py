"""Folding rules: what stands in a source in another form is found, what does not is missing."""

from __future__ import annotations

import pytest

from intelli.collate.verify import verify


def flagged(claim: str, source: str) -> bool:
    statuses = {each.status for each in verify(f"{claim} [1]", {1: source})}
    assert statuses <= {"verified", "partial", "unsupported"}
    return statuses != {"verified"}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It has 4500 seats", "room for 4,500 people"),
        ("It has 1,000 seats", "one thousand seats"),
        ("It has twelve seats", "12 seats"),
        ("It has two wings", "a pair of wings"),
        ("It cost $3.5 million", "at a price of $3.5M"),
        ("It took 2 hours", "after 120 minutes"),
        ("It costs 12.50 euros", "twelve euros and fifty cents"),
        ("It is 1.5 km long", "1500 m from end to end"),
        ("It grew by 5 percent", "up 5%"),
        ("It is about 450 m tall", "a height of 449.7 m"),
        ("It came 1st", "the first of all"),
        ("It fell in the 1980s", "which ended in 1984"),
        ("It dates from the 12th century", "built in 1183"),
        ("It ran for eleven years", "from 1979 to 1990"),
        ("It opened on 2014-03-05", "opened on March 5, 2014"),
        ("It opened on 5 March 2014", "In 2014 work went on; on March 5th the doors opened"),
        ("It needs Python 3.11", "tested with Python 3.11.4"),
        ("It rose in Q2", "in the second quarter"),
        ("It allows 100 requests/s", "100 requests per second"),
        ("It allows 100 rps", "100 requests each second"),
        ("It allows 60 requests per minute", "one call: 1 request a second"),
        ("It allows 100 requests per user per minute", "100 requests a minute for each user"),
        ("It allows 100 requests per 10 minutes", "100 requests / 10 min"),
        ("It allows 10k requests per hour", "10,000 requests/h"),
        ("It costs $12 a month", "at $12/month"),
        ("It costs $12 per month", "| Plan | Monthly |\n| --- | --- |\n| Basic | $12 |"),
        ("It costs $12", "at $12/month"),
        ("It runs at 10 Mbit/s", "at 10 Mbps"),
        ("It runs at 60 mph", "60 miles per hour"),
        ("It sends 5 reports daily", "5 reports every day"),
        ("It has 3 million users", "all 3M users"),
        ("It costs $40,000 a year", "a yearly cost of $40,000"),
        ("It runs at 30 m/s", "30 metres per second"),
        ("It answers 250 queries per second", "QPS: 250"),
        ("It surveyed 35 adults", "a total of 35"),
        ("It took 35 full days", "after 35 days"),
        ("It took 35 days", "after 35 full days"),
        ("It made $5 billion", "with USD 5 billion profits"),
        ("It counted 100 citizens", "some 100 US citizens"),
        ("Output in the table was 4.2 million", "All figures in millions. Output 4.2"),
    ],
)
def test_figures_and_dates_are_found_in_another_form(claim: str, source: str) -> None:
    assert not flagged(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It cost $1.65 million", "at a price of $1.65 billion"),
        ("It took 20 minutes", "after 20 seconds"),
        ("It grew by 5 percent", "up by 5 litres"),
        ("It cost €40", "for $40"),
        ("It is 440 m tall", "a height of 449.7 m"),
        ("It has 39 seats", "row 1.39 and 139 seats"),
        ("It opened in 2015", "opened in 2014"),
        ("It opened in May", "it may open in June"),
        ("It opened on 5 March 2014", "opened on 6 March 2014"),
        ("It needs version 3.1", "needs version 3.11"),
        ("It needs Python 3.12", "tested with 3.11.4"),
        ("It came 3rd", "three came"),
        ("It fell in the 1980s", "in 1994"),
        ("It allows 100 requests per minute", "100 requests per second"),
        ("It allows 100 rpm", "100 requests per second"),
        ("It allows 100 requests per minute", "100 requests"),
        ("It allows 10k requests per minute", "10,000 requests per hour"),
        ("It allows 100 requests per 10 minutes", "100 requests per minute"),
        ("It costs $1,250.50 per year", "$1,250.50 per month"),
        ("It costs $20 per seat", "$20 per gigabyte"),
        ("It runs at 10 MB/s", "at 10 Mbit/s"),
        ("It runs twice a day", "runs twice a week"),
        ("It sends 5 reports weekly", "5 reports each day"),
        ("It surveyed 35 adults", "some 35 percent"),
        ("It makes 250 attempts", "a wait of 250 ms"),
        ("It has 100 customers", "for $100"),
        ("It handles 5 million people", "at $5 million"),
        ("It took 250 ms", "made 250 attempts"),
        ("It weighs 5 kg", "with 5 parts, each a kilogram"),
    ],
)
def test_other_figures_and_dates_are_missing(claim: str, source: str) -> None:
    assert flagged(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Run `tidy run --fast`", "Run it with `--fast`, as in tidy run"),
        ("Call `get_item()`", "get_item(key) returns it"),
        ("Call `f(a, b)`", "f(a,b)"),
        ("Set snake_case names", "the **snake\\_case** style"),
        ("It is an iPhone", "all iPhones"),
        ("It uses Wi-Fi", "over WiFi"),
        ("It is on TechCrunch", "as Tech Crunch wrote"),
        ("See doi:10.1000/abc.12", "https://doi.org/10.1000/abc.12"),
        ("It says “never  touch the coil”", 'He wrote: "Never touch the coil."'),
        ("The IEA wrote it", "the International Energy Agency wrote"),
        ("The International Energy Agency wrote it", "the IEA wrote"),
        ("It is in the US", "in the United States of America"),
        ("It is Norwegian", "made in Norway"),
        ("It was written by Łukasz Müller", "by Lukasz Muller"),
        ("It was written by Katherine Jonson", "by Katharine Jonson"),
        ("It is in Gdańsk's museums", "the Gdansk museum"),
    ],
)
def test_code_names_and_quotations_are_found_in_another_form(claim: str, source: str) -> None:
    assert not flagged(claim, source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Pass `--explain`", "Pass --explain-all"),
        ("Pass `--all`", "Pass --allow"),
        ("Set `NODE_env`", "Set NODE_ENV"),
        ("Call `get_value()`", "get_item()"),
        ("Open `src/main.py`", "open src/main.rs"),
        ("Call useEffectAsync", "call useEffect"),
        ("See https://a.example/two", "see https://a.example/twofold"),
        ('It says "never touch the coil"', "You may touch the coil"),
        ("It is in the US", "they told us"),
        ("It was written by Anna Berg", "by Anna Holm"),
        ("It is in Lisbon", "in Porto"),
    ],
)
def test_other_code_names_and_quotations_are_missing(claim: str, source: str) -> None:
    assert flagged(claim, source)


@pytest.mark.parametrize(
    "claim",
    [
        "However, it works",
        "1. The first step is (2) to wait",
        "**Cold Start**: it is slow",
        "It works as they say (sources 1 and 2)",
        "One of them is both fast and single",
    ],
)
def test_openers_labels_enumerators_and_small_words_are_no_details(claim: str) -> None:
    (found,) = verify(f"{claim} [1]", {1: "nothing of the kind"})
    assert found.status == "prose"
