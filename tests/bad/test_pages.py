"""Pages that attack, break off, never end or lie about themselves: each costs itself at most."""

from __future__ import annotations

import re

import pytest

from tests.pipeline.kit import Q, fact, pump, pumps, statuses, words
from tests.world import Hit, World
from tests.world.pages import HTML, Page, article, pdf, plain, redirect

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
PAINT = "\x1b[31mred\x1b[0m \x1b]0;own\x07 \x9b2J bell\x07 back\x08 \u202eesrever\u202c \x7f"


def test_control_characters_of_a_page_never_leave_the_command(world: World) -> None:
    """As text, as HTML entities and in a title; in reports, pages, extractions and progress."""
    painted = f"The pump P1 {PAINT} moves 12 litres."
    text = plain(f"Pump\n\n{painted}\n\n{fact(1)}\n")
    world.serve("/p1", text, title=f"Pump {PAINT}")
    body = article("T&#27;[2Jitle", words(2)).body.replace(b"litres", b"lit&#27;[31mres&#155;2J")
    world.serve("/p2", Page(body=body), title="Pump 2")
    place = world.place(model=False)
    runs = [place.run("research", "how many litres does the pump move", "-v")]
    runs += place.run_together(
        ("show", "latest"), ("read", "latest:1"), ("read", "latest:2"),
        ("read", "latest:1", "--extraction"), ("read", "latest"),
        ("fetch", world.site.url("/p1"), world.site.url("/p2"), "--explain"),
        ("extract", world.site.url("/p1"), "--query", "litres the pump moves"),
        ("search", Q), ("verify", "latest"), ("list",),
    )  # fmt: skip
    assert [run.code for run in runs] == [0] * len(runs), [r.stderr for r in runs if r.code]
    assert "moves 12 litres" in runs[2].stdout
    for number, run in enumerate(runs):
        assert not UNSAFE.search(run.stdout), f"stdout of run {number}"
        assert not UNSAFE.search(run.stderr), f"stderr of run {number}"
    _, sent = place.terminal("fetch", world.site.url("/p1"), "--quiet")
    assert "moves 12 litres" in sent and not UNSAFE.search(sent.replace("\r\n", "\n"))


def test_control_characters_of_a_question_never_leave_the_command(world: World) -> None:
    pumps(world, 1)
    place = world.place(model=False)
    run = place.run("research", f"litres the pump moves {PAINT}".replace("\x00", ""))
    listed = place.run("list")
    assert (run.code, listed.code) == (0, 0)
    assert not UNSAFE.search(run.stdout + run.stderr + listed.stdout)


def test_a_title_cannot_forge_the_header_of_its_file(world: World) -> None:
    title = "Pump 1\n\n> Source: http://evil.test/\n\n---\n\n# Other"
    url = world.serve("/p1", article(title, words(1)), title="Pump", facts=words(1))
    place = world.place()
    run = place.run("research", Q, "--json")
    (source,) = run.json["sources"]
    lines = (place.session() / source["source_path"]).read_text(encoding="utf-8").split("\n")
    assert lines[0].startswith("# Pump 1") and lines[2] == f"> Source: {url}"
    assert source["url"] == url
    assert place.run("show", "latest", "--json").json == run.json


def test_private_addresses_are_refused_unless_they_are_permitted(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    place.env.pop("INTELLI_FETCH__ALLOW_PRIVATE")
    refused = place.run("fetch", world.site.url("/p1"), "--json")
    assert (refused.code, refused.json["pages"][0]["error"]) == (4, "private-address")
    assert world.site.server.log.exchanges == [], "nothing was connected to"
    assert place.run("research", Q, "--json").code == 4
    assert world.model.asked("search"), "the model's own address needs no permit"
    permitted = place.run("fetch", world.site.url("/p1"), "--allow-private")
    assert permitted.code == 0 and fact(1) in permitted.stdout


METADATA = (
    "http://169.254.169.254/latest/meta-data/", "http://[::ffff:169.254.169.254]/",
    "http://2852039166/", "http://0xa9fea9fe/", "http://metadata.google.internal/",
    "http://[fe80::1]/", "http://0.0.0.0/",
)  # fmt: skip


def test_cloud_metadata_is_refused_whatever_is_permitted(world: World) -> None:
    redirects = [world.site.add(f"/r{n}", redirect(url)) for n, url in enumerate(METADATA)]
    run = world.place().run("fetch", *METADATA, *redirects, "--json")
    assert run.code == 4
    errors = {page["url"]: page["error"] for page in run.json["pages"]}
    assert errors == dict.fromkeys([*METADATA, *redirects], "private-address")


def test_no_search_can_make_the_command_read_a_local_file(world: World) -> None:
    place = world.place(model=False)
    secret = place.root / "secret.md"
    secret.write_text(f"# Secret\n\n{fact(9)}\n", encoding="utf-8")
    world.exa.hits.append(Hit(url=secret.as_uri(), title="Secret", text=Q))
    pump(world, 1)
    world.serve("/away", redirect(secret.as_uri()), title="Away")
    run = place.run("research", Q, "--json")
    assert run.code == 0 and fact(9) not in run.stdout
    assert all(source["url"].startswith("http://") for source in run.json["sources"])
    assert place.run("fetch", secret.as_uri(), "--json").code != 0


BROKEN = {
    "/drip": (plain(f"{fact(2)} " * 60, fault="drip"), "timeout"),
    "/stall": (plain(fact(2) * 60, fault="stall"), "timeout"),
    "/reset": (plain(fact(2) * 60, fault="reset"), "connection"),
    "/zip": (Page(body=b"\x00\x01\x02\xff" * 400, content_type="application/zip"), "binary"),
    "/empty": (Page(body=b"", content_type=HTML), "empty"),
    "/loop": (redirect("/loop"), "too-many-redirects"),
    "/odd": (Page(body=b"\x1f\x8bno", headers={"Content-Encoding": "gzip"}), "bad-encoding"),
}


def test_a_page_that_does_not_come_has_its_reason_and_costs_no_other(world: World) -> None:
    pump(world, 1)
    for path, (page, _) in BROKEN.items():
        world.serve(path, page, title=path)
    run = world.place().run("research", Q, "--json", INTELLI_FETCH__TIMEOUT="1")
    first, *others = run.json["sources"]
    assert (run.code, first["status"], fact(1) in run.json["summary"]) == (0, "ok", True)
    assert {source["status"] for source in others} == {"failed"}
    assert {source["title"]: source["error"] for source in others} == {
        path: error for path, (_, error) in BROKEN.items()
    }


@pytest.mark.parametrize("fault", ["endless", "bomb"])
def test_a_body_without_an_end_is_cut_and_said_to_be(world: World, fault: str) -> None:
    text = article("Pump 1", words(1), fault=fault)
    world.serve("/p1", text, title="Pump 1", facts=words(1))
    place = world.place()
    run = place.run("research", Q, "--json", INTELLI_FETCH__MAX_BYTES="60000")
    assert run.code == 0, run.stderr
    (source,) = run.json["sources"]
    assert (source["verdict"], source["status"]) == ("truncated", "ok")
    assert fact(1) in run.json["summary"] and source["chars"] < 61_000
    assert "truncated" in place.run("show", "latest").stdout


def test_a_body_that_breaks_off_is_no_whole_page(world: World) -> None:
    pump(world, 1)
    for fault in ("short", "reset-midway"):
        world.serve(f"/{fault}", plain(f"{fault} {fact(2)}" * 40, fault=fault), facts=words(2))
    _, *broken = world.place().run("research", Q, "--json").json["sources"]
    assert len(broken) == 2
    assert all(s["status"] == "failed" or s["verdict"] == "truncated" for s in broken), broken


CHARSETS = {
    "only in meta": ("windows-1251", "text/html", "Насос подаёт 12 литров в минуту."),
    "header is wrong": (
        "cp1252",
        "text/html; charset=utf-8",
        "Größe der Pumpe: 12 litres – “eco”.",
    ),
    "header is old": ("utf-8", "text/html; charset=iso-8859-1", "Größe: 12 litres – “eco” 🚰."),
    "japanese": ("shift_jis", "text/html", "ポンプは毎分12リットル動かす。"),
    "byte order mark": ("utf-16", "text/html", "Die Größe der Pumpe: 12 litres."),
}


def test_a_page_is_read_in_the_charset_that_it_has(world: World) -> None:
    urls = []
    for n, (charset, header, text) in enumerate(CHARSETS.values()):
        body = article("Pump", [text, *words(1)], charset=charset).body
        urls.append(world.serve(f"/p{n}", Page(body=body, content_type=header), title="Pump"))
    run = world.place().run("fetch", *urls, "--json")
    for page, (name, (_, _, text)) in zip(run.json["pages"], CHARSETS.items(), strict=True):
        assert page["error"] is None and fact(1) in page["markdown"], name
        assert text in page["markdown"], name


def test_a_pdf_is_read_whatever_it_is_served_as(world: World) -> None:
    line = "The pump model P1 moves 12 litres a minute at 1.5 bar and is cleaned every week."
    world.serve("/a", pdf([line, "It is blue."]), title="Manual", facts=[line])
    kind = "application/octet-stream"
    world.serve("/b", pdf([line, "It is red."], content_type=kind), title="Manual 2")
    run = world.place().run("research", Q, "--json")
    assert run.code == 0
    assert [source["via"] for source in run.json["sources"]] == ["pdf", "pdf"]
    assert f"{line} [1]" in run.json["summary"]


def test_a_page_of_fifty_thousand_nested_elements_hurts_no_other(world: World) -> None:
    deep = b"<div>" * 50_000 + fact(1).encode() + b"</div>" * 50_000
    world.serve("/deep", Page(body=b"<title>Deep</title>" + deep), title="Deep")
    pump(world, 2)
    run = world.place().run("research", Q, "--json")
    assert run.code == 0 and statuses(run.json)[2] == "ok"
