"""Questions of Stack Exchange's sites with their answers, scores and comments."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking, RefusedError
from intelli.fetch.adapters.threads import (
    Json,
    Post,
    counted,
    day,
    html_of,
    joined,
    names,
    number_at,
    objects,
    text_at,
)

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

ANSWERS = 30
COMMENTS = 100


async def read(route: Route, asking: Asking) -> Article:
    """The question, its answers from the best on, and the comments below each."""
    site, number = route.host, route.parts["id"]
    if route.parts["kind"] == "a":
        answers = await _items(asking, site, f"/answers/{number}")
        number = str(number_at(answers[0], "question_id") if answers else 0)
    question = next(iter(await _items(asking, site, f"/questions/{number}")), None)
    if question is None or not text_at(question, "title"):
        raise FetchError("there is no such question", code="empty")
    path = f"/questions/{number}/answers"
    answers = await _items(asking, site, path, sort="votes", order="desc", pagesize=ANSWERS)
    comments = await _comments(asking, site, [question, *answers])
    return await _article(route, asking, question, _posts(question, answers, comments))


async def _items(asking: Asking, site: str, path: str, **query: object) -> list[Json]:
    """The items of an answer. The API names the end of a throttle in a text only, so that one is
    a refusal without a time."""
    asked = {"site": site, "filter": "withbody", **query}
    data: Any = await asking.json("stackexchange", path, asked)
    if not isinstance(data, dict) or "items" not in data:
        raise RefusedError("the API answered with no items", code="bad-answer")
    return objects(data["items"])


async def _comments(asking: Asking, site: str, posts: list[Json]) -> list[Json]:
    ids = [number_at(post, "answer_id") or number_at(post, "question_id") for post in posts]
    path = f"/posts/{';'.join(map(str, ids))}/comments"
    try:
        return await _items(asking, site, path, sort="creation", order="asc", pagesize=COMMENTS)
    except FetchError:
        return []


def _posts(question: Json, answers: list[Json], comments: list[Json]) -> list[Post]:
    """Each answer, the accepted one first, and after every post its comments."""
    accepted = number_at(question, "accepted_answer_id")
    by_post: dict[int, list[Json]] = {}
    for comment in comments:
        by_post.setdefault(number_at(comment, "post_id"), []).append(comment)
    posts = _remarks(by_post.get(number_at(question, "question_id"), []))
    for answer in sorted(answers, key=lambda each: number_at(each, "answer_id") != accepted):
        number = number_at(answer, "answer_id")
        is_accepted = answer.get("is_accepted") is True or number == accepted > 0
        who = joined(
            _who(answer),
            day(answer.get("creation_date")),
            f"score {number_at(answer, 'score')}",
            is_accepted and "accepted",
        )
        posts.append(Post(heading=f"Answer by {who}", body=text_at(answer, "body")))
        posts += _remarks(by_post.get(number, []))
    return posts


def _remarks(comments: list[Json]) -> list[Post]:
    if not comments:
        return []
    items = []
    for comment in comments:
        score = number_at(comment, "score")
        who = joined(_who(comment), day(comment.get("creation_date")), score and f"score {score}")
        items.append(f"<li><p><b>{html.escape(who)}</b>: {text_at(comment, 'body')}</p></li>")
    return [Post(heading="Comments", body=f"<ul>{''.join(items)}</ul>", level=3)]


async def _article(route: Route, asking: Asking, question: Json, posts: list[Post]) -> Article:
    title = html.unescape(text_at(question, "title"))
    tags = question.get("tags")
    facts = joined(
        f"Asked by {_who(question)}",
        day(question.get("creation_date")),
        f"score {number_at(question, 'score')}",
        counted(number_at(question, "answer_count"), "answer"),
        f"tags: {names([{'tag': tag} for tag in tags], 'tag')}" if isinstance(tags, list) else "",
    )
    opening = f"<p>{html.escape(facts)}.</p><div>{text_at(question, 'body')}</div>"
    url = f"{route.site}/questions/{number_at(question, 'question_id')}"
    document = await asking.read_html(html_of(title, opening, posts), url)
    return Article(
        text=document.text,
        title=title,
        published=day(question.get("creation_date")),
        url=url,
    )


def _who(post: Json) -> str:
    """Names come with entities in this API."""
    return html.unescape(text_at(post, "owner", "display_name")) or "a deleted account"
