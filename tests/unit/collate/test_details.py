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


SAME_FIGURES = """
It has 4 500 rows | 4,500 rows
It has 4\u202f500 rows | 4500 rows
It has 4’500 rows | 4,500 rows
It has 4_500 rows | 4500 rows
It has 4 500 000 rows | 4.5 million rows
It has 12,34,567 rows | 1234567 rows
It has 4500 rows | 4'500 rows
It has 4500 rows | columns 4 500 rows
It takes ３０ seconds | 30 seconds
It takes 30s | 30 s
It is −5 °C | minus 5 °C
It is -5 °C | 5 degrees below zero, 5 °C
It fell 5 % | a change of -5 %
It takes 10² units | 10^2 units
It is 5 m² | 5 m^2
It is 5 °C | 5 degrees Celsius
It costs US$5 | $5
It costs EUR 5 | 5 euros
It runs 24 hours a day | 24h
It was on 5.3.2024 | March 5, 2024
It was on 03/05/2024 | 5 March 2024
It was on 03/05/2024 | 3 May 2024
It was on 5-Mar-2024 | 2024-03-05
It was on Tuesday, 5 March 2024 | 2024-03-05
It was on 20240305 | 5 March 2024
It is ½ inch | 0.5 inch
It is 1½ hours | 1.5 hours
It has 2M rows | 2 million rows
The version is v1.2.3 | 1.2.3
Use `--depth=5` | `--depth 5`
It weighs .5 kg | 0.5 kg
It has 1 KiB | 1024 bytes
It starts at 5 pm | 17:00
It starts at 17:30 | 5:30 p.m.
An hourly limit of 100 is set | 100 requests per hour
It costs $5 per month | a monthly fee of $5
It has ≥ 100 rows | at least 100 rows
"""
OTHER_FIGURES = """
It is -5 °C | 5 °C
It is 5 °C | -5 °C
It has 4 500 rows | 4 600 rows
It takes 30s | in the 90s
It takes 10² units | 102 units
It was on 03/05/2024 | 3 June 2024
It is 1½ hours | 1¼ hours
An hourly limit of 100 is set | a daily limit of 100
It costs $5 per month | an annual fee of $5
It has at least 100 rows | at most 100 rows
It has ≥ 100 rows | ≤ 100 rows
It has no more than 100 rows | more than 100 rows
It starts at 5 pm | 5 am
It starts at 17:30 | 17:45
Port 8080 is used | port 8081
See RFC 9110 | RFC 9111
The version is v1.2.3 | 1.2.4
Use `--depth=5` | `--depth 6`
"""


def pairs(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.parametrize(("claim", "source"), pairs(SAME_FIGURES))
def test_figures_and_dates_are_the_same_however_they_are_written(claim: str, source: str) -> None:
    assert not flagged(claim, source)


@pytest.mark.parametrize(("claim", "source"), pairs(OTHER_FIGURES))
def test_sign_bound_period_and_time_of_day_tell_figures_apart(claim: str, source: str) -> None:
    assert flagged(claim, source)


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
        ("It is by Popular Mechanics", "see https://site.example/popularmechanics"),
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
