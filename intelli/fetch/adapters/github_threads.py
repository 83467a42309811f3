"""Issues, pull requests and discussions of GitHub with everything that was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.adapters.threads import (
    Json,
    Post,
    counted,
    day,
    joined,
    markdown_of,
    names,
    number_at,
    object_at,
    objects,
    text_at,
)

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

PAGES = 3
PER_PAGE = 100


async def read(route: Route, asking: Asking) -> Article:
    """The thread. GitHub answers for discussions as it does for issues, though its manual is
    silent on that."""
    parts = route.parts
    path = f"/repos/{parts['owner']}/{parts['repo']}"
    kind = "discussions" if parts["kind"] == "discussions" else "issues"
    number = parts["number"]
    thread = await asking.json("github", f"{path}/{kind}/{number}")
    if not text_at(thread, "title"):
        raise FetchError("GitHub answered with no thread", code="bad-answer")
    comments: list[Json] = []
    if number_at(thread, "comments"):
        comments = await _pages(asking, f"{path}/{kind}/{number}/comments")
    facts = _facts(thread, kind, len(comments))
    if object_at(thread, "pull_request"):
        comments += await _pages(asking, f"{path}/pulls/{number}/comments")
    answer = text_at(thread, "answer_html_url")
    posts = [_opening(thread), *(_comment(each, answer) for each in _ordered(comments))]
    return Article(
        text=f"{facts}\n\n{markdown_of(posts)}",
        title=f"{text_at(thread, 'title')} ({parts['owner']}/{parts['repo']}#{number})",
        published=day(thread.get("created_at")),
    )


async def _pages(asking: Asking, path: str) -> list[Json]:
    """Comments, page after page; what came before a failure is kept."""
    found: list[Json] = []
    for page in range(1, PAGES + 1):
        try:
            part = await asking.json("github", path, {"per_page": PER_PAGE, "page": page})
        except FetchError:
            break
        found += objects(part)
        if len(objects(part)) < PER_PAGE:
            break
    return found


def _ordered(comments: list[Json]) -> list[Json]:
    """By time, and a reply after what it replies to."""
    by_time = sorted(comments, key=lambda each: text_at(each, "created_at"))
    known = {number_at(each, "id") for each in by_time} - {0}
    replies: dict[int, list[Json]] = {}
    for each in by_time:
        if number_at(each, "parent_id") in known:
            replies.setdefault(number_at(each, "parent_id"), []).append(each)
    ordered: list[Json] = []
    for each in by_time:
        if number_at(each, "parent_id") not in known:
            ordered += [each, *replies.get(number_at(each, "id"), [])]
    return ordered


def _facts(issue: Json, what: str, shown: int) -> str:
    """One line: what it is, its state, its labels, and how much of the talk is here."""
    pull = object_at(issue, "pull_request")
    kind = "Discussion" if what == "discussions" else "Pull request" if pull else "Issue"
    state = text_at(issue, "state")
    reason = text_at(issue, "state_reason").replace("_", " ")
    state = f"merged {day(text_at(pull, 'merged_at'))}" if text_at(pull, "merged_at") else state
    if state == "closed":
        state = joined(f"closed {day(issue.get('closed_at')) or ''}", reason and f"as {reason}")
    answered = "answered" if issue.get("answer_chosen_at") else ""
    category = text_at(issue, "category", "name")
    labels = names(objects(issue.get("labels")), "name")
    said = number_at(issue, "comments")
    talk = f"{shown} of {counted(said, 'comment')}" if shown < said else counted(said, "comment")
    marks = (state, answered, category, labels and f"labels: {labels}", talk)
    return f"{kind}, {joined(*marks)}."


def _opening(issue: Json) -> Post:
    heading = f"Opened by {joined(_who(issue), day(issue.get('created_at')))}"
    return Post(heading=heading, body=text_at(issue, "body"))


def _comment(comment: Json, answer: str) -> Post:
    place = text_at(comment, "path")
    role = text_at(comment, "author_association").lower()
    role = role if role in ("owner", "member", "collaborator", "contributor") else ""
    liked = number_at(comment, "reactions", "+1")
    is_answer = answer != "" and text_at(comment, "html_url") == answer
    marks = (liked and f"+{liked}", is_answer and "accepted answer")
    is_reply = number_at(comment, "parent_id") > 0
    kind = f"Review of {place}" if place else "Reply" if is_reply else "Comment"
    who = joined(_who(comment), role, day(comment.get("created_at")), *marks)
    level = 3 if is_reply else 2
    return Post(heading=f"{kind} by {who}", body=text_at(comment, "body"), level=level)


def _who(post: Json) -> str:
    return text_at(post, "user", "login") or "a deleted account"
