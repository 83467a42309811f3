"""Odd addresses and odd ways to lead on: each gives the page or says why not."""

from __future__ import annotations

import pytest

from intelli.errors import FetchError
from intelli.records import Page
from tests.unit.fetch.conftest import Internet
from tests.world import World
from tests.world import pages as made

TEXT = [
    "The pump moves 12 litres a minute at a pressure of 3 bar, measured at the outlet.",
    "Its valve opens at 4 bar and closes again at 3.5 bar, which the manual calls hysteresis.",
]
LONG = "/" + "a" * 5000


def code_of(internet: Internet, url: str) -> str:
    with pytest.raises(FetchError) as caught:
        internet.get(url)
    return caught.value.code


def is_whole(page: Page) -> bool:
    return page.verdict == "ok" and all(paragraph in page.text for paragraph in TEXT)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://pumps.test/pump_(device)", "/pump_(device)"),
        ("http://pumps.test/a b", "/a%20b"),
        ("  http://pumps.test/a  ", "/a"),
        ("http://pumps.test/a%2Fb", "/a%2Fb"),
        ("http://pumps.test/a%2fb", "/a%2Fb"),
        ("http://pumps.test/pümpe", "/p%C3%BCmpe"),
        ("http://pumps.test/a/../b/./c", "/b/c"),
        ("http://pumps.test/100%", "/100%"),
        ("http://pumps.test//double//slash", "//double//slash"),
        ("http://pumps.test:80/a#part", "/a"),
        ("http://pumps.test/a?x=[1]&y={2}|3", "/a"),
        (f"http://pumps.test{LONG}", LONG),
        ("http://user:secret@pumps.test/a", "/a"),
        ("HTTP://PUMPS.TEST/a", "/a"),
        ("http://pumps.test./a", "/a"),
        ("http://bücher.test/a", "/a"),
        ("http://xn--bcher-kva.test/a", "/a"),
        ("http://ｐｕｍｐｓ．test/a", "/a"),
        ("http://pumps.test/\u202egnp.exe", "/%E2%80%AEgnp.exe"),
    ],
)
def test_an_odd_address_is_the_page(world: World, internet: Internet, url: str, path: str) -> None:
    world.site.fallback = made.article("Pumps", TEXT)
    page = internet.get(url)
    assert is_whole(page)
    (asked,) = {exchange.request.target for exchange in world.site.server.log.exchanges}
    assert asked.partition("?")[0] == path
    assert "secret" not in page.final_url
    assert "authorization" not in world.site.server.log.exchanges[0].request.headers


@pytest.mark.parametrize(
    "url",
    [
        "", "pumps.test/a", "//pumps.test/a", "http://", "http:///a", "http://[::1", "http://a:0/",
        "http://a:99999/", "ftp://pumps.test/a", "javascript:alert(1)", "data:text/html,hi",
        "http://.../", "http://a..b/", "http://\0.test/", "http://pu mps.test/", "http://%zz/",
        f"http://{'a' * 300}.test/", "http://1.2.3.4.5/", "http://0x.test:x/", "mailto:a@b.test",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_and_reaches_for_nothing(
    world: World, internet: Internet, url: str
) -> None:
    assert code_of(internet, url) in ("bad-url", "dns", "private-address", "http-404")


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.1/x", "http://inner.test/x", "//169.254.169.254/x", "file:///etc/passwd"],
)
def test_no_way_of_leading_on_reaches_a_private_address(
    world: World, internet: Internet, target: str
) -> None:
    internet.addresses["inner.test"] = "10.0.0.1"
    world.site.add(
        "/refresh",
        made.Page(
            body=f'<meta http-equiv="refresh" content="0; url={target}"><p>Moved</p>'.encode()
        ),
    )
    world.site.add(
        "/frames",
        made.Page(
            body=f'<frameset cols="*"><frame name="main" src="{target}"></frameset>'.encode()
        ),
    )
    world.site.add(
        "/based",
        made.Page(
            body=(
                f'<base href="{target}"><meta http-equiv="refresh" content="0; url={target}">'
                f'<link rel="alternate" type="text/markdown" href="twin.md"><p>Moved</p>'
            ).encode()
        ),
    )
    for path in ("/refresh", "/frames", "/based"):
        try:
            internet.get(f"http://pumps.test{path}")
        except FetchError as error:
            assert error.code in ("private-address", "thin", "js-shell", "empty", "soft-404")
    assert not {"/x", "/etc/passwd"} & set(world.site.server.log.paths())
    assert "169.254.169.254" not in internet.names


def test_a_base_makes_links_of_the_text_and_nothing_else(world: World, internet: Internet) -> None:
    head = '<base href="http://elsewhere.test/deep/">'
    linked = made.article("Pumps", TEXT, head=head)
    body = linked.body.replace(b"</article>", b'<p>See <a href="seal">the seal</a>.</p></article>')
    world.site.add("/a", made.Page(body=body))
    page = internet.get("http://pumps.test/a")
    assert "[the seal](http://elsewhere.test/deep/seal)" in page.text
    assert page.final_url == "http://pumps.test/a"
    assert internet.names == ["pumps.test"]


FRAMES = """<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN"><html><head>
<title>Pump API</title></head><frameset cols="20%,80%">{frames}
<noframes><p>Your browser shows no frames.</p></noframes></frameset></html>"""


@pytest.mark.parametrize(
    "frames",
    [
        '<frame src="list.html" name="toc"><frame src="page.html?a=1&amp;b=2" name="classFrame">',
        "<FRAME SRC=page.html NAME=main><FRAME SRC=list.html NAME=toc>",
        '<frame src="list.html"><frame src="page.html">',
        '<frame src="http://other.test/page.html" name="main"><frame src="page.html">',
    ],
)
def test_of_a_set_of_frames_the_one_with_the_content_is_the_page(
    world: World, internet: Internet, frames: str
) -> None:
    world.site.add("/api/", made.Page(body=FRAMES.format(frames=frames).encode()))
    world.site.add("/api/page.html", made.article("Pump", TEXT))
    world.site.add("/api/list.html", made.article("All", ["Pump. Valve. Seal. " * 20]))
    page = internet.get("http://pumps.test/api/")
    assert is_whole(page)
    assert page.final_url.startswith("http://pumps.test/api/page.html")
    assert "other.test" not in internet.names


def test_frames_inside_frames_are_followed_once(world: World, internet: Internet) -> None:
    inner = FRAMES.format(frames='<frame src="/set/" name="main">').encode()
    world.site.add("/set/", made.Page(body=inner.replace(b"/set/", b"/set/deep")))
    world.site.add("/set/deep", made.Page(body=inner))
    page = internet.get("http://pumps.test/set/")
    assert page.verdict == "thin"
    asked = world.site.server.log.paths()
    assert (asked.count("/set/"), asked.count("/set/deep")) == (1, 1)


def test_xhtml_is_read(world: World, internet: Internet) -> None:
    body = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/x.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>Pumps</title>
<script src="x.js" /></head><body><div id="main"><h1>Pumps</h1><p>{TEXT[0]}<br /></p><p>{TEXT[1]}
</p><![CDATA[ stray ]]></div></body></html>"""
    page_type = "application/xhtml+xml"
    world.site.add("/x", made.Page(body=body.encode(), content_type=page_type))
    page = internet.get("http://pumps.test/x")
    assert (page.via, page.title) == ("html", "Pumps")
    assert is_whole(page)
