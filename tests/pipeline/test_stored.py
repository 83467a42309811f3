"""What is stored: `list`, `show`, `read`, `related`, `verify` and `check`, without any network."""

from __future__ import annotations

import pytest

from tests.pipeline.kit import Q, fact, failed
from tests.pipeline.shape import CLAIM, CLAIMS, check_shape
from tests.world import Place, World
from tests.world.sessions import write_session

MANUAL = "\n\n".join(
    [
        "## Set-up", "Screw the pump to the wall.", "### Tools", "A spanner of 13 mm.",
        "## Limits", fact(1), "```sh\npump --rate-1\n```", "## Care",
        *(f"Every {n} weeks look at part {n}; it is made of brass." for n in range(200)),
        "The last line speaks of LITRES again.",
    ]
)  # fmt: skip


@pytest.fixture
def place(world: World) -> Place:
    """A cache with one finished session of two sources."""
    place = world.place(model=False)
    summary = f"{fact(1)} [1]\n\nIt weighs 731 kg. [2]\n\nNobody knows why."
    sources = {"http://a.test/1": MANUAL, "http://b.test/2": fact(2)}
    write_session(place.cache, Q, sources, summary=summary)
    return place


def stored(place: Place, n: int) -> str:
    (path,) = place.session().glob(f"sources/{n:02}-*")
    return path.read_text(encoding="utf-8")


def test_reading_goes_window_by_window_to_the_end(place: Place) -> None:
    text, pieces, command = stored(place, 1), "", "intelli read latest:1"
    while command:
        document = place.shell(f"{command} --json --max-chars 4000").json
        assert document["start"] == len(pieces) and document["total"] == len(text)
        assert document["ref"] == f"{place.session().name[-6:]}:1", "latest may mean another soon"
        assert len(document["text"]) <= 4000
        pieces += document["text"]
        assert document["end"] == len(pieces)
        assert document["more"] is (document["next"] is not None)
        command = document["next"]
        assert not command or "latest" not in command
    assert pieces == text
    shown = place.run("read", "latest:1", "--max-chars", "2000").stdout
    assert len(shown) <= 2000 and shown.startswith("# Page 1")
    following = place.shell(shown.rstrip().splitlines()[-1])
    assert following.code == 0 and following.stdout[:20] not in shown


def test_reading_finds_a_text_and_counts_it(place: Place) -> None:
    document = place.run(
        "read", "latest:1", "--find", "litres", "--max-chars", "600", "--json"
    ).json
    assert document["matches"] == 2 and fact(1) in document["text"]
    text = stored(place, 1)
    assert text[document["start"] : document["end"]] == document["text"]
    assert place.run("read", "latest:1", "--find", "litres").stdout.count("litres") >= 1
    failed(place.run("read", "latest:1", "--find", "unicorn", "--json"), 3, "not-found")


def test_reading_shows_a_section(place: Place) -> None:
    limits = place.run("read", "latest:1", "--section", "limits", "--json").json
    assert fact(1) in limits["text"] and "pump --rate-1" in limits["text"]
    assert "## Care" not in limits["text"] and "spanner" not in limits["text"]
    setup = place.run("read", "latest:1", "--section", "Set-up").stdout
    assert "spanner" in setup and fact(1) not in setup
    error = failed(place.run("read", "latest:1", "--section", "Prices", "--json"), 3, "not-found")
    assert "Prices" in error["error"]["message"] and error["error"]["hint"]


def test_reading_refuses_what_makes_no_sense(place: Place) -> None:
    both = place.run("read", "latest:1", "--find", "a", "--from", "3", "--json")
    failed(both, 2, "usage")
    failed(place.run("read", "latest:1", "--from", "99999", "--json"), 2, "usage")
    failed(place.run("read", "latest:3", "--json"), 3, "not-found")
    failed(place.run("read", "latest:1", "--extraction", "--json"), 3, "not-found")


def test_reading_a_session_lists_its_sources(place: Place) -> None:
    document = place.run("read", "latest", "--json").json
    assert [source["url"] for source in document["sources"]] == [
        "http://a.test/1",
        "http://b.test/2",
    ]
    for source, n in zip(document["sources"], (1, 2), strict=True):
        assert source["chars"] == len(stored(place, n))
        assert place.run("read", source["ref"]).stdout.startswith(f"# Page {n}")


def test_sessions_are_listed_newest_first(world: World, place: Place) -> None:
    for day in (1, 2, 3):
        write_session(
            place.cache, f"question {day}", {"http://a.test/": "x"}, day=f"2026-05-0{day}"
        )
    document = place.run("list", "--limit", "2", "--json").json
    assert [each["query"] for each in document["sessions"]] == ["question 3", "question 2"]
    assert document["total"] == 4
    text = place.run("list").stdout
    assert text.index("question 3") < text.index("question 1") < text.index(Q)
    assert "question 3" in place.run("show", "latest").stdout
    assert place.run("list", "--cache-dir", "elsewhere", "--json").json["sessions"] == []


def test_a_session_is_named_by_its_hash_and_by_its_name(place: Place) -> None:
    name = place.session().name
    by_name, by_hash = place.run("show", name, "--json"), place.run("show", name[-6:], "--json")
    assert by_name.json == by_hash.json and by_name.json["session"] == name
    failed(place.run("show", name[:-2], "--json"), 3, "not-found")


def test_related_sessions_are_found_by_their_words(world: World, place: Place) -> None:
    write_session(place.cache, "best bread in town", {"http://a.test/": "x"})
    document = place.run("related", "how many litres can a pump move", "--json").json
    (related,) = document["related"]
    assert (related["session"], related["query"]) == (
        next(
            path.name for path in place.sessions() if "pump" in path.name or "litres" in path.name
        ),
        Q,
    )
    assert related["why"] and related["timestamp"].startswith("2026-04-19")
    assert place.run("related", "quantum chess", "--json").json["related"] == []
    assert not any(server.log.exchanges for server in world.servers)


def test_verifying_a_report_checks_its_statements_against_the_stored_files(place: Place) -> None:
    run = place.run("verify", "latest", "--json")
    assert (run.code, run.json["outcome"]) == (0, "completed")
    for claim in run.json["claims"]:
        check_shape(claim, {**CLAIM, "start": int, "end": int, "item": int})
    assert [claim["status"] for claim in run.json["claims"]] == [
        "verified", "unsupported", "uncited",
    ]  # fmt: skip
    assert run.json["totals"].keys() == CLAIMS
    assert (run.json["totals"]["verified"], run.json["totals"]["unsupported"]) == (1, 1)
    report = (place.session() / "report.md").read_text(encoding="utf-8")
    for claim in run.json["claims"]:
        assert report[claim["start"] : claim["end"]] == claim["text"]
    text = stored(place, 1)
    found = [text[e["start"] : e["end"]] for e in run.json["claims"][0]["evidence"]]
    assert any("12 litres" in part for part in found)
    strict = place.run("verify", "latest", "--strict", "--json")
    assert (strict.code, strict.json["outcome"]) == (8, "unverified")
    shown = place.run("verify", "latest").stdout
    assert "731" in shown and "! unsupported [2]" in shown


def test_any_text_is_checked_against_a_session(place: Place) -> None:
    text = f"Intro.\n\n- {fact(1)} [1]\n- {fact(2)} [1]\n- It has 731 doors. [2]\n- Fine [7].\n"
    (place.project / "answer.md").write_text(text, encoding="utf-8")
    run = place.run("check", "answer.md", "--against", "latest", "--json")
    by_text = {claim["text"].split(" [")[0]: claim for claim in run.json["claims"]}
    assert by_text[fact(1)]["status"] == "verified"
    assert by_text[fact(2)]["status"] == "misattributed"
    assert by_text["It has 731 doors."]["status"] == "unsupported"
    assert by_text["Fine"]["status"] == "unsupported"
    items = [claim["item"] for claim in run.json["claims"]]
    assert items == sorted(items) and len(set(items)) == len(items)
    for claim in run.json["claims"]:
        assert text[claim["start"] : claim["end"]] == claim["text"]
    piped = place.run("check", "-", "--against", "latest", "--json", stdin=text.encode())
    assert piped.json == run.json
    assert place.run("check", "answer.md", "--against", "latest", "--strict").code == 8
    good = place.run(
        "check", "-", "--against", "latest", "--strict", stdin=f"{fact(1)} [1]".encode()
    )
    assert good.code == 0
    failed(place.run("check", "no.md", "--against", "latest", "--json"), 2, "usage")
    failed(place.run("check", "answer.md", "--against", "no", "--json"), 3, "not-found")


def test_a_change_of_a_stored_source_is_noticed(place: Place) -> None:
    (path,) = place.session().glob("sources/01-*")
    path.write_text(stored(place, 1).replace("12 litres", "21 litres"), encoding="utf-8")
    claim = place.run("verify", "latest", "--json").json["claims"][0]
    assert claim["status"] in ("partial", "unsupported")
    assert any("12" in word for word in claim["missing"])
