"""Hacker News: stories, comments and what has no address of its own."""

from __future__ import annotations

import json

from intelli.records import Query
from tests.unit.search.backends.asking import ask, asked, filled, links

THREAD = "https://news.ycombinator.com/item?id="


def hit(**fields: object) -> bytes:
    return json.dumps({"hits": [fields]}).encode()


def test_a_story_has_points_and_comments() -> None:
    (link,) = ask("hn", filled("hn")).links
    assert (link.points, link.comments, link.published) == (70, 12, "2026-03-04")
    assert link.authors == ("Wim Voorbeeld",)


def test_a_comment_stands_for_its_thread() -> None:
    text = 'It&#x27;s <i>fine</i>.<p>See <a href="https:&#x2F;&#x2F;a.example">a &lt;b&gt;</a> ' * 9
    (link,) = links(
        "hn",
        hit(
            objectID="99",
            story_id=41,
            story_title="Show HN: Vec&lt;T&gt; pumps",
            story_url="https://elsewhere.example/",
            comment_text=text,
            points=None,
            num_comments=None,
            author="wim",
        ),
    )
    assert link.url == THREAD + "41"
    assert link.title == "Show HN: Vec<T> pumps"
    assert link.snippet.startswith("It's fine. See a <b> It's fine.")
    assert len(link.snippet) <= 300
    assert (link.points, link.comments) == (None, None)


def test_what_has_no_address_of_its_own_leads_to_its_thread() -> None:
    for url in (None, "", "javascript:alert(1)", 7):
        (link,) = links("hn", hit(objectID="42", title="Ask HN: pumps?", url=url, points=3))
        assert (link.url, link.points) == (THREAD + "42", 3)
    (job,) = links("hn", hit(objectID=43, title="Pumps (YC W26) is hiring", url=None))
    assert job.url == THREAD + "43"


def test_a_hit_that_leads_nowhere_is_left_out() -> None:
    for number in ("../evil", "٤١", None, True, -1, "9" * 50):
        assert links("hn", hit(objectID=number, title="t")) == ()


def test_words_without_meaning_are_not_asked_for() -> None:
    service = filled("hn")
    ask("hn", service, Query(text="how does the hand pump drain?", urls=80))
    sent = asked(service)[0].query
    assert sent["query"] == "hand pump drain"
    assert sent["hitsPerPage"] == "100"
