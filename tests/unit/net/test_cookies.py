"""Cookies of a run: whose they are, and how many there may be."""

from __future__ import annotations

import pytest

from intelli.net import cookies
from intelli.net.cookies import Cookies


def jar(url: str, *lines: str) -> Cookies:
    kept = Cookies()
    kept.keep(url, lines)
    return kept


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/x", "n=1"),
        ("https://b.a.example/", ""),
        ("https://b.example/", ""),
        ("https://example/", ""),
        ("https://a.example:8443/", ""),
    ],
)
def test_a_cookie_goes_back_to_its_own_site_alone(url: str, shown: str) -> None:
    assert jar("https://a.example/", "n=1; Path=/").header(url) == shown


@pytest.mark.parametrize("domain", ["example", "a.example", "b.example", ".com", "co.uk"])
def test_whatever_domain_it_names(domain: str) -> None:
    kept = jar("https://a.example/", f"n=1; Path=/; Domain={domain}")
    for host in ("b.example", "x.a.example", "c.co.uk", "com"):
        assert kept.header(f"https://{host}/") == ""


def test_www_and_bare_name_are_one_site() -> None:
    kept = jar("https://www.a.example/", "n=1; Path=/; Domain=a.example")
    assert kept.header("https://a.example/") == "n=1"


def test_secure_cookies_do_not_travel_in_the_clear() -> None:
    kept = jar("https://a.example/", "n=1; Secure", "m=2")
    assert kept.header("http://a.example/") == "m=2"


def test_cookies_end_when_they_say() -> None:
    kept = jar("https://a.example/", "n=1", "m=2")
    kept.keep("https://a.example/", ["n=; Max-Age=0"])
    assert kept.header("https://a.example/") == "m=2"


def test_cookies_have_limits() -> None:
    assert jar("https://a.example/", "n=" + "x" * 5_000).header("https://a.example/") == ""
    kept = Cookies()
    for n in range(200):
        kept.keep("https://a.example/", [f"n{n}={n}"])
    assert len(kept.header("https://a.example/").split("; ")) <= cookies.MAX_COOKIES
    for n in range(cookies.MAX_SITES + 5):
        kept.keep(f"https://{n}.example/", ["n=1"])
    assert kept.header("https://0.example/") == ""
    assert kept.header(f"https://{cookies.MAX_SITES}.example/") == "n=1"


@pytest.mark.parametrize("line", ["", ";;;", "=", "n", "n=\x00\x01", "n=1; Expires=never", "é=ü"])
def test_odd_lines_do_no_harm(line: str) -> None:
    jar("https://a.example/", line).header("https://a.example/").encode("latin-1")
