"""A page's address, and failing that its wording, tells what kind of source it is."""

from __future__ import annotations

import pytest

from intelli.extract.source_type import source_type
from intelli.records import Link, Page, SourceType


def page(url: str, text: str = "Plain words.", title: str = "") -> Page:
    return Page(link=Link(url=url), final_url=url, text=text, title=title)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://docs.python.org/3/library/asyncio-task.html", "official-docs"),
        ("https://developers.cloudflare.com/d1/get-started/", "official-docs"),
        ("https://docs.github.com/en/rest/quickstart", "official-docs"),
        ("https://docs.github.com/rest/reference/gists", "reference"),
        ("https://requests.readthedocs.io/en/latest/user/quickstart/", "official-docs"),
        ("https://requests.readthedocs.io/en/latest/api/", "reference"),
        ("https://support.example.com/articles/12", "official-docs"),
        ("https://example.com/docs/install", "official-docs"),
        ("https://docs.digitalocean.com/products/apps/", "official-docs"),
        ("https://docs.rs/serde/latest/serde/", "reference"),
        ("https://developer.mozilla.org/en-US/docs/Web/API/fetch", "reference"),
        ("https://en.wikipedia.org/wiki/Normandy", "reference"),
        ("https://www.rfc-editor.org/rfc/rfc9110", "reference"),
        ("https://index.example.com/package/queue", "reference"),
        ("https://realpython.com/python-async/", "tutorial"),
        ("https://example.com/tutorials/first-steps", "tutorial"),
        ("https://medium.com/@someone/queues-explained-1a2b", "blog"),
        ("https://dev.to/someone/queues", "blog"),
        ("https://blog.example.com/queues", "blog"),
        ("https://example.com/2024/05/queues/", "blog"),
        ("https://developer.chrome.com/blog/new-in-120", "blog"),
        ("https://stackoverflow.com/questions/11227809/why", "forum"),
        ("https://unix.stackexchange.com/q/1", "forum"),
        ("https://discuss.python.org/t/a-topic/123", "forum"),
        ("https://github.com/pallets/flask/issues/12", "forum"),
        ("https://gitlab.com/group/project/-/merge_requests/3", "forum"),
        ("https://github.com/pallets/flask", "official-docs"),
        ("https://github.com/pallets/flask/blob/main/docs/config.rst", "official-docs"),
        ("https://github.com/pallets/flask/blob/main/src/flask/app.py", "code"),
        ("https://gist.github.com/someone/0a1b/raw/x.sh", "code"),
        ("file:///home/me/project/lib/queue.rs", "code"),
        ("https://arxiv.org/abs/1706.03762", "paper"),
        ("https://doi.org/10.1000/182", "paper"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC5477389/", "paper"),
        ("https://example.com/", "other"),
        ("", "other"),
    ],
)
def test_address_decides(url: str, expected: SourceType) -> None:
    assert source_type(page(url)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Sorting\n\nIn this tutorial we sort a list.", "tutorial"),
        ("7 min read\n\nWe moved our queue.", "blog"),
        ("Why is it slow?\n\n3 answers\n\nBecause of the lock.", "forum"),
        ("Abstract\n\nWe study queues.\n\n1 Introduction\n\nQueues are old.", "paper"),
        ("## push\n\n### Parameters\n\n- item", "reference"),
        ("# Tool\n\n## Installation\n\nUnpack it.", "official-docs"),
    ],
)
def test_wording_decides_where_the_address_is_silent(text: str, expected: SourceType) -> None:
    assert source_type(page("https://example.com/x", text)) == expected


def test_the_address_wins_over_the_wording() -> None:
    wording = "In this tutorial we sort a list."
    assert source_type(page("https://docs.example.com/sorting", wording)) == "official-docs"


def test_the_final_address_counts_not_the_link() -> None:
    moved = Page(
        link=Link(url="https://example.com/go"),
        final_url="https://docs.example.com/queues",
        text="Plain words.",
    )
    assert source_type(moved) == "official-docs"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("manual/retries.md", "Plain words.", "official-docs"),
        ("manual/install.rst", "In this tutorial we install it.", "official-docs"),
        ("manual/deploy.html", "Plain words.", "official-docs"),
        ("manual/CHANGELOG.md", "Plain words.", "official-docs"),
        ("manual/http-post.md", "Plain words.", "official-docs"),
        ("manual/blog-tuning.md", "Plain words.", "blog"),
        ("manual/tuning.md", "*Posted on 3 March*\n\nWe tuned it.", "blog"),
        ("manual/forum.md", "Plain words.", "forum"),
        ("manual/pool.py", "Posted on 3 March", "code"),
        ("blog/manual/retries.md", "Plain words.", "official-docs"),
    ],
)
def test_files_of_one_folder_are_of_one_family(path: str, text: str, expected: SourceType) -> None:
    assert source_type(page(f"file:///home/me/{path}", text)) == expected
