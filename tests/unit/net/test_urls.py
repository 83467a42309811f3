"""URLs: what is fetched, what counts as the same address, what a host is."""

from __future__ import annotations

import pytest

from intelli.net import urls


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("HTTPS://Docs.Example.COM:443/Guide", "https://docs.example.com/Guide"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com:8080/a", "http://example.com:8080/a"),
        ("https://user:secret@example.com/a", "https://example.com/a"),
        ("https://example.com/a#install", "https://example.com/a"),
        ("https://example.com/a?utm_source=x&b=2&gclid=9", "https://example.com/a?b=2"),
        ("https://example.com/a?ref=main&utm=kept", "https://example.com/a?ref=main&utm=kept"),
        ("https://example.com/a?PHPSESSID=1f&b=2&JSessionID=x", "https://example.com/a?b=2"),
        ("https://example.com/a;jsessionid=0A1B.n1?b=2", "https://example.com/a?b=2"),
        ("https://example.com/a;v=2/b", "https://example.com/a;v=2/b"),
        ("https://example.com/a?sid=" + "0f" * 16, "https://example.com/a"),
        ("https://example.com/a?sid=25/11/3&s=pump", "https://example.com/a?sid=25/11/3&s=pump"),
        ("https://example.com/a/../b/./c", "https://example.com/b/c"),
        ("https://example.com/%7euser/%e4", "https://example.com/~user/%E4"),
        ("https://example.com/a b/ü?q=ö", "https://example.com/a%20b/%C3%BC?q=%C3%B6"),
        ("https://bücher.example/x", "https://xn--bcher-kva.example/x"),
        ("https://example.com./a", "https://example.com/a"),
        ("https://de.example.org/wiki/Foo_(bar)", "https://de.example.org/wiki/Foo_(bar)"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
        ("  https://example.com/a \n", "https://example.com/a"),
    ],
)
def test_what_is_fetched_is_spelt_one_way(given: str, expected: str) -> None:
    assert urls.clean(given) == expected
    assert urls.clean(expected) == expected


@pytest.mark.parametrize("given", ["mailto:a@example.com", "not a url", "", "http://[::1", "//a/b"])
def test_what_is_no_web_address_comes_back_as_it_was(given: str) -> None:
    assert urls.clean(given) == given
    assert not urls.is_http(given)


def test_a_port_that_cannot_be_is_no_address() -> None:
    assert not urls.is_http("http://example.com:99999/")
    assert not urls.is_http("http://example.com:0/")


def test_duplicates_share_a_key() -> None:
    spellings = [
        "https://www.example.com/guide/",
        "http://example.com/guide",
        "https://example.com/guide?utm_medium=mail#top",
        "HTTPS://EXAMPLE.com:443/guide",
    ]
    assert {urls.key(url) for url in spellings} == {"example.com/guide"}


def test_different_pages_have_different_keys() -> None:
    pages = [
        "https://example.com/guide",
        "https://example.com/Guide",
        "https://example.com/guide?page=2",
        "https://docs.example.com/guide",
        "https://example.com:8443/guide",
    ]
    assert len({urls.key(url) for url in pages}) == len(pages)


def test_only_the_key_folds_scheme_and_www() -> None:
    assert urls.canonical("http://www.example.com/a/") == "http://www.example.com/a"
    assert urls.canonical("https://example.com/") == "https://example.com/"


def test_tracking_parameters_stay_in_the_form_used_for_redirects() -> None:
    assert urls.normal("https://example.com/a?utm_source=x") == (
        "https://example.com/a?utm_source=x"
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://www.example.com/a", "https://example.com/b", True),
        ("https://example.com/a", "https://docs.example.com/b", True),
        ("https://a.example.com/", "https://b.example.com/", False),
        ("https://example.com/", "https://badexample.com/", False),
        ("https://example.com/", "nonsense", False),
    ],
)
def test_a_site_is_a_host_and_its_subdomains(one: str, other: str, same: bool) -> None:
    assert urls.same_site(one, other) is same


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://Example.COM./x", "example.com"),
        ("http://１２７.０.０.１/", "127.0.0.1"),
        ("http://[FE80::1%25eth0]/", "fe80::1"),
        ("nonsense", ""),
    ],
)
def test_a_host_is_plain_ascii(url: str, expected: str) -> None:
    assert urls.host(url) == expected
