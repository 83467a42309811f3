"""Which addresses are one page, and which are not."""

from __future__ import annotations

import pytest

from intelli.net import urls
from intelli.search.folding import language, page_key

SAME = {
    "spellings": [
        "https://example.org/guide", "http://www.example.org/guide/", "https://EXAMPLE.org:443/guide#x",
        "https://example.org/./guide?utm_source=a", "https://example.org/%67uide",
        "https://u:p@example.org/guide", "https://example.org./guide?fbclid=1",
    ],
    "sessions": [
        "https://example.org/a?x=1", "https://example.org/a?x=1&PHPSESSID=abc",
        "https://example.org/a;jsessionid=0A1B2C?x=1",
        "https://example.org/a?sid=0123456789abcdef0123456789abcdef&x=1",
    ],
    "mobile": ["https://example.org/a", "https://m.example.org/a", "https://mobile.example.org/a"],
    "amp": [
        "https://news.example.org/story", "https://amp.news.example.org/story",
        "https://news.example.org/story/amp/", "https://news.example.org/story?amp=1",
        "https://www.google.com/amp/s/news.example.org/story/amp",
        "https://news-example-org.cdn.ampproject.org/c/s/news.example.org/story",
    ],
    "amp file": ["https://example.org/a.html", "https://example.org/a.amp.html"],
    "wikipedia": [
        "https://en.wikipedia.org/wiki/Foo_(bar)", "https://en.m.wikipedia.org/wiki/Foo_(bar)#Uses",
        "https://en.wikipedia.org/w/index.php?title=Foo (bar)",
    ],
    "reddit": [
        "https://www.reddit.com/r/a/comments/1/b/", "https://old.reddit.com/r/a/comments/1/b",
        "https://np.reddit.com/r/a/comments/1/b/",
    ],
    "video": [
        "https://www.youtube.com/watch?v=aB3_x-9kLmN&t=5s", "https://youtu.be/aB3_x-9kLmN?si=q",
        "https://m.youtube.com/watch?list=x&v=aB3_x-9kLmN", "https://youtube.com/shorts/aB3_x-9kLmN",
        "https://www.youtube-nocookie.com/embed/aB3_x-9kLmN",
    ],
    "paper": [
        "https://arxiv.org/abs/2401.01234", "https://arxiv.org/pdf/2401.01234v2",
        "http://export.arxiv.org/abs/2401.01234v1", "https://arxiv.org/pdf/2401.01234.pdf",
        "https://arxiv.org/html/2401.01234v3", "https://ar5iv.labs.arxiv.org/html/2401.01234",
    ],
    "old paper": ["https://arxiv.org/abs/math.GT/0309136", "https://arxiv.org/pdf/math.GT/0309136v1"],
    "code": [
        "https://github.com/Owner/Repo/blob/main/src/a.py",
        "https://raw.githubusercontent.com/owner/repo/main/src/a.py",
        "https://raw.githubusercontent.com/owner/repo/refs/heads/main/src/a.py",
        "https://github.com/owner/repo/raw/main/src/a.py",
    ],
    "repository": ["https://github.com/Owner/Repo", "https://github.com/owner/repo.git"],
    "thread": [
        "https://stackoverflow.com/questions/11/how-to", "https://stackoverflow.com/q/11",
        "https://stackoverflow.com/questions/11/how-to/12#12",
    ],
    "doi": ["https://doi.org/10.1000/ABC", "http://dx.doi.org/10.1000/abc"],
    "translations": [
        "https://docs.example.org/en/a", "https://docs.example.org/pt-BR/a",
        "https://docs.example.org/zh_Hant/a",
    ],
    "interface": ["https://example.org/a?hl=de", "https://example.org/a?hl=en", "https://example.org/a"],
    "documentation": [
        "https://tool.readthedocs.io/en/stable/a.html", "https://tool.readthedocs.io/en/latest/a.html",
    ],
    "posts": ["https://twitter.com/u/status/1", "https://x.com/u/status/1"],
}  # fmt: skip

DIFFERENT = [
    ("https://example.org/a?x=1", "https://example.org/a?x=2"),
    ("https://example.org/a?sid=25/11/3", "https://example.org/a?sid=25/11/4"),
    ("https://example.org/Guide", "https://example.org/guide"),
    ("https://docs.example.org/a", "https://example.org/a"),
    ("https://de.wikipedia.org/wiki/Pumpe", "https://en.wikipedia.org/wiki/Pumpe"),
    ("https://example.org/de/a", "https://example.org/de/b"),
    ("https://example.org/de", "https://example.org/en"),
    ("https://example.org/de/a", "https://example.org/a"),
    ("https://example.org/go/a", "https://example.org/c/a"),
    ("https://tool.readthedocs.io/en/v1.0/a", "https://tool.readthedocs.io/en/v2.0/a"),
    ("https://docs.example.org/stable/a", "https://docs.example.org/latest/a"),
    ("https://arxiv.org/abs/2401.01234", "https://arxiv.org/abs/2401.01235"),
    ("https://arxiv.org/list/cs.CL/recent", "https://arxiv.org/list/cs.AI/recent"),
    ("https://github.com/o/r/blob/main/a.py", "https://github.com/o/r/blob/dev/a.py"),
    ("https://github.com/o/r", "https://github.com/o/r/issues"),
    ("https://github.com/o/no/issues/1", "https://github.com/o/vi/issues/1"),
    ("https://www.youtube.com/watch?v=aB3_x-9kLmN", "https://www.youtube.com/watch?v=aB3_x-9kLmM"),
    ("https://www.youtube.com/@one", "https://www.youtube.com/@two"),
    ("https://stackoverflow.com/questions/11/a", "https://serverfault.com/questions/11/a"),
    ("https://m.co/a", "https://co/a"),
    ("https://example.org/amp", "https://example.org/"),
]


@pytest.mark.parametrize("pages", SAME.values(), ids=SAME)
def test_addresses_of_one_page_share_a_key(pages: list[str]) -> None:
    assert len({page_key(url) for url in pages}) == 1


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_other_pages_do_not(one: str, other: str) -> None:
    assert page_key(one) != page_key(other)


@pytest.mark.parametrize("url", [url for pages in SAME.values() for url in pages])
def test_what_is_fetched_keeps_its_host(url: str) -> None:
    assert urls.host(urls.clean(url)) == urls.host(url)


@pytest.mark.parametrize(
    "url",
    ["", "file:///a/b", "javascript:alert(1)", "http://[::1", "https://" + "a." * 5000 + "org/",
     "https://example.org/" + "amp/" * 50_000, "https://example.org/?" + "hl=de&" * 50_000,
     "https://www.google.com/amp/s/", "https://youtu.be/", "https://doi.org/%ff%00",
     "https://example.org/\ud800?q=\udfff"],
)  # fmt: skip
def test_odd_addresses_have_a_key_too(url: str) -> None:
    assert isinstance(page_key(url), str)
    assert isinstance(language(url), str)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org/en-US/docs", "en"),
        ("https://example.org/docs/pt_BR/a", "pt"),
        ("https://example.org/a?hl=DE", "de"),
        ("https://example.org/go/a", ""),
        ("https://example.org/", ""),
    ],
)
def test_an_address_may_name_its_language(url: str, expected: str) -> None:
    assert language(url) == expected
