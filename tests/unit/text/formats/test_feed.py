"""Feeds become their entries with title, date and address."""

from __future__ import annotations

import pytest

from intelli.text.readers import read

RSS = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- made by hand -->
<rss version="2.0" xmlns:c="http://purl.org/rss/1.0/modules/content/"><channel>
<title>Gate news</title><description>About g\u00e4tes</description><language>de</language>
<item><title>Open &amp;amp; shut</title><link> https://gate.test/1 </link>
<pubDate>Wed, 05 Apr 2023 10:00:00 GMT</pubDate><description>short</description>
<c:encoded>&lt;p&gt;The &lt;b&gt;long&lt;/b&gt; story&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;
</c:encoded></item>
<item><title>Bare</title></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title type="html">Gate
news</title><updated>2023-04-05T10:00:00Z</updated><entry><title>One</title>
<link rel="self" href="https://gate.test/self"/><link href="https://gate.test/1"/>
<author><name>Ada</name></author><content type="xhtml">
<div xmlns="http://www.w3.org/1999/xhtml"><p>Water</p><pre>x = 1</pre></div></content></entry>
</feed>"""
OPML = """<opml><head><title>List</title></head><body><outline text="A"><outline text="B"
xmlUrl="https://b.test/f"/></outline></body></opml>"""


def test_rss() -> None:
    document = read(RSS.encode("latin-1"), "text/html", "https://gate.test/feed")
    assert (document.kind, document.title, document.language) == ("feed", "Gate news", "de")
    assert document.text == (
        "About gätes\n\n## Open & shut\n\n2023-04-05 · <https://gate.test/1>\n\n"
        "The **long** story\n\n## Bare"
    )


def test_atom() -> None:
    document = read(ATOM.encode(), "application/xml", "https://gate.test/feed")
    assert (document.title, document.published) == ("Gate news", "2023-04-05")
    assert document.text == "## One\n\nAda · <https://gate.test/1>\n\nWater\n\n```\nx = 1\n```"


def test_an_outline_is_a_list() -> None:
    document = read(OPML.encode(), "text/x-opml", "https://gate.test/list")
    assert (document.title, document.text) == ("List", "- A\n  - B <https://b.test/f>")


@pytest.mark.parametrize("text", ["<rss", "<rss>", "<feed xmlns='Atom'><a>", "<rss/>"])
def test_what_is_no_feed_is_shown_as_source(text: str) -> None:
    document = read(text.encode(), "application/rss+xml", "https://gate.test/")
    assert document.text.startswith("```xml\n")


def test_entities_of_a_feed_are_not_expanded() -> None:
    grown = "".join(f"<!ENTITY e{n} '{f'&e{n - 1};' * 10}'>" for n in range(1, 12))
    feed = "<rss><channel><title>t&e11;</title></channel></rss>"
    body = f"<!DOCTYPE rss [<!ENTITY e0 'aaaa'>{grown}]>{feed}"
    assert len(read(body.encode(), "application/rss+xml", "https://gate.test/").text) < 2_000
