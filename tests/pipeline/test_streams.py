"""The two streams: the result alone on one, the rest on the other, and both safe to pipe."""

from __future__ import annotations

import re

import pytest

from tests.pipeline.kit import Q, fact, pump, pumps, words
from tests.world import World
from tests.world.pages import MARKDOWN, markdown, missing, plain

ESCAPE = re.compile(r"\x1b")


def last_line(text: str) -> str:
    return text.rstrip("\n").rpartition("\n")[2]


def test_a_reader_that_leaves_is_no_error(world: World) -> None:
    more = [f"Part {n} of the pump is made of brass and lasts {n} seasons." for n in range(2000)]
    text = markdown("Pump 1", [fact(1), *more])
    world.serve("/p1", plain(text, content_type=MARKDOWN), title="Pump 1", facts=[fact(1), *more])
    place = world.place()
    script = f"set -o pipefail; intelli research '{Q}' --max-chars 200000 | head -1"
    run = place.shell(f"{script}; echo ${{PIPESTATUS[0]}}")
    assert run.stdout.splitlines() == [f"# {Q}", "0"]
    assert "Error" not in run.stderr and "Traceback" not in run.stderr
    assert "Broken" not in run.stderr and "Exception" not in run.stderr
    gone = place.shell(
        "intelli show latest --json | head -c 10; echo; intelli read latest:1 | head -1"
    )
    assert gone.stderr == "" and gone.code == 0
    closed = place.shell("intelli show latest --max-chars 200000 >&-")
    assert "Traceback" not in closed.stderr


def test_progress_is_plain_lines_and_the_summary_comes_last(world: World) -> None:
    pump(world, 1)
    world.serve("/gone", missing(), title="Gone")
    run = world.place().run("research", Q)
    lines = run.stderr.splitlines()
    assert len(lines) >= 4 and all(line.strip() for line in lines)
    assert any(line.startswith("[1] extracted") for line in lines)
    assert any("/gone" in line and "failed" in line for line in lines)
    assert lines[-1].startswith("1 of 2 sources") and "$0.00" in lines[-1]
    assert not ESCAPE.search(run.stderr + run.stdout) and "\r" not in run.stderr


def test_quiet_says_nothing_but_errors(world: World) -> None:
    pump(world, 1)
    world.serve("/gone", missing(), title="Gone")
    place = world.place()
    run = place.run("research", Q, "--quiet")
    assert (run.code, run.stderr) == (0, "") and fact(1) in run.stdout
    world.clear()
    world.serve("/gone", missing(), title="Gone")
    bad = place.run("research", Q, "--quiet", "--fresh")
    assert (bad.code, bad.stdout) == (4, "") and bad.stderr.startswith("intelli: ")


def test_events_are_json_lines_and_errors_too(world: World) -> None:
    pump(world, 1)
    world.serve("/gone", missing(), title="Gone")
    place = world.place()
    run = place.run("research", Q, "--events")
    names = [event["event"] for event in run.events]
    assert names[0] == "run_started" and names[-1] == "run_ended"
    assert {"links_found", "page_started", "page_fetched", "page_extracted", "page_failed"} <= set(
        names
    )
    assert {event["stage"] for event in run.events if event["event"] == "stage_started"} == {
        "search", "fetch", "extract", "collate", "suggest",
    }  # fmt: skip
    failure = next(event for event in run.events if event["event"] == "page_failed")
    assert (failure["n"], failure["status"], failure["code"]) == (2, "failed", "http-404")
    assert fact(1) in run.stdout
    world.clear()
    world.serve("/gone", missing(), title="Gone")
    bad = place.run("research", Q, "--events", "--fresh")
    assert bad.code == 4
    assert [e["code"] for e in bad.events if e["event"] == "error"] == ["fetch-failed"]
    wrong = place.run("research", Q, "--events", "--urls", "many")
    (event,) = wrong.events
    assert (wrong.code, event["event"]) == (2, "error")


def test_events_with_json_leave_one_document_on_stdout(world: World) -> None:
    pump(world, 1)
    run = world.place().run("research", Q, "--json", "--events")
    assert run.json["outcome"] == "completed"
    assert all("event" in event for event in run.events) and len(run.events) > 5


def test_text_fits_the_budget_and_ends_with_the_command_that_shows_the_rest(world: World) -> None:
    pumps(world, 12)
    place = world.place()
    for budget in (1500, 400):
        run = place.run("research", Q, "--urls", "12", "--max-chars", str(budget), "--quiet")
        assert run.code == 0 and len(run.stdout) <= budget
        assert not re.search(r"\]\(<[^>]*$", run.stdout), "no address is cut"
        rest = place.shell(last_line(run.stdout))
        assert rest.code == 0 and len(rest.stdout) > budget
        assert all(fact(n) in rest.stdout for n in range(1, 13))
    cut = place.run("show", "latest", "--max-chars", "1500").stdout
    assert len(cut) <= 1500 and re.search(r"left out", cut)
    whole = [line for line in rest.stdout.splitlines() if line.strip()]
    kept = [line for line in cut.splitlines() if fact(1)[:8] in line]
    assert kept and all(line in whole for line in kept), "records are whole or not there"


def test_json_is_never_cut(world: World) -> None:
    pumps(world, 3)
    place = world.place()
    run = place.run("research", Q, "--json", "--max-chars", "200")
    assert len(run.stdout) > 200 and len(run.json["sources"]) == 3
    assert place.run("show", "latest", "--json", "--max-chars", "200").json == run.json


@pytest.mark.parametrize(
    "env",
    [{"LANG": "C", "LC_ALL": "C"}, {"PYTHONIOENCODING": "cp1252"}, {"PYTHONIOENCODING": "ascii"}],
    ids=["LANG=C", "cp1252", "ascii"],
)
def test_a_stream_that_knows_few_characters_breaks_nothing(
    world: World, env: dict[str, str]
) -> None:
    odd = "The pump 🚰 moves 12 litres × 3 in ′eco′ mode ✓ 日本語."
    text = markdown("Pümp 🚰", [odd, *words(1)])
    world.serve("/p1", plain(text, content_type=MARKDOWN), title="Pümp 🚰", facts=[fact(1), odd])
    place = world.place()
    run = place.run("research", "pump 🚰 日本", **env)
    assert run.code == 0, run.stderr
    assert "12 litres" in run.stdout and "Traceback" not in run.stderr
    stored = (place.session() / "sources/01-127-0-0-1.md").read_text(encoding="utf-8")
    assert odd in stored
    assert odd in (place.session() / "report.md").read_text(encoding="utf-8")
    shown = place.run("show", "latest", "--json", **env)
    assert odd in shown.json["summary"] and shown.json["query"] == "pump 🚰 日本"
    listed = place.run("list", **env)
    assert listed.code == 0


def test_a_terminal_gets_a_styled_report_unless_no_colour_is_wanted(world: World) -> None:
    pump(world, 1)
    place = world.place()
    code, sent = place.terminal("research", Q, NO_COLOR=None)
    assert code == 0 and ESCAPE.search(sent) and "12 litres" in sent
    assert place.session().name[:20] in sent
    code, sent = place.terminal("show", "latest")
    assert code == 0 and "12 litres" in sent
    assert not ESCAPE.search(sent), "NO_COLOR is set"


def test_no_escape_code_reaches_a_terminal_under_no_color(world: World) -> None:
    pump(world, 1)
    code, sent = world.place().terminal("research", Q)
    assert code == 0 and "12 litres" in sent
    assert not ESCAPE.search(sent)


@pytest.mark.parametrize(
    "query",
    [
        "x",
        "水泵每分钟输送多少升水",
        "the \"pump\"; $(rm -rf /)\nwith\ta `second` line \\ and 'quotes'",
    ],
    ids=["one character", "chinese", "quotes and newlines"],
)
def test_any_question_is_asked_as_it_stands(world: World, query: str) -> None:
    pump(world, 1)
    place = world.place()
    run = place.run("research", query, "--json")
    assert (run.code, run.json["query"]) == (0, query)
    assert query in world.model.asked("search")[0].user
    assert place.run("show", run.json["session"], "--json").json == run.json
    assert place.run("list", "--json").json["sessions"][0]["query"] == query
    assert place.run("list").stdout.count("\n") == 2


def test_a_question_of_ten_thousand_characters_comes_from_standard_input(world: World) -> None:
    pump(world, 1)
    query = ("how does the pump move water when its inlet is narrow and old " * 170)[
        :10_000
    ].strip()
    place = world.place()
    run = place.run("research", "-", "--json", stdin=f"{query}\n".encode())
    assert (run.code, run.json["query"]) == (0, query)
    assert len(run.json["session"]) < 150
    assert (place.session() / "query.txt").read_text(encoding="utf-8").strip() == query
    direct = world.place(model=False).run("research", query, "--json")
    assert (direct.code, direct.json["session"]) == (0, run.json["session"])


@pytest.mark.parametrize("query", ["", "  \n "])
def test_an_empty_question_is_wrong_usage(world: World, query: str) -> None:
    place = world.place()
    for run in (
        place.run("research", query, "--json"),
        place.run("research", "-", "--json", stdin=query.encode()),
    ):
        assert (run.code, run.json["outcome"]) == (2, "usage")
        assert "empty" in run.json["error"]["message"]
    assert not world.model.asks


def test_help_and_version_go_to_stdout(world: World) -> None:
    place = world.place()
    version = place.run("--version")
    assert re.fullmatch(r"intelli \d+\.\d+\.\d+\S*\n", version.stdout) and version.stderr == ""
    helped = place.run("research", "--help")
    assert helped.code == 0 and "--focus" in helped.stdout and not ESCAPE.search(helped.stdout)


def test_a_small_limit_still_shows_the_beginning_of_the_answer(world: World) -> None:
    pump(world, 1)
    place = world.place()
    run = place.run("research", Q, "--max-chars", "300", "-o", "whole.md")
    assert run.code == 0 and len(run.stdout) <= 300
    assert "## Summary\n\nThe pump" in run.stdout
    assert place.shell(run.stdout.rstrip().splitlines()[-1]).code == 0
    assert "## Sources" in (place.project / "whole.md").read_text(encoding="utf-8")


def test_a_run_that_is_not_saved_names_no_command_that_needs_a_session(world: World) -> None:
    pump(world, 1)
    place = world.place()
    run = place.run("research", Q, "--max-chars", "300", "--cache-dir", "/proc/none")
    assert run.code == 9
    assert "intelli show" not in run.stdout


def test_called_with_nothing_it_explains_itself(world: World) -> None:
    run = world.place().run()
    assert run.code == 0
    assert "Usage:" in run.stdout and "  research " in run.stdout


def test_a_password_in_an_address_is_neither_sent_nor_kept(world: World) -> None:
    url = pump(world, 1).replace("://", "://user:s3cret@")
    place = world.place()
    run = place.run("research", Q, "--url", url, "--json", "--events")
    assert run.code == 0
    kept = "".join(p.read_text() for p in place.session().rglob("*") if p.is_file())
    assert "s3cret" not in run.stdout + run.stderr + kept


def test_verbose_says_when_each_page_begins_and_how_long_stages_took(world: World) -> None:
    url = pump(world, 1)
    place = world.place()
    assert f"[1] fetching {url}" in place.run("research", Q, "-v").stderr
    said = place.run("research", Q, "-v", "--fresh").stderr.splitlines()
    assert any(line.startswith("extract: ") and line.endswith(" s") for line in said)
    assert not any("fetching" in line for line in place.run("research", Q).stderr.splitlines())
