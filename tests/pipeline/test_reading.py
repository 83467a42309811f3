"""`intelli read`: windows that keep to their limit, whole records, hits that are marked."""

from __future__ import annotations

import pytest

from intelli.show.text import clean
from tests.pipeline.kit import Q, failed
from tests.world import Place, World
from tests.world.sessions import write_session

CODE = "```sh\n" + "".join(f"pump --step {n}\n" for n in range(40)) + "```"
TABLE = "| pump | litres |\n| - | - |\n" + "".join(f"| P{n} | {n} |\n" for n in range(60))
PROSE = "The valve closes slowly, e\u0301 \U0001f468\u200d\U0001f469\u200d\U0001f467 " * 60
PAGE = f"Before.\n\n{CODE}\n\nThe hidden needle.\n\n{TABLE}\n{PROSE}\n\nEnd \x1b[31m\u202e.\n"
LIMITS = [200, 237, 300, 451, 700, 1500, 8000]


@pytest.fixture
def place(world: World) -> Place:
    """A session of thirty sources and the file of a whole site."""
    place = world.place(model=False)
    pages = {f"http://a{n}.test/": PAGE for n in range(30)}
    session = write_session(place.cache, Q, pages, summary="It moves. [1]")
    (session / "sources" / "llms-full-a-test.md").write_text("everything", encoding="utf-8")
    return place


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(
    "options", [(), ("--from", "333"), ("--find", "VALVE"), ("--find", "needle"), ("--find", "P3 ")]
)
def test_everything_that_is_printed_counts(
    place: Place, limit: int, options: tuple[str, ...]
) -> None:
    run = place.run("read", "latest:1", *options, "--max-chars", str(limit))
    assert run.code == 0 and len(run.stdout) <= limit
    assert "\x1b" not in run.stdout and "\u202e" not in run.stdout
    if "[characters" in run.stdout:
        assert run.stdout.splitlines()[-1].startswith("intelli read ")


@pytest.mark.parametrize("limit", LIMITS[:-1])
def test_windows_never_cut_code_rows_or_signs(place: Place, limit: int) -> None:
    command = f"intelli read latest:1 --json --max-chars {limit}"
    for _ in range(40):
        document = place.shell(command).json
        text = document["text"]
        if len(CODE) < limit - 150:
            assert text.count("```") in (0, 2), "a code block stays whole where there is room"
        rows = [line for line in text.splitlines() if line.startswith("| P")]
        assert all(row.endswith(" |") for row in rows)
        assert not text.startswith(("\u0301", "\u200d"))
        if not document["more"]:
            return
        command = f"{document['next']} --json --max-chars {limit}"


def test_a_hit_is_shown_without_half_a_code_block(place: Place) -> None:
    for limit in range(300, 1500, 100):
        arguments = ("--find", "hidden needle", "--max-chars", str(limit), "--json")
        document = place.run("read", "latest:1", *arguments).json
        assert "hidden needle" in document["text"] and document["matches"] == 1
        assert document["text"].count("```") in (0, 2)


def test_hits_are_marked_on_a_terminal_only(place: Place) -> None:
    _, sent = place.terminal("read", "latest:1", "--find", "VALVE", NO_COLOR=None)
    assert "\x1b[7mvalve\x1b[27m" in sent and "\x1b[31m" not in sent
    _, plain = place.terminal("read", "latest:1", "--find", "VALVE")
    assert "\x1b" not in plain, "NO_COLOR"


def test_hits_in_other_signs_are_marked_as_well(world: World) -> None:
    place = world.place(model=False)
    write_session(
        place.cache, Q, {"http://a.test/": "Eine lange Stra\u00dfe,\nzwei."}, summary="x [1]"
    )
    _, sent = place.terminal("read", "latest:1", "--find", "STRASSE, ZWEI", NO_COLOR=None)
    assert "\x1b[7mStra\u00dfe,\r\nzwei\x1b[27m" in sent


ODD = [
    PAGE,
    "\n\n  indented\n\n\n\nand\ttabs \n" * 40,
    "```\n" + "x = 1\n\n\n" * 200 + "```\n",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629 " * 200,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 300,
    "\U0001f1e9\U0001f1ea" * 400,
    "| " + "cell | " * 300 + "\n" + "| 1 | 2 |\n" * 50,
    "e" + "\u0301" * 1500,
    "\u2028one\u0085line\x0b\x0c" * 100,
    "word" * 800,
]


@pytest.mark.parametrize("number", range(len(ODD)))
def test_the_printed_commands_give_the_whole_text_to_the_character(
    world: World, number: int
) -> None:
    place = world.place(model=False)
    session = write_session(place.cache, Q, {"http://a.test/": ODD[number]}, summary="x [1]")
    (stored,) = session.glob("sources/01-*")
    text = stored.read_bytes().decode()
    limit, read, command = (1500, "", "intelli read latest:1")
    while command:
        shown = place.shell(f"{command} --max-chars {limit}").stdout
        assert 0 < len(shown) <= limit
        window, tail, rest = shown.partition("\n[characters ")
        command = rest.splitlines()[1] if tail else ""
        read += window
    assert read.rstrip("\n") == clean(text).rstrip("\n")


def test_a_session_elsewhere_is_read_on_by_the_printed_command(place: Place) -> None:
    aside = place.project / "else where"
    place.cache.rename(aside)
    where = "--cache-dir 'else where'"
    for first in (
        f"intelli read latest:1 {where} --max-chars 400",
        f"intelli read latest {where} --max-chars 400",
        f"intelli grep pump {where} --max-chars 900",
        f"intelli show latest {where} --max-chars 700",
    ):
        run = place.shell(first)
        assert run.code == 0, run.stderr
        following = run.stdout.splitlines()[-1]
        assert following.startswith("intelli ") and place.shell(following).code == 0, following


def test_what_a_session_cannot_be_asked_is_wrong_usage(place: Place) -> None:
    for options in (("--find", "x"), ("--section", "x"), ("--extraction",)):
        failed(place.run("read", "latest", *options, "--json"), 2, "usage")
    for option in ("--find", "--section"):
        failed(place.run("read", "latest:1", option, " ", "--json"), 2, "usage")


def test_sections_of_one_name_are_counted_and_a_missing_one_names_those_near(world: World) -> None:
    text = "Intro.\n\n## Limits\n\nOne.\n\n## Use\n\nTwo.\n\n## Limits\n\nThree.\n"
    place = world.place(model=False)
    write_session(place.cache, Q, {"http://a.test/": text}, summary="x [1]")
    shown = place.run("read", "latest:1", "--section", "limits").stdout
    first, rest = shown.split("\n", 1)
    assert "2 sections" in first and rest.startswith("## Limits\n\nOne.") and "Two" not in rest
    offset = first.rpartition("--from ")[2].rstrip("]")
    assert place.run("read", "latest:1", "--from", offset).stdout.startswith("## Limits\n\nThree.")
    near = failed(place.run("read", "latest:1", "--section", "limis", "--json"), 3, "not-found")
    assert near["error"]["hint"] == "near: 'Limits'"
    none = failed(place.run("read", "latest:1", "--section", "zzz", "--json"), 3, "not-found")
    assert none["error"]["hint"] == "there are 'Page 1', 'Limits', 'Use', 'Limits'"


def test_a_miss_says_so(place: Place) -> None:
    error = failed(place.run("read", "latest:1", "--find", "unicorn", "--json"), 3, "not-found")
    assert error["error"]["message"].startswith("not in the stored text")


def test_the_sources_of_a_session_are_listed_in_pages(place: Place) -> None:
    seen: list[str] = []
    command = "intelli read latest"
    for _ in range(30):
        run = place.shell(f"{command} --max-chars 600")
        assert run.code == 0 and len(run.stdout) <= 600
        lines = run.stdout.splitlines()
        seen += [line.split()[0] for line in lines if "  ok  " in line]
        if " --from " not in lines[-1]:
            break
        command = lines[-1]
    assert [ref.rpartition(":")[2] for ref in seen] == [str(n) for n in range(1, 31)]
    assert place.shell(run.stdout.splitlines()[-1]).code == 0


def test_files_of_whole_sites_are_listed_but_are_no_sources(place: Place) -> None:
    run, document = place.run("read", "latest"), place.run("read", "latest", "--json").json
    (path,) = document["whole_sites"]
    assert path.endswith("llms-full-a-test.md") and path in run.stdout
    assert len(document["sources"]) == 30


def test_reading_asks_nobody(world: World, place: Place) -> None:
    assert place.run("read", "latest:1", HTTPS_PROXY="http://127.0.0.1:9").code == 0
    assert not any(server.log.exchanges for server in world.servers)


def test_a_source_that_was_removed_is_a_structured_error(place: Place) -> None:
    (place.session() / "sources" / "03-a2-test.md").unlink()
    error = failed(place.run("read", "latest:3", "--json"), 3, "not-found")["error"]
    assert error["code"] == "no-source" and error["hint"]
