"""Local files as a backend."""

from __future__ import annotations

import asyncio
import gzip
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from intelli.errors import FetchError, UsageError
from intelli.events import Event, Warned
from intelli.records import Link, Query
from intelli.search.docs import DocsIndex
from intelli.text.reading import Reader
from tests.world.archives import archive, docx, paragraph

T = TypeVar("T")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "my docs"
    folder.mkdir()
    (folder / "pumps.md").write_text(
        "# Pumps\n\nHow water moves.\n\n## Queue\n\nThe pump drains its queue every 40 ms.\n"
    )
    (folder / "valves #1.txt").write_text("A valve closes when the pump stops.\n")
    return folder


def use(paths: list[Path], action: Callable[[DocsIndex], Awaitable[T]]) -> tuple[T, list[str]]:
    events: list[Event] = []

    async def run() -> T:
        async with Reader() as reader:
            return await action(DocsIndex(paths, reader, events.append))

    result = asyncio.run(run())
    return result, [event.message for event in events if isinstance(event, Warned)]


def ask(paths: list[Path], text: str) -> tuple[tuple[Link, ...], list[str]]:
    answer, warnings = use(paths, lambda index: index.search(Query(text=text)))
    return answer.links, warnings


def test_the_file_with_the_best_passages_comes_first(folder: Path) -> None:
    links, warnings = ask([folder], "how often does the pump drain the queue?")
    assert [link.title for link in links] == ["Pumps", "valves #1.txt"]
    assert "every 40 ms" in links[0].snippet
    assert (links[0].rank, links[0].backend) == (1, "docs")
    assert warnings == []


def test_addresses_are_percent_encoded_and_lead_back_to_the_document(folder: Path) -> None:
    async def action(index: DocsIndex) -> tuple[str, str]:
        answer = await index.search(Query(text="valve"))
        return answer.links[0].url, (await index.read(answer.links[0].url)).text

    (url, text), _ = use([folder], action)
    assert url.startswith("file:///") and url.endswith("/my%20docs/valves%20%231.txt")
    assert "A valve closes" in text


def test_only_files_of_the_index_can_be_read(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("pump secret")

    async def action(index: DocsIndex) -> None:
        await index.read(secret.as_uri())

    with pytest.raises(FetchError) as caught:
        use([folder], action)
    assert caught.value.code == "not-in-docs"


def test_what_is_no_document_is_skipped_and_counted(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("pump outside")
    (folder / "link.md").symlink_to(outside)
    (folder / "loop").symlink_to(folder)
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.md").write_text("pump hidden")
    (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    (folder / "data.bin").write_bytes(b"pump \x00\x01\x02" * 40)
    (folder / "huge.txt").write_bytes(b"pump " * 2_000_001)
    os.mkfifo(folder / "pipe.md")
    links, (warning,) = ask([folder], "pump")
    assert {link.title for link in links} == {"Pumps", "valves #1.txt"}
    assert "5 files" in warning
    for reason in ("2 binary", "1 over 10 MB", "1 link out of the directory", "1 no regular file"):
        assert reason in warning


def test_html_rst_and_pdf_text_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        "<html><head><title>Turbine page</title></head><body><article><h1>Turbine page</h1>"
        + "<p>The turbine spins at 9000 rpm when the sluice is open, as measured.</p>" * 3
        + "</article></body></html>"
    )
    (tmp_path / "notes.rst").write_text("Sluice\n======\n\nThe sluice opens at dawn.\n")
    links, _ = ask([tmp_path], "turbine sluice")
    assert {link.title for link in links} == {"Turbine page", "Sluice"}


def test_office_files_notebooks_and_manual_pages_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "levels.docx").write_bytes(docx(paragraph("The sluice stands at 3.4 m.")))
    (tmp_path / "run.ipynb").write_text(
        '{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "# Sluice run"}]}'
    )
    (tmp_path / "sluice.8").write_text(".TH SLUICE 8\n.SH NAME\nsluice opens\n")
    (tmp_path / "old.zip").write_bytes(archive({"sluice.txt": "sluice"}))
    links, (warning,) = ask([tmp_path], "sluice")
    assert {link.title for link in links} == {"levels.docx", "Sluice run", "SLUICE(8)"}
    assert "1 file (1 binary): old.zip" in warning


def test_one_file_can_be_named(folder: Path) -> None:
    links, _ = ask([folder / "pumps.md"], "pump")
    assert len(links) == 1


def test_no_word_in_common_is_an_empty_answer(folder: Path) -> None:
    assert ask([folder], "xylophone")[0] == ()


def test_a_path_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        ask([tmp_path / "nowhere"], "pump")


def test_a_path_without_documents_is_named(folder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    with pytest.raises(UsageError) as caught:
        ask([folder, empty], "pump")
    assert str(empty) in caught.value.message and "1 binary" in caught.value.message


def test_packed_text_is_read_and_a_bomb_is_not(folder: Path) -> None:
    (folder / "sluice.md.gz").write_bytes(gzip.compress(b"# Sluice\n\nThe sluice opens at dawn."))
    (folder / "bomb.txt.gz").write_bytes(gzip.compress(b"sluice " * 2_000_000))
    (folder / "broken.txt.gz").write_bytes(b"\x1f\x8b nothing")
    (folder / "image.gz").write_bytes(gzip.compress(b"\x89PNG\r\n\x1a\n" + bytes(50)))
    links, (warning,) = ask([folder], "sluice")
    assert [(link.title, link.url.rsplit("/", 1)[-1]) for link in links] == [
        ("Sluice", "sluice.md.gz")
    ]
    assert "(1 binary, 1 over 10 MB, 1 unreadable)" in warning


def test_up_to_three_skipped_files_are_named(folder: Path) -> None:
    for n in range(4):
        (folder / f"empty {n}.md").write_text(f"{' ' * n}\n")
    (folder / "pumps.html").write_text("<html><body>pump</body></html>")
    _, (warning,) = ask([folder], "pump")
    assert "1 beside its Markdown" in warning and "4 without text" in warning
    assert warning.endswith(": pumps.html, empty 0.md, empty 1.md and 2 more")


def test_copies_are_read_once(folder: Path) -> None:
    (folder / "pumps copy.md").write_text((folder / "pumps.md").read_text())
    links, _ = ask([folder], "queue")
    assert len(links) == 1


def test_a_file_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    image = tmp_path / "a.png"
    image.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    with pytest.raises(UsageError) as caught:
        ask([image], "pump")
    assert caught.value.message == f"nothing to read in {image}: binary"
