"""A session as one HTML file, with pages in it that want to be more than text."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from intelli.records import (
    Query,
)
from intelli.show.page import page
from tests.unit.show.sessions import FIRST, claim, found_at, research, source

HOSTILE = [
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "</pre></details><script>document.title='owned'</script>",
    "[click](javascript:document.title='owned')",
    "<svg onload=document.title='owned'>",
    "![x](https://elsewhere.example/pixel.png)",
    "\" onmouseover=\"document.title='owned'",
    "<style>*{display:none}</style>",
    "\ue0000:1\ue001<script>document.title='owned'</script>",
    "&lt;script&gt;document.title='owned'&lt;/script&gt;",
    "```\n</code></pre><script>document.title='owned'</script>\n```",
    "<meta http-equiv=refresh content='0;url=https://elsewhere.example/'>",
]


def hostile_page(text: str) -> str:
    known = research(f"{text} [1]")
    bad = source(1, f"https://bad.example/{text}", text)
    unsafe = source(2, "javascript:document.title='owned'", text)
    return page(
        replace(
            known,
            query=Query(text=text, focus=text),
            sources=(bad, unsafe),
            warnings=(text,),
            report=replace(known.report, assessment=text),
        ),
        {1: text, 2: text},
    )


PLAIN_TAGS = set(
    "body main section details summary h1 h2 h3 p ul ol li a em strong code pre mark table"
    " blockquote".split()
)


def parsed(html: str) -> tuple[set[str], list[tuple[str, str]]]:
    """The tags, and the attributes with their values, that a browser would see."""
    tags: set[str] = set()
    attributes: list[tuple[str, str]] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.add(tag)
            attributes.extend((name, value or "") for name, value in attrs)

    Collector().feed(html)
    return tags, attributes


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_page_put_into_it_becomes_markup(text: str) -> None:
    html = hostile_page(text)
    tags, attributes = parsed(html[html.index("<body>") :])
    assert tags <= PLAIN_TAGS
    assert {name for name, _ in attributes} <= {"class", "id", "href", "rel", "start"}
    links = [value for name, value in attributes if name == "href"]
    assert all(link.startswith(("#", "http://", "https://")) for link in links)


@pytest.mark.parametrize(
    ("link", "href"),
    [
        (
            "[x](https://a.example/?ids[0]=1&b[1]=2)",
            "https://a.example/?ids%5B0%5D=1&amp;b%5B1%5D=2",
        ),
        ("<https://a.example/rows[1]>", "https://a.example/rows%5B1%5D"),
        ("[x](#c0-1)", None),
        ("[x](java[1]script:alert)", None),
        ("[x](docs/local.md)", None),
        ("[x](//a.example/)", None),
        ("[x](file:///etc/passwd)", None),
        ("[x](data:image/png;base64,AA)", None),
    ],
)
def test_only_addresses_of_the_web_are_links_and_stay_as_they_are(
    link: str, href: str | None
) -> None:
    html = page(research(f"See {link} or"), {1: FIRST})
    summary = html[html.index("<h2>Summary") : html.index("<h2>Sources")]
    assert re.findall(r'<a href="([^"]*)"', summary) == ([href] if href else [])
    assert "\ue000" not in html and "%EE%80" not in html


BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync"
    " --disable-background-networking --disable-component-update --virtual-time-budget=2000"
)


def dom(path: Path, fragment: str, profile: Path) -> str:
    """What a browser makes of the page after opening it at `fragment`."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no browser found: install chromium to run this test")
    done = subprocess.run(
        [browser, *FLAGS.split(), f"--user-data-dir={profile}", "--dump-dom",
         path.as_uri() + fragment],
        capture_output=True, check=True, timeout=90,
    )  # fmt: skip
    return done.stdout.decode()


def test_a_browser_opens_the_passage_and_runs_nothing(tmp_path: Path) -> None:
    summary = "It moves 12 litres a minute. [1]"
    verified = claim(
        "It moves 12 litres a minute.",
        summary,
        sources=(1,),
        status="verified",
        evidence=(found_at(FIRST, "12 litres a minute", 1),),
    )
    target = tmp_path / "report.html"
    bad = "\n".join(HOSTILE)
    target.write_text(page(research(summary, verified), {1: FIRST, 2: bad}), encoding="utf-8")
    opened = dom(target, "#c0-1", tmp_path / "profile")
    assert re.search(r'<details id="s1" open', opened)
    assert not re.search(r'<details id="s2" open', opened)
    assert "<title>How fast is the pump?</title>" in opened
