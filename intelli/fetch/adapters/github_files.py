"""Repositories, folders and files of GitHub: the README, or the file as it is."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import Article, Asking
from intelli.fetch.adapters.threads import text_at

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route


async def read(route: Route, asking: Asking) -> Article:
    """A file, or the README of a repository or folder. The host of raw files costs nothing of the
    quota of the API, so it comes first."""
    parts = route.parts
    name = f"{parts['owner']}/{parts['repo'].removesuffix('.git')}"
    if parts.get("path"):
        return await _file(asking, name, parts["ref"], parts["path"])
    ref, folder = parts.get("ref", ""), parts.get("folder", "")
    inside = f"{folder}/" if folder else ""
    try:
        return await _file(asking, name, ref or "HEAD", f"{inside}README.md", is_readme=True)
    except FetchError:
        return await _readme(asking, name, ref, folder)


async def _file(
    asking: Asking, name: str, ref: str, path: str, *, is_readme: bool = False
) -> Article:
    address = f"/{name}/{ref}/{path}"
    response = await asking.get("github-raw", address, accept="*/*")
    document = await asking.read(response.body, response.content_type, response.url)
    if is_readme:
        url = f"https://github.com/{name}" if ref == "HEAD" else ""
        return Article(text=_with_title(document.title, document.text), title=name, url=url)
    title = f"{name}: {path}"
    if document.title and not path.endswith(document.title):
        title = f"{document.title} ({title})"
    return Article(text=document.text, title=title)


async def _readme(asking: Asking, name: str, ref: str, folder: str) -> Article:
    """The README under whatever name it has."""
    path = f"/repos/{name}/readme" + (f"/{folder}" if folder else "")
    found = await asking.json("github", path, {"ref": ref} if ref else None)
    try:
        body = base64.b64decode(text_at(found, "content"))
    except (binascii.Error, ValueError) as error:
        raise FetchError("the README came damaged", code="bad-answer") from error
    document = await asking.read(body, "", f"https://github.com/{text_at(found, 'name')}")
    return Article(text=_with_title(document.title, document.text), title=name)


def _with_title(title: str, text: str) -> str:
    return f"# {title}\n\n{text}" if title else text
