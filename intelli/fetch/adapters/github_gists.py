"""Gists of GitHub: every file, and what was said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.adapters.threads import (
    Json,
    Post,
    day,
    demoted,
    joined,
    markdown_of,
    number_at,
    object_at,
    objects,
    text_at,
)
from intelli.text.fences import fence
from intelli.text.languages import language_by_name, suffix

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

MOST = 100


async def read(route: Route, asking: Asking) -> Article:
    """The gist's files in order, then its comments."""
    path = f"/gists/{route.parts['id']}"
    gist = await asking.json("github", path)
    files = objects(list(object_at(gist, "files").values()))
    parts = [_file(file) for file in files if text_at(file, "content")]
    if not parts:
        raise FetchError("the gist holds no text", code="empty")
    comments: list[Json] = []
    if number_at(gist, "comments"):
        comments = objects(await asking.json("github", f"{path}/comments", {"per_page": MOST}))
    owner = text_at(gist, "owner", "login")
    title = text_at(gist, "description") or text_at(files[0], "filename")
    return Article(
        text="\n\n".join([*parts, markdown_of(_comment(comment) for comment in comments)]).strip(),
        title=joined(title, owner and f"gist of {owner}"),
        published=day(gist.get("created_at")),
    )


def _file(file: Json) -> str:
    name, content = text_at(file, "filename"), text_at(file, "content").rstrip()
    address = f"https://gist.github.com/{name}"
    is_prose = suffix(address) in ("md", "markdown", "txt", "")
    cut = "\n\n(The file is longer than what is shown here.)" if file.get("truncated") else ""
    body = demoted(content, 2) if is_prose else fence(content, language_by_name(address))
    return f"## {joined(name)}\n\n{body}{cut}"


def _comment(comment: Json) -> Post:
    who = joined(text_at(comment, "user", "login"), day(comment.get("created_at")))
    return Post(heading=f"Comment by {who}", body=text_at(comment, "body"))
