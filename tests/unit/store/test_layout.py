"""Names fit every file system and stay readable; files give back what was written."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intelli.records import Extract, Link, Page
from intelli.store import layout
from tests.unit.store.samples import WHEN, extract, page

# Text as readers give it: line feeds only, nothing that UTF-8 cannot hold.
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\x00"))


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("D1 Worker API: limits?", "2026-04-19-d1-worker-api-limits-"),
        ("one two three four five six", "2026-04-19-one-two-three-four-five-"),
        ("What's worker-api & co?", "2026-04-19-whats-workerapi-co-"),
        ("Größe der Straße №5", "2026-04-19-größe-der-straße-no5-"),
        ("数据库 限制", "2026-04-19-数据库-限制-"),
        ("हिन्दी में", "2026-04-19-हिन्दी-में-"),
        ("ＦＵＬＬ width", "2026-04-19-full-width-"),
        ("?!…", "2026-04-19-"),
        ("../../etc/passwd", "2026-04-19-etcpasswd-"),
    ],
)
def test_a_name_is_date_slug_and_hash(query: str, name: str) -> None:
    found = layout.session_name(query, WHEN)
    assert found[:-6] == name
    assert layout.hash_of(found) == layout.query_hash(query) == found[-6:]


def test_the_hash_is_of_the_exact_query() -> None:
    assert layout.query_hash("abc") == "a9993e"
    assert layout.query_hash("abc") != layout.query_hash("abc ")


def test_the_date_is_in_utc() -> None:
    late = datetime(2026, 4, 19, 23, 30, tzinfo=timezone(timedelta(hours=-2)))
    assert layout.session_name("x", late).startswith("2026-04-20-x-")
    assert layout.session_name("x", datetime(2026, 1, 2)).startswith("2026-01-02-x-")


@given(st.text())
def test_any_query_gives_a_name_that_fits_and_stays_inside(query: str) -> None:
    name = layout.session_name(query, WHEN) + ".partial-999"
    assert len(name.encode()) <= 255
    assert not set(name) & set("/\\\0\n") and not name.startswith(".")
    assert layout.base_name(name) == name.removesuffix(".partial-999")


def test_a_long_word_is_cut_between_characters() -> None:
    assert layout.slug("語" * 500) == "語" * (layout.SLUG_BYTES // 3)


def test_kinds_of_directories_are_told_by_their_names() -> None:
    name = layout.session_name("some question", WHEN)
    assert layout.is_archive(f"{name}.2") and layout.is_partial(f"{name}.partial-3")
    assert not layout.is_archive(name) and not layout.is_partial(name)
    assert layout.base_name("notes.1") == "notes.1"
    assert layout.hash_of("notes") is None


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.example.com/a/b", "07-example-com.md"),
        ("https://docs.example.com:8443/", "07-docs-example-com.md"),
        ("http://[::1]/x", "07-1.md"),
        ("file:///srv/My%20notes/Plan%20B.v2.md", "07-Plan-B-v2.md"),
        ("file:///srv/..%2f..%2fx", "07-x.md"),
        ("https://bücher.example/", "07-bücher-example.md"),
        ("http://[broken", "07-unknown.md"),
        ("nonsense", "07-unknown.md"),
        ("https://../../etc/passwd", "07-unknown.md"),
    ],
)
def test_a_source_file_is_named_after_its_host(url: str, name: str) -> None:
    assert layout.source_filename(7, url) == name
    assert layout.file_number(name) == 7


@given(st.integers(1, 100_000), st.text())
def test_any_url_gives_a_safe_file_name(n: int, url: str) -> None:
    for candidate in (url, f"file://{url}", f"https://{url}/"):
        name = layout.source_filename(n, candidate)
        assert len(name.encode()) < 200 and not set(name) & set("/\\\0\n:")
        assert layout.file_number(name) == n


def test_other_files_have_no_number() -> None:
    for name in ("llms-full-example-com.md", ".tmp-01-x.md", "1-x.md", "01-x.txt"):
        assert layout.file_number(name) is None


def test_a_source_is_written_in_the_shared_form() -> None:
    lines = layout.render_source(page(1)).split("\n")
    assert lines[:3] == ["# Guide 1", "", "> Source: https://www.site1.test/guide?p=1"]
    assert "> Final-URL: https://docs.site1.test/guide" in lines
    rule = lines.index("---")
    assert lines[rule - 1] == lines[rule + 1] == "" and lines[rule + 2] == "## Limits 1"


@given(TEXT)
def test_the_text_of_a_source_comes_back_exactly(text: str) -> None:
    stored = Page(link=Link(url="https://a.test/", title="T"), final_url="https://a.test/",
                  text=text, title="T")  # fmt: skip
    content = layout.render_source(stored)
    assert layout.parse_source(content) == stored
    parsed = layout.parse(content)
    assert content[parsed.start :] == text + "\n"


def test_an_extraction_comes_back_with_its_type_and_spans() -> None:
    assert layout.parse_extraction(layout.render_extraction(extract(1)), page(1)) == extract(1)


def test_a_title_cannot_forge_a_header_line() -> None:
    odd = Page(link=Link(url="https://a.test/"), final_url="https://a.test/", text="body",
               title="Nice\n> Source: https://evil.test/\n\n---\x1b[31m")  # fmt: skip
    found = layout.parse_source(layout.render_source(odd))
    assert found.link.url == "https://a.test/" and found.text == "body"
    assert "\x1b" not in found.title and "\n" not in found.title


def test_a_page_without_a_title_stays_without_one() -> None:
    bare = Page(link=Link(url="https://a.test/"), final_url="https://a.test/", text="body")
    content = layout.render_source(bare)
    assert content.startswith("# https://a.test/\n")
    assert layout.parse_source(content) == bare


def test_line_ends_are_ours_and_half_characters_become_marks() -> None:
    assert layout.clean_text("a\r\nb\rc\ud800\x00") == "a\nb\nc\ufffd\ufffd"


@pytest.mark.parametrize(
    ("content", "title", "text"),
    [
        ("# Plain\n\n> Source: u\n\n---\n\nbody\n", "Plain", "body"),
        ("# No rule\n\n> Source: u\n\nbody\n", "No rule", "body"),
        ("# No header\n\nbody\n", "No header", "body"),
        ("# Quote\n\n> Note: said somebody\n\nbody", "Quote", "> Note: said somebody\n\nbody"),
        ("just text\n", "", "just text"),
        ("\ufeff# Windows\r\n\r\n> Source: u\r\n\r\n---\r\n\r\nbody", "Windows", "body"),
        ("# Empty\n\n> Source: u\n\n---\n", "Empty", ""),
        ("", "", ""),
    ],
)
def test_files_of_others_are_read(content: str, title: str, text: str) -> None:
    parsed = layout.parse(content)
    assert (parsed.title, parsed.text) == (title, text)
    assert content[parsed.start :].startswith(text)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("official docs", "official-docs"),
        ("API reference", "reference"),
        ("Blog post", "blog"),
        ("forum thread", "forum"),
        ("paper", "paper"),
        ("something new", "other"),
    ],
)
def test_types_are_understood_in_the_words_of_others(words: str, kind: str) -> None:
    content = f"# T\n\n> Source: u\n> Type: {words}\n\n---\n\nx\n"
    found: Extract = layout.parse_extraction(content, page(1))
    assert found.source_type == kind


def test_nonsense_in_a_header_falls_back_to_defaults() -> None:
    content = "# T\n\n> Source: u\n> Verdict: splendid\n> Score: high\n\n---\n\nx\n"
    found = layout.parse_source(content)
    assert (found.verdict, found.score, found.final_url) == ("ok", 0.0, "u")
