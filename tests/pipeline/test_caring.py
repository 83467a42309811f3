"""`intelli export` and `prune`: sessions that leave, as a file or for good."""

from __future__ import annotations

import os
import zipfile

import pytest

from tests.pipeline.kit import Q, fact, failed
from tests.world import Place, World
from tests.world.sessions import write_session


@pytest.fixture
def place(world: World) -> Place:
    place = world.place(model=False)
    write_session(place.cache, Q, {"http://a.test/1": fact(1)}, summary=f"{fact(1)} [1]")
    return place


def test_a_session_becomes_one_page_that_needs_nothing_else(place: Place) -> None:
    run = place.run("export", "latest")
    name = place.session().name
    assert (run.code, run.stdout) == (0, f"{name}.html\n")
    html = (place.project / f"{name}.html").read_text(encoding="utf-8")
    assert fact(1) in html and 'href="#s1">[1]</a>' in html
    assert "src=" not in html and "@import" not in html


def test_a_session_becomes_an_archive_of_its_files(place: Place) -> None:
    secret = place.root / "secret.txt"
    secret.write_text("not of this session", encoding="utf-8")
    (place.session() / "link.md").symlink_to(secret)
    document = place.run("export", "latest", "--zip", "-o", "s.zip", "--json").json
    assert document["outcome"] == "completed" and document["path"] == "s.zip"
    with zipfile.ZipFile(place.project / "s.zip") as archive:
        names = archive.namelist()
        assert archive.read(f"{place.session().name}/query.txt").decode() == f"{Q}\n"
    assert f"{place.session().name}/report.md" in names
    assert not any("link" in name or ".lock" in name for name in names)


@pytest.mark.parametrize("options", [[], ["--zip"]])
def test_a_file_is_replaced_as_a_whole_and_a_pipe_is_written_to(
    place: Place, options: list[str]
) -> None:
    there = place.project / "there"
    (place.project / "link").symlink_to(there)
    there.write_text("x" * 10**6)
    assert place.run("export", "latest", *options, "-o", "link").code == 0
    assert (place.project / "link").is_symlink() and 100 < there.stat().st_size < 10**5
    os.mkfifo(place.project / "pipe")
    command = f"intelli export latest {' '.join(options)} -o pipe --json & cat pipe >got; wait"
    assert place.shell(command).json["bytes"] == (place.project / "got").stat().st_size
    assert (place.project / "pipe").is_fifo()
    full = place.run("export", "latest", *options, "-o", "/dev/full")
    assert full.code == 2 and "No space left" in full.stderr
    assert not list(place.project.glob(".tmp-*"))


def test_a_file_that_cannot_be_written_is_named(place: Place) -> None:
    run = place.run("export", "latest", "-o", "missing/folder/x.html")
    assert run.code == 2 and "missing/folder/x.html" in run.stderr


def test_an_unknown_session_is_not_found(place: Place) -> None:
    for command in ("export", "prune"):
        error = failed(place.run(command, "ffffff", "--json"), 3, "not-found")["error"]
        assert error["code"] == "no-session"


def test_opening_a_browser_needs_somebody_to_see_it(place: Place) -> None:
    error = failed(place.run("show", "latest", "--open", "--json"), 2, "usage")["error"]
    assert error["code"] == "no-terminal" and "intelli export" in error["hint"]


def test_a_dry_run_says_what_would_go_and_removes_nothing(place: Place) -> None:
    run = place.run("prune", "--keep", "0", "--dry-run")
    assert run.code == 0 and "would remove 1 session" in run.stdout
    assert place.session().name in run.stdout


def test_a_long_list_of_what_would_go_is_cut_and_its_sum_is_not(place: Place) -> None:
    for n in range(40):
        write_session(place.cache, f"question number {n}", {"http://a.test/": "text"})
    run = place.run("prune", "--keep", "0", "--dry-run", "--max-chars", "500")
    assert len(run.stdout) <= 500 and "more left out" in run.stdout
    assert run.stdout.splitlines()[-1].startswith("would remove 41 sessions, ")


def test_a_named_session_is_gone_from_everything(place: Place) -> None:
    name = place.session().name
    other = write_session(place.cache, "another question", {"http://b.test/": "text"})
    document = place.run("prune", name, "--json").json
    assert [removed["session"] for removed in document["removed"]] == [name]
    assert place.sessions() == [other]
    listed = place.run("list", "--json").json["sessions"]
    assert [session["session"] for session in listed] == [other.name]


@pytest.mark.parametrize(
    "arguments",
    [[], ["latest", "--keep", "1"], ["--older-than", "soon"], ["--max-size", "much"],
     ["--older-than", "1m"],
     ["--keep", "-1"]],
)  # fmt: skip
def test_rules_that_say_nothing_clear_remove_nothing(place: Place, arguments: list[str]) -> None:
    run = place.run("prune", *arguments)
    assert run.code == 2 and len(place.sessions()) == 1
