"""Inputs that once froze, killed or fooled a run; each kind stays here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pipeline.kit import Q, pump
from tests.world import Place, Say, World, refuse
from tests.world.pages import Page

NESTED = "[" * 100_000


def served(world: World, path: str, body: str, kind: str = "text/markdown", **facts: object) -> str:
    return world.site.add(path, Page(body=body.encode(), headers={"Content-Type": kind}, **facts))  # type: ignore[arg-type]


def documented(run: object) -> dict[str, object]:
    """The one document on stdout; a fault of ours would call itself internal."""
    document: dict[str, object] = json.loads(run.stdout)  # type: ignore[attr-defined]
    error = document["error"]
    assert not isinstance(error, dict) or error["code"] != "internal", error
    return document


@pytest.mark.parametrize(
    "body",
    [
        "# a" + " " * 30_000 + "x\n\nThe pump moves 12 litres.",
        "<!---->" * 2_000 + "x\n\nThe pump moves 12 litres.",
        "The pump moves 12 litres.\n\n# a" + " " * 300_000 + "x\n\nMore of it.",
        "<h1>" * 5_000 + "\n\nThe pump moves 12 litres.",
        "# " + "[" * 100_000 + "\n\nThe pump moves 12 litres.",
    ],
)
def test_no_heading_of_a_page_takes_long(world: World, body: str) -> None:
    place = world.place(model=False)
    url = served(world, "/page", body)
    run = place.run("research", "litres of the pump", "--url", url, "--json")
    assert run.code == 0, run.stderr
    read = place.run("read", "latest:1", "--json", "--section", "nothing like it")
    assert read.code == 3


@pytest.mark.parametrize(
    "text", [" " * 2_000_000, "a" + "\n" * 500_000 + "b", "<think>" * 100_000, "<think>\n" * 9]
)
def test_no_answer_of_a_model_takes_long(world: World, text: str) -> None:
    pump(world, 1)
    world.model.say("collate", Say(text=text))
    run = world.place().run("research", Q, "--json")
    assert run.code in (0, 6)
    documented(run)


@pytest.mark.parametrize(
    "date", ["Thu, 01 Jan 1970 00:00:00 +99999999999999", "-1", "nan", "9" * 400]
)
def test_a_retry_after_of_garbage_is_no_hint(world: World, date: str) -> None:
    pump(world, 1)
    world.model.say("extract", refuse(429, retry_after=date), world.model.computed("extract"))
    page = served(world, "/busy", "later", status=429)
    world.link(page, "Busy")
    run = world.place().run("research", Q, "--json")
    assert run.code == 0, run.stderr


@pytest.mark.parametrize("url", ["http://[::1", "http://[]/", "http://a\x1b.example/", "nonsense"])
def test_a_bad_address_costs_only_itself(world: World, url: str) -> None:
    good = pump(world, 1)
    run = world.place().run("fetch", url, good, "--json")
    assert run.code == 0
    bad, page = documented(run)["pages"]  # type: ignore[misc]
    assert bad["error"] in ("bad-url", "dns") and page["error"] is None


def test_a_refresh_to_no_address_costs_nothing(world: World) -> None:
    stub = "<html><meta http-equiv=refresh content='0;url=http://[::1'><p>Moved on.</p></html>"
    run = world.place().run("fetch", served(world, "/stub", stub, "text/html"), "--json")
    documented(run)


@pytest.mark.parametrize(
    "body",
    [
        NESTED,
        json.dumps({"choices": [{"message": {"content": "x"}}], "citations": 5}),
        '{"choices": [{"message": {"content": "x"}}], "usage": {"prompt_tokens": Infinity}}',
        '{"choices": [{"message": {"content": "x"}}], "usage": {"cost": 1e999}}',
        '{"choices": [{"message": {"content": "x"}}], "usage": {"cost": -1e9}}',
        '{"choices": [{"message": {"content": "x"}}], "usage": {"cost": NaN}}',
        f"data: {NESTED}\n\n",
        'data: {"choices": [{"delta": {"content": "x", "annotations": 7}}], "citations": 7}\n\n',
    ],
)
def test_a_reply_of_any_shape_is_a_reply_or_an_error(world: World, body: str) -> None:
    from intelli.errors import ModelError
    from intelli.model.reply import parse

    try:
        reply = parse(body.encode(), "application/json")
    except ModelError:
        return
    assert reply.spend.usd is None or 0 <= reply.spend.usd < 1e6
    assert reply.spend.input_tokens == 0


def test_a_judge_that_answers_brackets_does_not_lose_the_report(world: World) -> None:
    pump(world, 1)
    place = world.place()
    assert place.run("research", "how many litres does the pump of the well move").code == 0
    world.model.say("suggest", Say(text=NESTED))
    assert place.run("research", Q, "--json").code == 0


@pytest.mark.parametrize("before", [0, 60, 180, 270, 290])
def test_half_of_a_key_is_never_shown(world: World, before: int) -> None:
    key = "sk-world-0123456789-abcdefghijklmnop"
    pump(world, 1)
    world.model.say("extract", refuse(400, "x" * before + key + "y" * 500))
    named = {"INTELLI_MODELS__EXTRACT__API_KEY_ENV": "WORLD_KEY", "WORLD_KEY": key}
    run = world.place().run("research", Q, "--json", **named)
    assert run.code == 5
    assert "sk-world" not in run.stdout + run.stderr


def planted(place: Place, docs: str) -> str:
    name = "2026-11-30-planted-aaaaaa"
    folder = place.cache / name
    (folder / "sources").mkdir(parents=True)
    meta = {
        "query": "planted", "outcome": "interrupted", "engine": "llm",
        "timestamp": "2026-11-30T10:00:00+00:00", "options": {"given": {"docs": [docs]}},
    }  # fmt: skip
    (folder / "meta.json").write_text(json.dumps(meta))
    return name


def test_a_planted_session_cannot_have_other_files_read(world: World, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Planted\n\nThe secret of the planted is 4711.")
    place = world.place(model=False)
    run = place.run("resume", planted(place, str(tmp_path)), "--json")
    assert run.code == 2
    assert "4711" not in run.stdout
    assert str(tmp_path) in run.json["error"]["hint"], "the user may agree"


def test_a_cache_that_is_a_link_is_followed_only_when_it_is_named(
    world: World, tmp_path: Path
) -> None:
    pump(world, 1)
    place = world.place()
    place.cache.symlink_to(tmp_path)
    run = place.run("research", Q, "--json")
    assert run.code == 2 and not list(tmp_path.iterdir())
    assert place.run("research", Q, "--cache-dir", ".search").code == 0


def test_a_model_name_is_no_place_for_an_address(world: World) -> None:
    place = world.place(model=False)
    (place.project / "intelli.toml").write_text(
        'engine = "llm"\n[models.extract]\nmodel = "oobabooga/http://127.0.0.1:9/"\n'
    )
    run = place.run("research", Q, "--json", OOBABOOGA_API_KEY="x")
    assert run.code == 2 and "models.extract" in run.json["error"]["message"]


@pytest.mark.parametrize(
    "text",
    [
        'cache_dir = "~nosuchuser/x"',
        'cache_dir = "a\\u0000b"',
        f'cache_dir = "{"x" * 5000}"',
        f"urls = {'9' * 5000}",
        f"urls = {'[' * 5000}",
    ],
)
def test_a_hostile_configuration_is_wrong_usage(world: World, text: str) -> None:
    place = world.place(model=False)
    (place.project / "intelli.toml").write_text(text)
    for command in ("list", "config", "doctor"):
        run = place.run(command, "--json")
        assert run.code == 2, (command, run.stdout)
        documented(run)


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full"])
def test_a_stderr_that_takes_nothing_does_not_cost_the_report(world: World, closed: str) -> None:
    pump(world, 1)
    place = world.place()
    run = place.shell(f"intelli research '{Q}' {closed}")
    assert run.code == 0
    assert "## Summary" in run.stdout and place.session()


@pytest.mark.parametrize("closed", [">&-", ">/dev/full"])
@pytest.mark.parametrize("command", ["list", "list --json", "doctor --json", "show nosuch --json"])
def test_a_stdout_that_takes_nothing_is_said_without_a_traceback(
    world: World, command: str, closed: str
) -> None:
    run = world.place(model=False).shell(f"intelli {command} {closed}")
    assert run.code != 0
    assert "Traceback" not in run.stderr


def test_a_working_directory_that_is_gone_is_named(world: World) -> None:
    run = world.place(model=False).shell("mkdir gone && cd gone && rmdir ../gone && intelli list")
    assert run.code == 2
    assert "working directory" in run.stderr


def test_odd_files_among_documents_are_skipped(world: World) -> None:
    place = world.place(model=False)
    docs = place.project / "docs"
    docs.mkdir()
    (docs / "pump.md").write_text("# Pump\n\nThe pump moves 12 litres.")
    (docs / "loop").symlink_to("loop")
    (docs / "out").symlink_to("/proc/1/cwd")
    deep = docs
    for _ in range(150):
        deep = deep / "d"
        deep.mkdir()
    run = place.run("research", "litres of the pump", "--docs", "docs", "--json")
    assert run.code == 0, run.stdout


@pytest.mark.parametrize("path", ["", "x" * 5000, "/dev/null"])
def test_an_impossible_document_is_wrong_usage(world: World, path: str) -> None:
    for command in ("research", "search"):
        run = world.place(model=False).run(command, "pump", "--docs", path, "--json")
        assert run.code == 2, run.stdout
        documented(run)


def test_standard_input_may_be_closed_or_no_text(world: World) -> None:
    place = world.place(model=False)
    assert place.shell("intelli research - <&-").code == 2
    run = place.run("extract", "-", "--query", "pump", "--json", stdin=b"\xff\xfe pump moves\xff")
    assert run.code == 0


@pytest.mark.parametrize(
    "options",
    [("--timeout", "nan"), ("--reuse", "999999d"), ("--urls", "50"), ("--backend", "nope")],
)
def test_impossible_options_are_wrong_usage(world: World, options: tuple[str, ...]) -> None:
    place = world.place(model=False)
    (place.project / "a.md").write_text("pump")
    run = place.run("research", "pump", "--docs", "a.md", *options, "--json")
    assert run.code == 2
    documented(run)
