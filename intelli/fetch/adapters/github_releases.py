"""Releases of a repository on GitHub: the notes of one, or of the last ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.adapters.threads import (
    Json,
    Post,
    day,
    joined,
    markdown_of,
    objects,
    text_at,
)

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

MOST = 20


async def read(route: Route, asking: Asking) -> Article:
    """The notes of the release that the page is of, or of the newest ones."""
    parts = route.parts
    name = f"{parts['owner']}/{parts['repo']}"
    path = f"/repos/{name}/releases"
    if parts["tag"] or parts["latest"]:
        which = f"/tags/{parts['tag']}" if parts["tag"] else "/latest"
        found = objects([await asking.json("github", path + which)])
    else:
        found = objects(await asking.json("github", path, {"per_page": MOST}))
    if not found or not text_at(found[0], "tag_name"):
        raise FetchError("the repository has no releases", code="empty")
    one = found[0] if len(found) == 1 else None
    return Article(
        text=markdown_of(_post(release) for release in found),
        title=f"{name} {text_at(one, 'tag_name')}" if one else f"Releases of {name}",
        published=day(found[0].get("published_at")),
    )


def _post(release: Json) -> Post:
    name, tag = text_at(release, "name"), text_at(release, "tag_name")
    kind = "pre-release" if release.get("prerelease") is True else ""
    label = f"{name} ({tag})" if name and tag not in name else name or tag
    heading = joined(label, day(release.get("published_at")), kind)
    return Post(heading=heading, body=text_at(release, "body"))
