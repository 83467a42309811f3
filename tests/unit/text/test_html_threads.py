"""Threads keep every post, with its author and date, and lose what stands around them."""

from __future__ import annotations

from intelli.text.readers import read


def post(n: int, text: str) -> str:
    return (
        "<article class='message'><section class='message-user'><h4 class='message-name'>"
        f"<a class='username' href='/u/{n}'>keeper{n}</a></h4><h5>Old hand</h5><dl><dt>Joined</dt>"
        f"<dd>2011</dd></dl></section><time datetime='2024-03-0{n}'>Mar {n}, 2024</time>"
        f"<div class='message-body'><div class='bbWrapper'>{text}</div></div>"
        "<div class='message-signature'><div class='bbWrapper'>Buy my book</div></div>"
        "<a href='#'>Reply</a></article>"
    )


def thread() -> str:
    posts = [
        post(1, "The sluice jams every spring and I cannot find out why that is."),
        post(2, "Mine did as well; look at the <code>lower</code> bearing first."),
        post(3, "It was the bearing. Thanks."),
    ]
    body = (
        "<html><head><title>Sluice jams | Water board</title></head><body><header>Log in</header>"
        f"<h1>Sluice jams</h1><div class='thread'>{''.join(posts)}</div>"
        "<div>You must register to answer here</div></body></html>"
    )
    return read(body.encode(), "text/html", "https://forum.test/t/1").text


def test_every_post_is_there_with_author_and_date() -> None:
    text = thread()
    assert "#### keeper1\n\nMar 1, 2024\n\nThe sluice jams" in text
    assert "#### keeper2\n\nMar 2, 2024\n\nMine did as well; look at the `lower` bearing" in text
    assert "#### keeper3\n\nMar 3, 2024\n\nIt was the bearing. Thanks." in text


def test_what_surrounds_the_posts_is_gone() -> None:
    text = thread()
    for noise in ("Old hand", "Joined", "Buy my book", "Reply", "You must register", "Log in"):
        assert noise not in text


def test_remarks_are_signed_in_one_line() -> None:
    remark = (
        "<li class='comment'><span class='comment-copy'>Which year was that?</span>"
        "<a class='comment-user'>ada</a>"
        "<span class='relativetime-clean' title='2024-05-06'>x</span></li>"
    )
    said = "Set the lower gate to half and wait a day."
    answer = f"<div class='answer'><div class='s-prose'>{said}</div></div>"
    body = f"<html><body><h1>Gates</h1>{answer * 2}<ul>{remark}</ul></body></html>"
    text = read(body.encode(), "text/html", "https://qa.test/1").text
    assert "**ada** (2024-05-06): Which year was that?" in text


def test_an_article_with_comments_is_not_a_thread() -> None:
    prose = "The lock was dug by hand, and the spoil became the dike that stands there now. " * 8
    comment = "<div class='comment'><div class='comment-content'>Nice.</div></div>"
    body = f"<html><body><article><h1>Lock</h1><p>{prose}</p></article>{comment * 3}</body></html>"
    assert prose.strip() in read(body.encode(), "text/html", "https://blog.test/").text


def test_an_answer_says_how_it_was_voted_and_that_it_was_accepted() -> None:
    def answer(names: str, votes: int, text: str) -> str:
        return (
            f"<div class='answer {names}'><div class='votes'><span class='vote-count-post'>{votes}"
            f"</span></div><div class='s-prose'><p>{text}</p></div>"
            "<ul><li><span class='comment-copy'>So it was here.</span></li></ul></div>"
        )

    answers = (
        answer("", 0, "Look at the upper bearing, it is the one that wears out first of all.")
        + answer("accepted-answer", 12, "Look at the lower bearing, it stands under water.")
        + answer("", -2, "Buy another pump, that is what everybody does in the end.")
    )
    body = f"<html><body><h1>Sluice</h1><div id='answers'>{answers}</div></body></html>".encode()
    text = read(body, "text/html", "https://forum.test/q/1").text
    assert text.count("votes: ") == 2
    assert "votes: 12 · accepted answer\n\nLook at the lower bearing" in text
    assert "votes: -2\n\nBuy another pump" in text
    assert text.count("accepted") == 1
