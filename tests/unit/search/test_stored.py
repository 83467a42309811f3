"""Pages of earlier runs: found by their passages, read as they were stored."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from intelli.errors import BackendError, FetchError
from intelli.net.client import Network
from intelli.records import Answer, Link, Page, Query
from intelli.search.backend import Equipment, make
from intelli.search.rules import select
from intelli.search.stored import Match, StoredPages
from intelli.settings import load
from intelli.store.layout import render_source
from intelli.store.listing import FEW, database
from tests.world.sessions import write_session

PUMP = "https://pumps.example.org/drain"
WELL = "https://wells.example.org/depth"


def put(cache: Path, session: str, *pages: Page) -> None:
    folder = cache / session / "sources"
    folder.mkdir(parents=True, exist_ok=True)
    for n, page in enumerate(pages, 1):
        (folder / f"{n:02}-page.md").write_text(render_source(page), encoding="utf-8")


def page(url: str, text: str, **more: str) -> Page:
    fields = {"title": "A page", "via": "pdf", "fetched": "2026-01-02T03:04:05Z"} | more
    return Page(link=Link(url=url), final_url=url, text=text, **fields)  # type: ignore[arg-type]


def search(cache: Path, text: str, most: int = 5) -> tuple[Match, ...]:
    return asyncio.run(StoredPages(cache).search(text, most))


def urls(found: tuple[Match, ...]) -> list[str]:
    return [match.page.link.url for match in found]


def test_pages_of_all_sessions_are_ranked_by_their_passages(tmp_path: Path) -> None:
    put(tmp_path, "2026-01-01-a-000001", page(PUMP, "# Drain\n\nThe pump drains its queue."))
    filler = "\n\n".join(f"Something else about gardens, part {n}." for n in range(200))
    put(
        tmp_path,
        "2026-01-02-b-000002",
        page(WELL, f"A pump.\n\n{filler}"),
        page("https://none.example.org/", "Nothing of it."),
    )
    found = search(tmp_path, "how does the pump drain its queue")
    assert urls(found) == [PUMP, WELL]
    assert found[0].snippet == "The pump drains its queue."
    assert urls(search(tmp_path, "pump", most=1)) != []
    assert search(tmp_path, "submarine") == ()


def test_of_one_address_the_newest_copy_counts(tmp_path: Path) -> None:
    new = page("http://www.pumps.example.org/drain/", "New pump.", fetched="2026-03-01T00:00:00Z")
    put(tmp_path, "2026-01-01-a-000001", new)
    put(tmp_path, "2026-01-05-b-000002", page(PUMP, "Old pump."))
    (match,) = search(tmp_path, "pump")
    assert match.snippet == "New pump."
    again = asyncio.run(StoredPages(tmp_path).read(PUMP))
    assert (again.text, again.fetched) == ("New pump.", "2026-03-01T00:00:00Z")


def test_a_page_is_read_as_it_was_stored(tmp_path: Path) -> None:
    stored = page(
        PUMP, "Text\n\n> Source: x\n", published="2025-05-05", verdict="truncated", digest="d1"
    )
    put(tmp_path, "2026-01-01-a-000001", stored)
    read = asyncio.run(StoredPages(tmp_path).read(PUMP + "?utm_source=x"))
    assert (read.via, read.fetched, read.published) == ("pdf", stored.fetched, "2025-05-05")
    assert (read.verdict, read.digest, read.text) == ("truncated", "d1", stored.text)


def test_what_is_not_stored_is_not_read(tmp_path: Path) -> None:
    put(tmp_path, "2026-01-01-a-000001", page(PUMP, "Text."))
    with pytest.raises(FetchError) as caught:
        asyncio.run(StoredPages(tmp_path).read("https://elsewhere.example/"))
    assert caught.value.code == "not-stored"


def test_sessions_of_other_programs_are_read(tmp_path: Path) -> None:
    write_session(tmp_path, "pumps", {PUMP: "The pump drains."})
    (match,) = search(tmp_path, "pump")
    assert (match.page.link.url, match.page.title) == (PUMP, "Page 1")


def test_damaged_files_are_passed_over(tmp_path: Path) -> None:
    session = tmp_path / "2026-01-01-a-000001"
    put(tmp_path, session.name, page(PUMP, "The pump."))
    sources = session / "sources"
    (sources / "02-empty.md").write_text("", encoding="utf-8")
    (sources / "03-binary.md").write_bytes(b"\xff\x00pump" * 90)
    (sources / "04-headless.md").write_text("pump pump pump", encoding="utf-8")
    (sources / "05-odd.md").write_text("# T\n\n> Source: ftp://x/\n\n---\n\npump", encoding="utf-8")
    (sources / "06-directory.md").mkdir()
    (sources / "07-gone.md").symlink_to(tmp_path / "nowhere")
    (sources / "notes.md").write_text("pump", encoding="utf-8")
    (session / "meta.json").write_text("{broken", encoding="utf-8")
    (tmp_path / "2026-01-03-c-000003").write_text("a file", encoding="utf-8")
    (tmp_path / "2026-01-04-d-000004" / "sources").mkdir(parents=True)
    blocked = page(WELL, "A pump behind a check.", verdict="challenge")
    put(tmp_path, "2026-01-05-e-000005", blocked)
    assert urls(search(tmp_path, "pump")) == [PUMP]


def test_links_out_of_the_directory_are_never_followed(tmp_path: Path) -> None:
    outside, cache = tmp_path / "outside", tmp_path / "cache"
    put(outside, "2026-01-01-a-000001", page(PUMP, "A secret pump."))
    put(cache, "2026-01-02-b-000002", page(WELL, "A well with a pump."))
    (cache / "2026-01-01-a-000001").symlink_to(outside / "2026-01-01-a-000001")
    folder = cache / "2026-01-03-c-000003"
    folder.mkdir()
    (folder / "sources").symlink_to(outside / "2026-01-01-a-000001" / "sources")
    stolen = outside / "2026-01-01-a-000001" / "sources" / "01-page.md"
    (cache / "2026-01-02-b-000002" / "sources" / "09-x.md").symlink_to(stolen)
    assert urls(search(cache, "pump")) == [WELL]


@pytest.mark.parametrize("there", [True, False])
def test_an_empty_cache_says_so(tmp_path: Path, there: bool) -> None:
    cache = tmp_path / ".search"
    if there:
        cache.mkdir()
    with pytest.raises(BackendError) as caught:
        search(cache, "pump")
    assert caught.value.code == "nothing-stored"
    assert "--docs" in caught.value.hint
    assert cache.exists() == there


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "2026-01-01-a-000001", page(PUMP, "The pump."), page(WELL, "The pump."))
    (tmp_path / "2026-01-01-a-000001" / "sources" / "02-page.md").chmod(0)
    assert urls(search(tmp_path, "pump")) == [PUMP]


def ask(cache: Path, query: Query) -> Answer:
    settings = load({"cache_dir": str(cache)}, environ={}, cwd=cache)
    network = Network(allow_private=False, max_bytes=1000, offline=True)
    backend = make("cache", Equipment(settings=settings, network=network))
    return asyncio.run(backend.search(query))


def test_the_backend_gives_links_with_title_date_and_snippet(tmp_path: Path) -> None:
    stored = page(PUMP, "The pump.", title="Pumps", published="2025-05-05")
    put(tmp_path, "2026-01-01-a-000001", stored, page(WELL, "A pump."))
    answer = ask(tmp_path, Query(text="pump", exclude_domains=("wells.example.org",)))
    (link,) = answer.links
    assert (link.url, link.title, link.snippet) == (PUMP, "Pumps", "The pump.")
    assert (link.backend, link.published, link.rank) == ("cache", "2025-05-05", 1)


def test_stored_local_files_stay_links_of_this_backend_only(tmp_path: Path) -> None:
    put(tmp_path, "2026-01-01-a-000001", page("file:///home/a/notes.md", "The pump."))
    query = Query(text="pump")
    (link,) = select(ask(tmp_path, query).links, query)
    assert link.url == "file:///home/a/notes.md"
    assert select([replace(link, backend="exa")], query) == ()


def many(cache: Path, *texts: str) -> None:
    """More sessions than are read file by file, the first of them with these texts."""
    for n in range(FEW + 5):
        said = texts[n] if n < len(texts) else f"Something about gardens, part {n}."
        address = f"https://site{n}.example.org/"
        put(cache, f"2026-01-01-a-{n:06x}", page(address, said))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("os.path join", "Use os.path.join for it."),
        ("a.b.c", "The module a.b.c is gone."),
        ("max_chars limit", "It stops at max_chars."),
        ("maxChars", "Set `maxChars` to 8."),
        ("C++ templates", "A C++ template is compiled late."),
        ("C#", "Written in C# alone."),
        ('say "draining"', "It drains."),
        ("query", "All queries are slow."),
        ("queries", "One query is slow."),
        ("数据库 索引", "一个数据库的索引很快。"),
        ("насосы", "Старый насос стоит."),
        ("café", "The cafe is open."),
        ("NEAR AND OR NOT", "AND then NEAR the end."),
        ("* ^ pump ) (", "A pump."),
    ],
)
def test_a_large_cache_is_searched_by_the_words_that_the_ranker_sees(
    question: str, text: str, home: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    many(cache, text)
    assert urls(search(cache, question)) == ["https://site0.example.org/"]
    small = tmp_path / "small"
    put(small, "2026-01-01-a-000001", page("https://site0.example.org/", text))
    assert urls(search(small, question)) == ["https://site0.example.org/"]


def test_what_comes_and_goes_in_a_large_cache_is_noticed(home: Path, tmp_path: Path) -> None:
    many(tmp_path, "A pump.", "Another pump.")
    assert len(search(tmp_path, "pump")) == 2
    put(tmp_path, "2026-03-01-new-ffffff", page(PUMP, "The newest pump."))
    assert len(search(tmp_path, "pump")) == 3
    shutil.rmtree(tmp_path / "2026-01-01-a-000000")
    assert set(urls(search(tmp_path, "pump"))) == {PUMP, "https://site1.example.org/"}


def test_what_is_gone_hides_nothing(home: Path, tmp_path: Path) -> None:
    many(tmp_path, "A pump.")
    for n in range(60):
        put(tmp_path, f"2026-02-01-b-{n:06x}", page(f"https://gone{n}.example.org/", "A pump."))
    assert len(search(tmp_path, "pump", most=99)) == 61
    for n in range(60):
        shutil.rmtree(tmp_path / f"2026-02-01-b-{n:06x}")
        put(tmp_path, f"2026-02-02-c-{n:06x}", page(f"https://new{n}.example.org/", "A valve."))
    assert urls(search(tmp_path, "pump", most=3)) == ["https://site0.example.org/"]


def test_two_that_read_a_large_cache_at_once_read_it_once(home: Path, tmp_path: Path) -> None:
    many(tmp_path, "A pump.")

    async def both() -> list[tuple[Match, ...]]:
        searches = (StoredPages(tmp_path).search("pump", 5) for _ in range(2))
        return await asyncio.gather(*searches)

    assert [len(found) for found in asyncio.run(both())] == [1, 1]
    with closing(sqlite3.connect(database(tmp_path))) as connection:
        files = connection.execute("SELECT count(*), count(DISTINCT session) FROM files").fetchone()
    assert files == (FEW + 5, FEW + 5)


def test_a_word_that_nearly_all_have_is_outweighed_by_a_rare_one(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intelli.store.corpus._NEWEST", 8)  # files enough for a word to be common
    many(tmp_path, "A pump about gardens.", "A pump.", "Valves about pumps.")
    found = urls(search(tmp_path, "something about a pump valve", most=3))
    assert found[0] == "https://site2.example.org/"
    assert "https://site0.example.org/" in found


def test_a_hit_names_its_stored_source(tmp_path: Path) -> None:
    put(tmp_path, "2026-01-01-a-000001", page(WELL, "A well."), page(PUMP, "A pump."))
    (match,) = search(tmp_path, "pump")
    assert match.ref == "2026-01-01-a-000001:2"
