"""Which pages have an adapter: those of the sites themselves, whatever an address looks like."""

from __future__ import annotations

import subprocess
import sys

import pytest

from intelli.fetch.adapters.table import ENTRIES, route


@pytest.mark.parametrize(
    "url",
    [
        "https://evilgithub.com/a/b/issues/1",
        "https://github.com.evil.example/a/b/issues/1",
        "https://evil.example/github.com/a/b/issues/1",
        "https://github.com@evil.example/a/b/issues/1",
        "https://api.github.com/repos/a/b/issues/1",
        "https://xarxiv.org/abs/2301.00001",
        "https://en.wikipedia.org.evil.example/wiki/Ram",
        "https://notstackoverflow.com/questions/1",
        "https://news.ycombinator.com.evil.example/item?id=1",
        "ftp://github.com/a/b",
        "file:///github.com/a/b",
        "https://127.0.0.1/a/b/issues/1",
        "https://github.com",
        "https://github.com/features/actions",
        "https://github.com/search/x",
        "https://github.com/orgs/community/discussions/5",
        "https://en.wikipedia.org/wiki/Special:Search",
        "https://chat.stackexchange.com/questions/1",
        "https://x.com/ada",
        "https://reddit.com/r/pumps",
    ],
)
def test_a_page_that_is_not_of_the_site_has_no_adapter(url: str) -> None:
    assert route(url) is None


@pytest.mark.parametrize(
    ("url", "via"),
    [
        ("HTTPS://GitHub.com/a/b/issues/1", "github"),
        ("https://github.com./a/b", "github"),
        ("https://user:secret@github.com/a/b/", "github"),
        ("https://pt.stackoverflow.com/q/1", "stackexchange"),
        ("https://math.meta.stackexchange.com/questions/1", "stackexchange"),
        ("https://askubuntu.com/a/9", "stackexchange"),
        ("https://arxiv.org/abs/math.GT/0309136v1", "arxiv"),
        ("https://zh-yue.wikipedia.org/wiki/%E6%B0%B4", "wikipedia"),
    ],
)
def test_every_spelling_of_a_page_of_the_site_has_one(url: str, via: str) -> None:
    found = route(url)
    assert found is not None and found.via == via
    assert "secret" not in found.url.geturl()


@pytest.mark.parametrize(
    "part", ["a" * 50_000, "-" * 50_000, "a/" * 25_000, "." * 50_000, "%2F" * 9000]
)
def test_no_address_keeps_the_table_busy(part: str) -> None:
    hosts = ("github.com", "arxiv.org", "unix.stackexchange.com", "en.wikipedia.org", "reddit.com")
    for host in hosts:
        for prefix in ("/", "/a/b/", "/abs/", "/wiki/", "/r/x/comments/"):
            route(f"https://{host}{prefix}{part}!")
    route(f"https://{'a.' * 20_000}stackexchange.com/q/1")


def test_the_table_imports_no_adapter() -> None:
    code = "import sys, intelli.fetch.adapters.table as t; t.route('https://github.com/a/b');"
    names = {f"intelli.fetch.adapters.{entry.module}" for entry in ENTRIES}
    done = subprocess.run(
        [sys.executable, "-c", f"{code} print(*(m for m in sys.modules))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert not names & set(done.stdout.split())


def test_every_entry_has_its_module() -> None:
    urls = ("https://github.com/a/b", "https://x.com/a/status/1", "https://redd.it/abc12")
    found = [route(url) for url in urls]
    assert all(one is not None and callable(one.reader()) for one in found)
