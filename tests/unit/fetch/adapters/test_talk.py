"""Questions, threads and posts: who said what, when, to whom, and how it was received."""

from __future__ import annotations

from typing import Any

import pytest

from intelli.errors import FetchError
from tests.unit.fetch.conftest import Internet
from tests.world import World
from tests.world import pages as made

PAGE = ["What people see of the thread: the pump stalls at 4 bar and nobody knows the reason yet."]
QUESTION = "http://stackoverflow.com/questions/70/why-does-the-pump-stall"


def ask(world: World) -> None:
    owner = {"display_name": "Ada &amp; Co", "reputation": 1}
    world.stackexchange.questions.append(
        {"question_id": 70, "title": "Why does the &quot;pump&quot; stall?", "score": 15,
         "answer_count": 2, "accepted_answer_id": 72, "tags": ["pumps", "valves"], "owner": owner,
         "creation_date": 1700000000, "last_activity_date": 1772615700,
         "body": "<p>It stops at <b>4 bar</b>.</p><pre><code>pump --start\n</code></pre>"}
    )  # fmt: skip
    world.stackexchange.answers += [
        {"answer_id": 71, "question_id": 70, "score": 30, "is_accepted": False, "owner": {},
         "creation_date": 1700001000, "body": "<h2>Accepted answer</h2><p>Turn it off.</p>"},
        {"answer_id": 72, "question_id": 70, "score": 4, "is_accepted": True,
         "owner": {"display_name": "Bob"}, "creation_date": 1700002000,
         "body": "<p>Set <code>limit = 5</code>.</p>"},
    ]  # fmt: skip
    world.stackexchange.comments.append(
        {"post_id": 72, "comment_id": 9, "score": 2, "owner": {"display_name": "Kim"},
         "creation_date": 1700003000, "body": "Works for <i>me</i>."}
    )  # fmt: skip


@pytest.mark.parametrize(
    "url",
    [QUESTION, f"{QUESTION}/72#72", "http://stackoverflow.com/q/70/5",
     "http://stackoverflow.com/a/72"],
)  # fmt: skip
def test_a_question_has_its_answers_marks_and_comments(
    world: World, internet: Internet, url: str
) -> None:
    ask(world)
    page = internet.get(url)
    assert (page.via, page.title) == ("stackexchange", 'Why does the "pump" stall?')
    assert (page.published, page.final_url) == (
        "2023-11-14", "http://stackoverflow.com/questions/70"
    )  # fmt: skip
    lines = page.text.splitlines()
    assert lines[0] == ("Asked by Ada & Co, 2023-11-14, score 15, 2 answers, tags: pumps, valves.")
    answers = [line for line in lines if line.startswith("## ")]
    assert answers == [
        "## Answer by Bob, 2023-11-14, score 4, accepted",
        "## Answer by a deleted account, 2023-11-14, score 30",
    ]
    assert "`limit = 5`" in page.text and "pump --start" in page.text
    assert "**Kim, 2023-11-14, score 2**: Works for *me*." in page.text


def test_every_site_of_the_network_is_named_to_the_api(world: World, internet: Internet) -> None:
    ask(world)
    internet.get("http://unix.stackexchange.com/questions/70/x")
    sent = {exchange.request.query["site"] for exchange in world.stackexchange.server.log.exchanges}
    assert sent == {"unix.stackexchange.com"}
    assert len(world.stackexchange.server.log.exchanges) == 3


def test_a_throttled_api_leads_to_the_page(world: World, internet: Internet) -> None:
    world.stackexchange.is_throttled = True
    world.site.add("/questions/70/why-does-the-pump-stall", made.article("Why?", PAGE))
    page = internet.get(QUESTION)
    assert page.via == "html"
    assert page.tried[0].startswith("stackexchange: http-400")


def story(**more: Any) -> dict[str, Any]:
    reply = {"id": 3, "author": "cyd", "text": "No &gt; yes.", "created_at": "2026-03-05T00:00:00Z",
             "children": []}  # fmt: skip
    gone = {"id": 4, "author": None, "text": None, "children": [
        {"id": 5, "author": "dan", "text": "Still here.", "children": []}]}  # fmt: skip
    first = {"id": 2, "author": "bob", "text": "Good pump.<p>Second <i>line</i>.",
             "created_at": "2026-03-04T12:00:00Z", "children": [reply]}  # fmt: skip
    return {
        "id": 1, "type": "story", "title": "A better pump", "author": "ada", "points": 120,
        "url": "https://pump.example/better", "created_at": "2026-03-04T09:00:00Z", "text": None,
        "children": [first, gone], **more,
    }  # fmt: skip


def test_a_story_has_its_points_and_every_comment(world: World, internet: Internet) -> None:
    world.hackernews.documents["/items/1"] = story()
    page = internet.get("http://news.ycombinator.com/item?id=1&p=2#3")
    assert (page.via, page.title, page.published) == ("hackernews", "A better pump", "2026-03-04")
    assert page.text.startswith("By ada, 2026-03-04, 120 points, 3 comments.")
    assert "https://pump.example/better" in page.text
    heads = [line for line in page.text.splitlines() if line.startswith("#")]
    assert heads == [
        "## Comment by bob, 2026-03-04",
        "### Comment by cyd, 2026-03-05, in reply to bob",
        "### Comment by dan, in reply to a deleted comment",
    ]
    assert "Second *line*." in page.text and "No > yes." in page.text


def test_a_huge_thread_is_kept_to_a_bound_and_says_so(world: World, internet: Internet) -> None:
    many = [{"author": f"u{n}", "text": f"Remark {n}.", "children": []} for n in range(700)]
    world.hackernews.documents["/items/1"] = story(children=many)
    text = internet.get("http://news.ycombinator.com/item?id=1").text
    assert "500 of 700 comments" in text
    assert text.count("## Comment by") == 500


def test_a_thread_nested_without_end_is_read(world: World, internet: Internet) -> None:
    child: dict[str, Any] = {"author": "z", "text": "Deepest.", "children": []}
    for n in range(200):
        child = {"author": f"u{n}", "text": f"Level {n}.", "children": [child]}
    world.hackernews.documents["/items/1"] = story(children=[child])
    assert "Deepest." in internet.get("http://news.ycombinator.com/item?id=1").text


def status(**more: Any) -> dict[str, Any]:
    return {
        "type": "status", "id": "20", "text": "The pump is out.", "likes": 3, "reposts": 1,
        "created_at": "Tue Mar 03 20:50:14 +0000 2026",
        "author": {"name": "Ada", "screen_name": "ada"}, **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    "url",
    ["http://x.com/ada/status/20?s=20", "http://mobile.twitter.com/ada/status/20/photo/1",
     "http://x.com/i/web/status/20", "http://fixupx.com/ada/status/20"],
)  # fmt: skip
def test_a_post_is_read_from_every_address_of_it(
    world: World, internet: Internet, url: str
) -> None:
    quote = status(text="What is new?\nAnything?", author={"name": "Bob", "screen_name": "bob"})
    answer = {"code": 200, "status": status(quote=quote), "thread": None}
    world.fxtwitter.documents["/2/thread/20"] = answer
    page = internet.get(url)
    assert (page.via, page.title, page.published) == ("x", "Ada on X", "2026-03-03")
    assert page.final_url == "https://x.com/ada/status/20"
    assert page.text.startswith("## Post by Ada, @ada, 2026-03-03, 3 likes, 1 repost")
    assert "> Quoting Bob, @bob" in page.text and "> Anything?" in page.text


def test_a_thread_and_an_article_are_read_whole(world: World, internet: Internet) -> None:
    blocks = [
        {"type": "header-two", "text": "Why", "entityRanges": []},
        {"type": "unordered-list-item", "text": "cheap"},
        {"type": "atomic", "text": " ", "entityRanges": [{"key": 0, "offset": 0, "length": 1}]},
    ]
    entity = {"key": "0", "value": {"type": "MARKDOWN", "data": {"markdown": "```\npump()\n```"}}}
    content = {"blocks": blocks, "entityMap": [entity]}
    last = status(id="21", text="", article={"title": "On pumps", "content": content})
    world.fxtwitter.documents["/2/thread/21"] = {"status": last, "thread": [status(), last]}
    page = internet.get("http://x.com/ada/status/21")
    assert page.title == "On pumps"
    assert "The pump is out." in page.text
    assert "Why\n\n- cheap\n\n```\npump()\n```" in page.text


def test_a_post_that_is_gone_fails_as_its_page_does(world: World, internet: Internet) -> None:
    gone = {"code": 404, "status": {"type": "tombstone", "reason": "deleted"}, "thread": None}
    world.fxtwitter.documents["/2/thread/20"] = gone
    with pytest.raises(FetchError) as caught:
        internet.get("http://x.com/ada/status/20")
    assert caught.value.code == "http-404"
    assert caught.value.tried == ("x: empty: the post is deleted",)


FEED = """<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">
<title>Pump stalls : pumps</title>
<entry><author><name>/u/ada</name></author><category term="pumps" label="r/pumps"/>
<content type="html">&lt;div class="md"&gt;&lt;p&gt;It stalls at &lt;b&gt;4 bar&lt;/b&gt;.&lt;/p&gt;
&lt;/div&gt;</content><id>t3_abc12</id><published>2026-03-04T09:15:00+00:00</published>
<updated>2026-03-04T09:15:00+00:00</updated><title>Pump stalls</title></entry>
<entry><author><name>/u/bob</name></author><content type="html">&lt;p&gt;Raise the limit.&lt;/p&gt;
</content><id>t1_x</id><updated>2026-03-05T09:15:00Z</updated><title>/u/bob on it</title></entry>
</feed>"""
ATOM = "application/atom+xml; charset=utf-8"


@pytest.mark.parametrize("url", [
    "http://old.reddit.com/r/pumps/comments/abc12/pump_stalls/",
    "http://www.reddit.com/r/pumps/comments/abc12/pump_stalls/x1?context=3",
])  # fmt: skip
def test_a_thread_of_reddit_is_its_feed(world: World, internet: Internet, url: str) -> None:
    world.site.add("/r/pumps/comments/abc12/.rss", made.plain(FEED, content_type=ATOM))
    page = internet.get(url)
    assert (page.via, page.title, page.published) == ("reddit", "Pump stalls", "2026-03-04")
    assert page.text.startswith("By ada, 2026-03-04, r/pumps.\n\nIt stalls at **4 bar**.")
    assert "## Comment by bob, 2026-03-05\n\nRaise the limit." in page.text
    assert internet.names == ["www.reddit.com"]


def test_where_the_feed_is_refused_the_old_site_is_read(world: World, internet: Internet) -> None:
    head = '<link rel="canonical" href="https://www.reddit.com/r/pumps/comments/abc12/stalls/">'
    world.site.add("/r/pumps/comments/abc12/.rss", made.challenge())
    old = made.article("Pump stalls", PAGE, head=head)
    world.site.add("/r/pumps/comments/abc12/", old)
    page = internet.get("http://www.reddit.com/r/pumps/comments/abc12/stalls/")
    assert (page.via, page.title) == ("reddit", "Pump stalls")
    assert internet.names == ["www.reddit.com", "old.reddit.com"]


def test_a_feed_that_swells_is_not_parsed(world: World, internet: Internet) -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + FEED.partition("?>")[2]
    world.site.add("/r/pumps/comments/abc12/.rss", made.plain(bomb, content_type=ATOM))
    with pytest.raises(FetchError) as caught:
        internet.get("http://www.reddit.com/r/pumps/comments/abc12/")
    assert caught.value.code == "http-404"


@pytest.mark.parametrize("answer", [
    [], 7, None, {}, {"status": []}, {"status": {"text": {}}}, {"items": [None, 4]},
    {"status": {"text": "t", "author": [], "likes": "x", "quote": 4, "article": {"content": []}}},
    {"title": "T", "children": [[], {"author": 3}], "points": float("inf"), "created_at": []},
])  # fmt: skip
def test_no_answer_is_trusted(world: World, internet: Internet, answer: Any) -> None:
    world.fxtwitter.documents["/2/thread/20"] = answer
    world.hackernews.documents["/items/20"] = answer
    world.site.fallback = made.article("The page", PAGE)
    assert internet.get("http://x.com/a/status/20").via in ("x", "html")
    assert internet.get("http://news.ycombinator.com/item?id=20").via in ("hackernews", "html")
