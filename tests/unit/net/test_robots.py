"""robots.txt where it is honoured: what it says, and what is made of a site without one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from intelli.errors import FetchError
from intelli.net import robots
from intelli.net.client import Network, Policy
from tests.world import World
from tests.world.pages import Page, plain, redirect

SITE = "http://a.example"
ESCAPE = "Disallow: /caf%c3%a9/"


@pytest.mark.parametrize(
    ("rules", "path", "may"),
    [
        ("Disallow: /", "/a", False),
        ("Disallow:", "/a", True),
        ("Disallow: /private", "/private/a", False),
        ("Disallow: /private", "/Private/a", True),
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("Allow: /a/b\nDisallow: /a", "/a/c", False),
        ("Disallow: /a\nAllow: /a", "/a", True),
        ("Disallow: /*.pdf$", "/x/y.pdf", False),
        ("Disallow: /*.pdf$", "/x/y.pdf?page=1", True),
        ("Disallow: /*.pdf", "/x/y.pdf?page=1", False),
        ("Disallow: /a*b*c", "/axxbxxc", False),
        ("Disallow: /a*b*c", "/axxcxxb", True),
        ("Disallow: /a*a$", "/a", True),
        ("Disallow: /a$", "/a", False),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: *", "/a", False),
        ("Disallow: /?q=", "/?q=1", False),
        (ESCAPE, "/caf%C3%A9/a", False),
        ("Disallow: /café/", "/caf%C3%A9/a", False),
        ("disallow : /a # a remark", "/a", False),
        ("Disalow: /a\nSitemap: x\nCrawl-delay: 9", "/a", True),
    ],
)
def test_the_longest_rule_that_matches_decides(rules: str, path: str, may: bool) -> None:
    assert robots.parse(f"User-agent: *\n{rules}\n").allow(SITE + path) == may


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("User-agent: *\nDisallow: /\n\nUser-agent: Intelli\nDisallow: /b", True),
        ("User-agent: intelli/1.0\nDisallow: /a\n\nUser-agent: *\nDisallow:", False),
        ("User-agent: other\nUser-agent: intelli\nDisallow: /a", False),
        ("User-agent: other\nDisallow: /a", True),
        ("User-agent: intelligence\nDisallow: /a", True),
        ("User-agent: intelli\nAllow: /\n\nUser-agent: intelli\nDisallow: /a", False),
        ("User-agent: *\nCrawl-delay: 3\nUser-agent: other\nDisallow: /a", False),
        ("Disallow: /a", True),
        ("\ufeffUser-agent: *\r\nDisallow: /a\r\n", False),
        ("", True),
        ("<html><body>User-agent: *</body></html>", True),
    ],
)
def test_the_group_that_names_us_comes_before_the_one_for_everybody(text: str, may: bool) -> None:
    assert robots.parse(text.removeprefix("\ufeff")).allow(f"{SITE}/a") == may


def test_hostile_patterns_take_no_longer_than_a_search() -> None:
    rules = "\n".join(f"Disallow: /{'a*' * 900}b{n}" for n in range(250))
    assert robots.parse(f"User-agent: *\n{rules}").allow(f"{SITE}/{'a' * 5_000}")


def fetch(*urls: str, robots: bool = True, **more: Any) -> list[str]:
    """The body of each page, or the code where there is none, in one run."""

    async def work() -> list[str]:
        found = []
        policy = Policy(robots=robots)
        async with Network(allow_private=True, max_bytes=900_000, policy=policy) as network:
            for url in urls:
                try:
                    page = await network.fetch(url, accept="*/*", timeout=5)
                    found.append(page.body.decode())
                except FetchError as error:
                    found.append(error.code)
        return found

    return asyncio.run(work())


def test_a_page_that_is_asked_not_to_be_read_is_not_requested(world: World) -> None:
    world.site.add("/robots.txt", plain("User-agent: *\nDisallow: /a"))
    urls = [world.site.add(path, plain("hello"), port=0) for path in ("/a", "/b", "/b2")]
    assert fetch(*urls) == ["robots", "hello", "hello"]
    assert world.site.server.log.paths() == ["/robots.txt", "/b", "/b2"]


def test_nobody_asks_for_the_file_unless_it_is_to_be_honoured(world: World) -> None:
    world.site.add("/robots.txt", plain("User-agent: *\nDisallow: /"))
    assert fetch(world.site.add("/a", plain("hello")), robots=False) == ["hello"]
    assert world.site.server.log.paths() == ["/a"]


def test_a_redirect_does_not_lead_around_it(world: World) -> None:
    world.site.add("/robots.txt", plain("User-agent: *\nDisallow: /a"))
    world.site.add("/a", plain("hello"))
    assert fetch(world.site.add("/b", redirect("/a"), port=0)) == ["robots"]
    assert "/a" not in world.site.server.log.paths()


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (Page(status=404), "hello"),
        (Page(status=403), "hello"),
        (Page(status=500), "robots"),
        (Page(fault="reset"), "robots"),
        (plain("User-agent: *\nDisallow: /x\n" + "#" * 600_000 + "\nDisallow: /a"), "hello"),
        (redirect("/robots.txt"), "hello"),
    ],
)
def test_a_site_without_the_file_allows_all_and_a_broken_one_nothing(
    world: World, answer: Page, found: str
) -> None:
    world.site.add("/robots.txt", answer)
    assert fetch(world.site.add("/a", plain("hello"))) == [found]


def test_the_file_of_another_host_is_no_rule_here(world: World) -> None:
    world.site.add("/robots.txt", plain("User-agent: *\nDisallow: /"), plain("User-agent: *"))
    one, other = world.site.url("/a", 0), world.site.url("/a", 1)
    world.site.add("/a", plain("hello"))
    assert fetch(one, other) == ["robots", "hello"]
