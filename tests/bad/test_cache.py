"""A cache that is damaged, foreign or hostile: the directories are the truth."""

from __future__ import annotations

import json

import pytest

from tests.pipeline.kit import Q, fact, failed, pumps
from tests.world import Place, World
from tests.world.sessions import write_session

OTHER = "which pump is the cheapest to run all year"


def two_sessions(world: World) -> Place:
    """A cache with two sessions that nothing but their files tells of."""
    place = world.place(model=False)
    for query in (Q, OTHER):
        write_session(place.cache, query, {"http://a.test/": fact(1)})
    return place


@pytest.mark.parametrize("damage", [None, b"{not json"], ids=["missing", "no json"])
def test_a_damaged_index_is_rebuilt_from_the_directories(
    world: World, damage: bytes | None
) -> None:
    place = two_sessions(world)
    index = place.cache / ".index.json"
    index.unlink() if damage is None else index.write_bytes(damage)
    pumps(world, 1)
    assert place.run("research", "how is the pump cleaned", "--quiet").code == 0
    rebuilt = json.loads(index.read_text(encoding="utf-8"))["searches"]
    assert {entry["query"] for entry in rebuilt} == {Q, OTHER, "how is the pump cleaned"}


def test_a_damaged_index_hides_no_session(world: World) -> None:
    place = two_sessions(world)
    index = place.cache / ".index.json"
    for damage in (
        b"",
        b"{not json",
        b'{"searches": {}}',
        b'{"searches": [1]}',
        b"\xff\x00",
        b"[]",
    ):
        index.write_bytes(damage)
        listed = place.run("list", "--json").json["sessions"]
        assert {session["query"] for session in listed} == {Q, OTHER}, damage
        assert index.read_bytes() == damage, "reading writes nothing"


def test_an_index_of_another_program_keeps_what_it_says(world: World) -> None:
    place = world.place(model=False)
    write_session(place.cache, OTHER, {"http://a.test/": fact(1)})
    index = place.cache / ".index.json"
    data = json.loads(index.read_text(encoding="utf-8"))
    data["searches"][0]["relevance"] = "theirs"
    data["format"] = "theirs"
    index.write_text(json.dumps(data), encoding="utf-8")
    pumps(world, 1)
    place.run("research", Q)
    after = json.loads(index.read_text(encoding="utf-8"))
    assert after["format"] == "theirs"
    assert [entry.get("relevance") for entry in after["searches"]] == ["theirs", None]


def test_a_session_with_nothing_but_a_report_and_sources_is_enough(world: World) -> None:
    place = world.place(model=False)
    summary = f"{fact(1)} [1]\n\nIt weighs 731 kg. [2]"
    sources = {"http://a.test/1": fact(1), "http://b.test/2": fact(2)}
    session = write_session(place.cache, Q, sources, summary=summary)
    (session / "query.txt").unlink()
    (place.cache / ".index.json").unlink()
    digest = session.name[-6:]
    shown = place.run("show", digest)
    assert shown.code == 0 and fact(1) in shown.stdout
    document = place.run("show", "latest", "--json").json
    assert document["session"] == session.name and fact(1) in document["summary"]
    assert [source["url"] for source in document["sources"]] == list(sources)
    assert fact(2) in place.run("read", f"{digest}:2").stdout
    verified = place.run("verify", session.name, "--json").json
    assert [claim["status"] for claim in verified["claims"]] == ["verified", "unsupported"]
    assert place.run("verify", session.name, "--strict").code == 8
    text = f"{fact(2)} [2]"
    checked = place.run("check", "-", "--against", digest, "--json", stdin=text.encode())
    assert checked.json["totals"]["verified"] == 1
    assert session.name in place.run("related", Q).stdout
    assert place.run("list", "--json").json["sessions"][0]["session"] == session.name


@pytest.mark.parametrize("name", ["meta.json", "evidence.json"])
def test_a_damaged_file_of_a_session_leaves_the_rest_readable(world: World, name: str) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    place.run("research", Q, "--quiet")
    for damage in (b"{", b"[1]", b'{"sources": 3, "claims": "x", "query": 7}'):
        (place.session() / name).write_bytes(damage)
        shown, read, listed, verified = place.run_together(
            ("show", "latest", "--json"), ("read", "latest:1"), ("list",), ("verify", "latest")
        )
        assert (shown.code, shown.json["query"]) == (0, Q), damage
        assert fact(1) in shown.json["summary"]
        assert [source["status"] for source in shown.json["sources"]] == ["ok"]
        assert fact(1) in read.stdout and listed.code == verified.code == 0


def test_a_session_that_links_out_of_the_cache_gives_nothing_away(world: World) -> None:
    place = world.place(model=False)
    secret = place.root / "secret.md"
    secret.write_text(
        f"# Secret\n\n> Source: http://a.test/\n\n---\n\n{fact(9)}\n", encoding="utf-8"
    )
    session = write_session(place.cache, Q, {"http://a.test/1": fact(1)})
    source = session / "sources" / "01-a-test.md"
    source.unlink()
    source.symlink_to(secret)
    (place.cache / "2026-01-01-out-abcdef").symlink_to(place.root)
    runs = [
        place.run("read", f"{session.name}:1"), place.run("show", session.name, "--json"),
        place.run("read", "2026-01-01-out-abcdef:1"), place.run("list"),
        place.run("read", "../project/.search:1"), place.run("show", "../.."),
        place.run("verify", session.name, "--json"),
    ]  # fmt: skip
    assert all(fact(9) not in run.stdout + run.stderr for run in runs)
    assert runs[0].code == runs[2].code == runs[4].code == runs[5].code == 3


def test_a_ref_that_is_none_says_what_there_is(world: World) -> None:
    place = two_sessions(world)
    name = place.run("list", "--json").json["sessions"][0]["session"]
    error = failed(place.run("read", f"{name}:7", "--json"), 3, "not-found")["error"]
    assert "it has 1" in error["hint"]
    near = failed(place.run("show", name[:-1] + "z", "--json"), 3, "not-found")["error"]
    assert name in near["hint"]
    assert failed(place.run("read", f"{name}:x", "--json"), 2, "usage")


def test_reading_creates_nothing(world: World) -> None:
    place = world.place(model=False)
    assert place.run("list").code == 0
    assert place.run("related", Q).code == 0
    assert place.run("show", "latest").code == place.run("read", "latest:1").code == 3
    assert not place.cache.exists()


def test_a_cache_that_may_not_be_written_can_still_be_read(world: World) -> None:
    place = two_sessions(world)
    for path in [place.cache, *place.cache.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert place.run("show", "latest").code == 0
        assert place.run("list", "--json").json["total"] == 2
        assert place.run("read", "latest:1").code == place.run("verify", "latest").code == 0
    finally:
        for path in [place.cache, *place.cache.rglob("*")]:
            path.chmod(0o755)


def test_half_written_files_are_never_read_and_are_swept_away(world: World) -> None:
    pumps(world, 1)
    place = two_sessions(world)
    session = place.sessions()[0]
    (session / "sources" / ".tmp-0123").write_text("# Half", encoding="utf-8")
    (place.cache / ".tmp-4567").write_text("half", encoding="utf-8")
    listed = place.run("read", session.name, "--json").json
    assert [source["ref"] for source in listed["sources"]] == [f"{session.name}:1"]
    assert place.run("research", Q, "--fresh", "--quiet").code == 0
    assert not (place.cache / ".tmp-4567").exists()


def test_what_the_user_did_to_gitignore_is_left_alone(world: World) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    place.run("research", Q, "--quiet")
    ignored = place.cache / ".gitignore"
    assert ignored.read_text(encoding="utf-8") == "*\n"
    ignored.unlink()
    assert place.run("research", Q, "--fresh", "--quiet").code == 0
    assert not ignored.exists()


def pi_session(place: Place) -> str:
    """A session as pi-intelli-search leaves it, with its locks and a staging directory of a crash;
    its name."""
    session = write_session(
        place.cache, OTHER, {"http://a.test/p": fact(1)}, summary=f"{fact(1)} [1]"
    )
    meta = {
        "schemaVersion": 1, "extensionVersion": "0.16.0", "query": OTHER,
        "timestamp": "2026-04-19T10:00:00.000Z", "durationMs": 41_000, "outcome": "completed",
        "stages": {"search": {"model": "m", "linksReturned": 2}},
    }  # fmt: skip
    (session / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    (session / "extractions").mkdir()
    header = "# Page 1\n\n> Source: http://a.test/p\n> Type: official documentation\n\n---\n\n"
    (session / "extractions" / "01-a-test.md").write_text(header + fact(1), encoding="utf-8")
    (session / "sources" / "llms-full-a.test.md").write_text("# All of it\n", encoding="utf-8")
    for name in (".lock", ".staging.7.x"):
        (session / name).mkdir()
    (place.cache / ".index.lock").mkdir()
    return session.name


def test_a_session_of_pi_intelli_search_appears_in_everything(world: World) -> None:
    place = world.place(model=False)
    name = pi_session(place)
    listed, shown, read, related = place.run_together(
        ("list", "--json"),
        ("show", name, "--json"),
        ("read", f"{name}:1"),
        ("related", OTHER + " 2"),
    )
    (entry,) = listed.json["sessions"]
    assert (entry["session"], entry["query"], entry["sources"]) == (name, OTHER, 1)
    assert shown.json["sources"][0]["type"] == "official-docs" and fact(1) in shown.json["summary"]
    assert fact(1) in read.stdout and name in related.stdout
    found, searched, verified, differing = place.run_together(
        ("grep", "litres", "--json"), ("search", Q, "--backend", "cache", "--json"),
        ("verify", name, "--json"), ("diff", name, name, "--json"),
    )  # fmt: skip
    assert {match["part"] for match in found.json["matches"]} == {
        "report",
        "extractions",
        "sources",
    }
    assert searched.json["groups"][0]["results"][0]["url"] == "http://a.test/p"
    assert verified.json["totals"]["verified"] == 1 and differing.json["changed"] is False
    assert place.run("export", name, "-o", "out.html").code == 0
    assert fact(1) in (place.project / "out.html").read_text(encoding="utf-8")
    assert place.run("prune", name).code == 0
    assert (
        place.run("list", "--json").json["sessions"] == []
        and (place.cache / ".index.lock").is_dir()
    )


def test_a_report_behind_a_link_is_none_and_the_run_can_be_finished(world: World) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    assert place.run("research", Q, "--quiet").code == 0
    session = place.session()
    outside = place.root / "report.md"
    (session / "report.md").rename(outside)
    (session / "report.md").symlink_to(outside)
    before = outside.read_bytes()
    shown = place.run("show", "latest")
    assert shown.code == 3 and f"intelli resume {session.name}" in shown.stderr
    assert place.run("resume", session.name).code == 0
    assert outside.read_bytes() == before and not (session / "report.md").is_symlink()
    assert place.run("show", "latest").code == 0


def test_a_session_with_a_link_inside_is_named_and_not_resumed(world: World) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    assert place.run("research", Q, "--quiet").code == 0
    session = place.session()
    (session / "report.md").unlink()
    (session / "sources").rename(place.root / "sources")
    (session / "sources").symlink_to(place.root / "sources")
    error = failed(place.run("resume", session.name, "--json"), 2, "usage")["error"]
    assert error["code"] == "linked-session" and "sources is a link" in error["message"]


@pytest.mark.parametrize(
    "command", [("list",), ("show", "latest"), ("grep", "x"), ("read", "latest")]
)
def test_a_file_where_the_sessions_should_be_is_named(
    world: World, command: tuple[str, ...]
) -> None:
    place = world.place(model=False)
    place.cache.write_text("a file", encoding="utf-8")
    error = failed(place.run(*command, "--json"), 2, "usage")["error"]
    assert error["code"] == "no-directory" and ".search" in error["message"]


def test_a_directory_whose_name_is_too_long_costs_the_saving_alone(world: World) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    run = place.run("research", Q, "--json", "--cache-dir", "d" * 300)
    assert run.code == 9 and fact(1) in run.json["summary"]
    assert "File name too long" in run.json["warnings"][-1]
    assert failed(place.run("show", "latest", "--json", "--cache-dir", "d" * 300), 3, "not-found")


def test_a_disk_that_is_full_costs_the_saving_alone_and_leaves_nothing_half_written(
    world: World,
) -> None:
    pumps(world, 2)
    place, codes = world.place(model=False), []
    for kilobytes in (0, 1, 2, 3, 4):
        line = f"ulimit -f {kilobytes}; intelli research '{Q}' --json"
        run = place.shell(line, PYTHONDONTWRITEBYTECODE="1")
        codes.append(run.code)
        assert fact(1) in run.json["summary"] and "Traceback" not in run.stderr
        assert not list(place.cache.rglob(".tmp-*"))
    assert codes[0] == 9 and set(codes) <= {0, 9}
    assert place.run("research", Q).code == 0 and list(place.cache.glob("*/report.md"))
